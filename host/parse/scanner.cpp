#include "host/parse/scanner.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "host/parse/byte_search.hpp"
#include "host/parse/fences.hpp"
#include "host/parse/grammar.hpp"
#include "host/parse/lexemes.hpp"
#include "host/parse/marks.hpp"
#include "kernels/core/words.hpp"

namespace optgap::text {
namespace {

/// The end of a header of gpt-oss. A content type may come before it: "final <|constrain|>json<|message|>".
constexpr std::string_view header_end = "<|message|>";
constexpr std::string_view content_type = "<|constrain|>";
constexpr std::size_t max_header = 64;

/// The first byte after a header's end; no_position where there is none.
std::size_t behind_header(std::string_view text, std::size_t at) {
    for (std::size_t const first = at; at < text.size() && at - first <= max_header;) {
        std::string_view const rest = text.substr(at);
        if (rest.starts_with(header_end)) {
            return at + header_end.size();
        }
        bool const word =
            is_letter(text[at]) || is_digit(text[at]) || std::string_view(" _./+=-").find(text[at]) != no_position;
        std::size_t const step = rest.starts_with(content_type) ? content_type.size() : word ? 1 : 0;
        if (step == 0) {
            return no_position;
        }
        at += step;
    }
    return no_position;
}

enum marker : int { reasoning_open, reasoning_close, answer_open, answer_close, marker_count };

/// The format's tags, prepared for comparison: the first eight bytes as one word, the rest byte by byte.
class marker_table {
public:
    explicit marker_table(format_spec const& format) {
        if (format.reasoning != reasoning_rule::none) {
            for (reasoning_markers const& pair : format.markers) {
                add(reasoning_open, pair.at_start ? std::string_view() : pair.open);
                add(reasoning_close, pair.close);
            }
        }
        if (format.place == answer_place::tagged) {
            add(answer_open, format.answer_open);
            add(answer_close, format.answer_close);
        }
    }

    void add(marker which, std::string_view tag) {
        if (tag.empty()) {
            return;
        }
        if (count_ == int(entries_.size())) {
            fits_ = false;
            return;
        }
        bool const header = which <= reasoning_close && tag.size() > header_end.size() && tag.ends_with(header_end);
        tag.remove_suffix(header ? header_end.size() : 0);
        std::size_t const head = tag.size() < 8 ? tag.size() : 8;
        entry& e = entries_[std::size_t(count_++)];
        e = {tag, which, 0, 0, header};
        std::memcpy(&e.head, tag.data(), head);
        std::memset(&e.keep, 0xFF, head);
        bool const single = tag.size() == 1;
        fits_ &= filter_.add(
            {0xFF, std::uint8_t(tag[0]), std::uint8_t(single ? 0 : 0xFF), std::uint8_t(single ? 0 : tag[1])});
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool fits() const { return fits_; }
    [[nodiscard]] pair_filter const& filter() const { return filter_; }

    /// The tag at `position`; marker_count if none. Of two that fit, the one added first.
    marker at(std::string_view text, std::size_t position, std::size_t& end) const {
        std::size_t const left = text.size() - position;
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + position, left < 8 ? left : 8);
        for (int k = 0; k < count_; ++k) {
            entry const& e = entries_[std::size_t(k)];
            if ((word & e.keep) == e.head && e.tag.size() <= left &&
                (e.tag.size() <= 8 || text.compare(position, e.tag.size(), e.tag) == 0)) {
                end = position + e.tag.size();
                end = e.header ? behind_header(text, end) : end;
                if (end != no_position) {
                    return e.which;
                }
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
        bool header = false;  // `tag` leaves out its header_end
    };
    std::array<entry, 2 * max_markers + 2> entries_{};
    int count_ = 0;
    bool fits_ = true;
    pair_filter filter_;
};

/// Answer tags in reading order. A part extends from an opening tag to the next closing one, with no opening tag
/// between.
struct answer_tags {
    std::int64_t opened = 0;
    std::int64_t closed = 0;
    std::int64_t pending = -1;  // end of an opening tag without its closing one yet
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
    std::int64_t begin = -1;  // begin of the part's text
    std::int64_t end = -1;
    std::int64_t behind = 0;  // first byte after the part
    bool open = false;        // no closing tag since the last opening one

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

std::string_view cut(std::string_view text, text_span span) {
    return text.substr(std::size_t(span.begin), std::size_t(span.end - span.begin));
}

/// Reads the tags that the format knows. Answer tags inside the reasoning part do not count. Where reasoning is
/// required, that is the first part; where it is optional, everything before the last closing tag.
void read_tags(std::string_view text, format_spec const& format, marker_table const& table, reasoning_tags& reasoning,
               answer_tags& answers) {
    bool const required = format.reasoning == reasoning_rule::required;
    answer_tags outside = answers;  // the state where the reasoning part opened
    std::size_t resume = 0;
    for (reasoning_markers const& pair : format.markers) {
        if (pair.at_start && format.reasoning != reasoning_rule::none && !pair.open.empty() &&
            text.substr(0, pair.open.size()) == pair.open && resume == 0) {
            resume = pair.open.size();
            ++reasoning.opened;
            reasoning.open = true;
            reasoning.begin = reasoning.begin < 0 ? std::int64_t(resume) : reasoning.begin;
        }
    }
    forward_candidates candidates(text, table.filter());
    for (std::size_t at = candidates.next(); at != no_position; at = candidates.next()) {
        std::size_t end = 0;
        marker const found = at < resume ? marker_count : table.at(text, at, end);
        switch (found) {
            case reasoning_open:
                reasoning.open = true;
                if (format.opened_in_prompt && all_white(text.substr(0, at))) {
                    reasoning.begin = std::int64_t(end);  // the template's tag, repeated
                } else {
                    ++reasoning.opened;
                }
                if (reasoning.begin < 0) {
                    reasoning.begin = std::int64_t(end);
                    outside = answers;
                }
                break;
            case reasoning_close:
                ++reasoning.closed;
                reasoning.open = false;
                if (required ? reasoning.begin >= 0 && reasoning.end < 0 : true) {
                    reasoning.end = std::int64_t(at);
                    reasoning.behind = std::int64_t(end);
                    answers = required ? outside : answer_tags{};
                }
                break;
            case answer_open: answers.open(std::int64_t(end)); break;
            case answer_close: answers.close(std::int64_t(at)); break;
            case marker_count: continue;
        }
        resume = end;
    }
}

/// Finds the last block and returns the number of blocks; 0 where the text ends inside a block.
std::int64_t find_last_block(std::string_view text, std::size_t from, std::span<std::string const> ends,
                             fenced_block& last) {
    fence_reader reader(text, from, ends);
    std::int64_t count = 0;
    fenced_block block;
    while (reader.next(block)) {
        last = block;
        ++count;
    }
    return reader.open() ? 0 : count;
}

void begin_reasoning(format_spec const& format, reasoning_tags& reasoning) {
    if (format.opened_in_prompt && format.reasoning != reasoning_rule::none) {
        reasoning.begin = 0;
        reasoning.open = true;
    }
}

/// Whether a required part is missing.
bool lacks_reasoning(std::string_view text, reasoning_tags const& reasoning) {
    return !reasoning.complete() || all_white(cut(text, {reasoning.begin, reasoning.end}));
}

/// Whether a required part has further tags.
bool repeats_reasoning(format_spec const& format, reasoning_tags const& reasoning) {
    return reasoning.opened != (format.opened_in_prompt ? 0 : 1) || reasoning.closed != 1;
}

}  // namespace

bool nothing_follows(std::string_view rest, std::span<std::string const> ends) {
    while (!rest.empty()) {
        std::size_t const skip = is_white(rest.front()) ? 1 : leading_end(rest, ends);
        if (skip == 0) {
            return false;
        }
        rest.remove_prefix(skip);
    }
    return true;
}

found_reasoning find_reasoning(std::string_view text, format_spec const& format) {
    reasoning_tags reasoning;
    begin_reasoning(format, reasoning);
    answer_tags none;
    marker_table const table(format);
    if (!table.empty()) {
        read_tags(text, format, table, reasoning, none);
    }
    found_reasoning found;
    bool const required = format.reasoning == reasoning_rule::required;
    found.open = !required && reasoning.open;
    found.behind = std::size_t(reasoning.behind);
    if (required && lacks_reasoning(text, reasoning)) {
        found.format_code = code_format_missing_reasoning;
    } else if (required && repeats_reasoning(format, reasoning)) {
        found.format_code = code_format_repeated;
    }
    return found;
}

bool fits_scanner(format_spec const& format) { return marker_table(format).fits(); }

found_parts find_parts(std::string_view text, format_spec const& format, finish finished) {
    bool const required = format.reasoning == reasoning_rule::required;
    bool const tagged = format.place == answer_place::tagged;
    bool const boxed = format.place == answer_place::boxed;
    bool const cut_off = finished == finish::length || finished == finish::abort;
    marker_table const table(format);
    reasoning_tags reasoning;
    begin_reasoning(format, reasoning);
    answer_tags answers;
    if (!table.empty()) {
        read_tags(text, format, table, reasoning, answers);
    }

    found_parts parts;
    std::size_t behind = 0;  // the first byte after the answer part
    if (!required && reasoning.open) {
        answers = {};  // still reasoning
    } else if (tagged) {
        parts.has_answer = answers.complete;
        parts.answer = answers.last;
        behind = std::size_t(answers.last.end) + (answers.complete ? format.answer_close.size() : 0);
    } else if (format.place == answer_place::fenced) {
        fenced_block block;
        std::int64_t const blocks = find_last_block(text, std::size_t(reasoning.behind), format.ends, block);
        parts.has_answer = blocks > 0;
        parts.answer = parts.has_answer ? block.content : text_span{};
        behind = block.behind;
        answers.opened = answers.closed = format.one_block ? blocks : 1;
    } else {
        std::string_view const rest = text.substr(std::size_t(reasoning.behind));
        parts.has_answer = boxed ? find_box(rest, parts.answer, behind) : !cut_off && find_line(rest, parts.answer);
        if (parts.has_answer) {
            parts.answer.begin += reasoning.behind;
            parts.answer.end += reasoning.behind;
            if (!boxed && format.tail == tail_rule::lenient) {
                parts.answer.end = parts.answer.begin + std::int64_t(end_of_lines(cut(text, parts.answer)));
            }
            behind = boxed ? behind + std::size_t(reasoning.behind) : std::size_t(parts.answer.end);
        }
        answers.opened = answers.closed = 1;  // the last answer counts, however many there are
    }

    if (required && lacks_reasoning(text, reasoning)) {
        parts.format_code = code_format_missing_reasoning;
    } else if (!parts.has_answer || parts.answer.begin < reasoning.behind) {
        parts.format_code = code_format_missing_answer;
    } else if ((required && repeats_reasoning(format, reasoning)) || answers.opened != 1 || answers.closed != 1) {
        parts.format_code = code_format_repeated;
    } else if ((format.tail == tail_rule::strict || cut_off) && !nothing_follows(text.substr(behind), format.ends)) {
        parts.format_code = code_format_trailing;
    }
    return parts;
}

}  // namespace optgap::text

namespace optgap {

parsed_text parse_completion(std::string_view text, format_spec const& format, answer_syntax const& syntax,
                             std::vector<std::int32_t>& words, finish finished) {
    text::found_parts const parts = text::find_parts(text, format, finished);
    parsed_text parsed;
    if (parts.has_answer) {
        parsed = text::read_answer(text::cut(text, parts.answer), syntax, words, format.spelling, format.ends);
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
