#include "host/text/scanner.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "host/text/byte_search.hpp"
#include "host/text/lexemes.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text {
namespace {

constexpr std::string_view boxed_open = "\\boxed{";
constexpr std::string_view line_label = "answer";
constexpr std::string_view full_width_colon = "\xEF\xBC\x9A";

enum marker : int { reasoning_open, reasoning_close, answer_open, answer_close, marker_count };

/// The format's tags, ready to be compared: the first eight bytes as one word, the rest byte by byte.
class marker_table {
public:
    void add(marker which, std::string_view tag) {
        if (tag.empty()) {
            return;
        }
        std::size_t const head = tag.size() < 8 ? tag.size() : 8;
        entry& e = entries_[std::size_t(count_++)];
        e = {tag, which, 0, 0};
        std::memcpy(&e.head, tag.data(), head);
        std::memset(&e.keep, 0xFF, head);
        bool const single = tag.size() == 1;
        filter_.add({0xFF, std::uint8_t(tag[0]), std::uint8_t(single ? 0 : 0xFF), std::uint8_t(single ? 0 : tag[1])});
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] pair_filter const& filter() const { return filter_; }

    /// The tag that stands at `position`, marker_count if none; of two that fit, the one added first.
    marker at(std::string_view text, std::size_t position, std::size_t& end) const {
        std::size_t const left = text.size() - position;
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + position, left < 8 ? left : 8);
        for (int k = 0; k < count_; ++k) {
            entry const& e = entries_[std::size_t(k)];
            if ((word & e.keep) == e.head && e.tag.size() <= left &&
                (e.tag.size() <= 8 || text.compare(position, e.tag.size(), e.tag) == 0)) {
                end = position + e.tag.size();
                return e.which;
            }
        }
        return marker_count;
    }

private:
    struct entry {
        std::string_view tag;
        marker which = marker_count;
        std::uint64_t head = 0;
        std::uint64_t keep = 0;
    };
    std::array<entry, marker_count> entries_{};
    int count_ = 0;
    pair_filter filter_;
};

/// Answer tags in reading order. A part runs from an opening tag to the next closing one with no opening tag between.
struct answer_tags {
    std::int64_t opened = 0;
    std::int64_t closed = 0;
    std::int64_t pending = -1;  // end of an opening tag that still waits for its closing one
    text_span last;
    bool complete = false;

    void open(std::int64_t end) {
        ++opened;
        pending = end;
    }
    void close(std::int64_t begin) {
        ++closed;
        if (pending >= 0) {
            last = {pending, begin};
            complete = true;
            pending = -1;
        }
    }
};

struct reasoning_tags {
    std::int64_t opened = 0;
    std::int64_t closed = 0;
    std::int64_t begin = -1;  // of the part's text
    std::int64_t end = -1;
    std::int64_t behind = 0;  // first byte behind the part

    [[nodiscard]] bool complete() const { return end >= 0; }
};

bool all_white(std::string_view text) {
    for (char const c : text) {
        if (!is_white(c)) {
            return false;
        }
    }
    return true;
}

/// Nothing but white space and end-of-turn tokens.
bool nothing_follows(std::string_view rest) {
    while (!rest.empty()) {
        std::size_t const skip = is_white(rest.front()) ? 1 : leading_end_of_turn(rest);
        if (skip == 0) {
            return false;
        }
        rest.remove_prefix(skip);
    }
    return true;
}

std::string_view cut(std::string_view text, text_span span) {
    return text.substr(std::size_t(span.begin), std::size_t(span.end - span.begin));
}

/// The last \boxed{; false when there is none or its braces do not match.
bool find_box(std::string_view text, text_span& content) {
    static constexpr pair_filter filter = [] {
        pair_filter f;
        f.add({0xFF, '\\', 0xFF, 'b'});
        return f;
    }();
    backward_candidates candidates(text, filter);
    std::size_t position = candidates.next();
    while (position != no_position && text.substr(position, boxed_open.size()) != boxed_open) {
        position = candidates.next();
    }
    if (position == no_position) {
        return false;
    }
    std::size_t const begin = position + boxed_open.size();
    std::size_t depth = 1;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;  // \{ and \} are characters, not braces
        } else if (text[i] == '{') {
            ++depth;
        } else if (text[i] == '}' && --depth == 0) {
            content = {std::int64_t(begin), std::int64_t(i)};
            return true;
        }
    }
    return false;
}

bool is_line_label(std::string_view text) {
    for (std::size_t i = 0; i < line_label.size(); ++i) {
        if (i >= text.size() || lower(text[i]) != line_label[i]) {
            return false;
        }
    }
    return true;
}

/// What follows the last "Answer:". Looks for the label's last letter and the colon: prose is full of "an".
bool find_line(std::string_view text, text_span& content) {
    static constexpr pair_filter filter = [] {
        pair_filter f;
        f.add({any_case, 'R', 0xFF, ':'});
        f.add({any_case, 'R', 0xFF, 0xEF});
        return f;
    }();
    backward_candidates candidates(text, filter);
    for (std::size_t at = candidates.next(); at != no_position; at = candidates.next()) {
        std::size_t const colon = at + 1;
        if (colon < line_label.size() || !is_line_label(text.substr(colon - line_label.size()))) {
            continue;
        }
        std::string_view const rest = text.substr(colon);
        bool const wide = rest.substr(0, full_width_colon.size()) == full_width_colon;
        if (wide || rest.substr(0, 1) == ":") {
            content = {std::int64_t(colon + (wide ? full_width_colon.size() : 1)), std::int64_t(text.size())};
            return true;
        }
    }
    return false;
}

/// Reads the tags that the format knows. Answer tags inside the reasoning part are no answer tags.
void read_tags(std::string_view text, marker_table const& table, reasoning_tags& reasoning, answer_tags& answers) {
    answer_tags outside = answers;  // as it was where the reasoning part opened
    std::size_t resume = 0;
    forward_candidates candidates(text, table.filter());
    for (std::size_t at = candidates.next(); at != no_position; at = candidates.next()) {
        std::size_t end = 0;
        marker const found = at < resume ? marker_count : table.at(text, at, end);
        switch (found) {
            case reasoning_open:
                ++reasoning.opened;
                if (reasoning.begin < 0) {
                    reasoning.begin = std::int64_t(end);
                    outside = answers;
                }
                break;
            case reasoning_close:
                ++reasoning.closed;
                if (reasoning.begin >= 0 && reasoning.end < 0) {
                    reasoning.end = std::int64_t(at);
                    reasoning.behind = std::int64_t(end);
                    answers = outside;
                }
                break;
            case answer_open: answers.open(std::int64_t(end)); break;
            case answer_close: answers.close(std::int64_t(at)); break;
            case marker_count: continue;
        }
        resume = end;
    }
}

}  // namespace

found_parts find_parts(std::string_view text, format_spec const& format) {
    marker_table table;
    if (format.reasoning_required) {
        table.add(reasoning_open, format.reasoning_open);
        table.add(reasoning_close, format.reasoning_close);
    }
    bool const tagged = format.place == answer_place::tagged;
    if (tagged) {
        table.add(answer_open, format.answer_open);
        table.add(answer_close, format.answer_close);
    }
    reasoning_tags reasoning;
    reasoning.begin = format.reasoning_opened_in_prompt ? 0 : -1;
    answer_tags answers;
    if (!table.empty()) {
        read_tags(text, table, reasoning, answers);
    }

    found_parts parts;
    std::size_t behind = 0;  // the first byte after the answer part
    if (tagged) {
        parts.has_answer = answers.complete;
        parts.answer = answers.last;
        behind = std::size_t(answers.last.end) + (answers.complete ? format.answer_close.size() : 0);
    } else {
        std::string_view const rest = text.substr(std::size_t(reasoning.behind));
        bool const boxed = format.place == answer_place::boxed;
        parts.has_answer = boxed ? find_box(rest, parts.answer) : find_line(rest, parts.answer);
        if (parts.has_answer) {
            parts.answer.begin += reasoning.behind;
            parts.answer.end += reasoning.behind;
            behind = std::size_t(parts.answer.end) + (boxed ? 1 : 0);
        }
        answers.opened = answers.closed = 1;  // the last one counts, however many there are
    }

    std::int64_t const openings = format.reasoning_opened_in_prompt ? 0 : 1;
    if (format.reasoning_required &&
        (!reasoning.complete() || all_white(cut(text, {reasoning.begin, reasoning.end})))) {
        parts.format_code = code_format_missing_reasoning;
    } else if (!parts.has_answer || parts.answer.begin < reasoning.behind) {
        parts.format_code = code_format_missing_answer;
    } else if ((format.reasoning_required && (reasoning.opened != openings || reasoning.closed != 1)) ||
               answers.opened != 1 || answers.closed != 1) {
        parts.format_code = code_format_repeated;
    } else if (format.nothing_after_answer && !nothing_follows(text.substr(behind))) {
        parts.format_code = code_format_trailing;
    }
    return parts;
}

}  // namespace optgap::text

namespace optgap {

parsed_text parse_completion(std::string_view text, format_spec const& format, char const* const* task_words,
                             std::vector<std::int32_t>& words) {
    text::found_parts const parts = text::find_parts(text, format);
    parsed_text parsed;
    if (parts.has_answer) {
        parsed = parse_answer(text::cut(text, parts.answer), task_words, words);
        parsed.answer.begin += parts.answer.begin;
        parsed.answer.end += parts.answer.begin;
    } else {
        parsed.answer_code = code_empty;
        words.push_back(answer_flat);
    }
    parsed.format_code = parts.format_code;
    return parsed;
}

}  // namespace optgap
