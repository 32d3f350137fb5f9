#include "host/rubric/words/boundaries.hpp"

#include <algorithm>

#include "host/rubric/words/dictionary.hpp"

namespace optgap::rubrics {
namespace {

/// The longest run of joiners that is treated as standing on a letter. No writing has more, and the limit keeps time
/// linear.
constexpr int max_joiners = 32;

bool is_joiner_at(decoded const& one) { return !one.broken && is_joiner(one.point, properties_of(one.point)); }
bool is_unblanked_at(decoded const& one) { return !one.broken && is_unblanked(one.point, properties_of(one.point)); }
bool is_word_at(decoded const& one) { return !one.broken && is_a(one.point, is_word); }

/// The end of the run that begins at `at`; `at` where none does.
std::size_t run_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size()) {
        decoded const one = decode(text, end);
        if (!is_unblanked_at(one) && (end == at || !is_joiner_at(one))) {
            break;
        }
        end += one.size;
    }
    return end;
}

/// The begin of the run that contains the character before `at`.
std::size_t run_begin(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    for (std::size_t seen = at; seen > 0;) {
        decoded const one = decode_before(text, seen);
        seen -= one.size;
        if (is_unblanked_at(one)) {
            begin = seen;
        } else if (!is_joiner_at(one)) {
            break;
        }
    }
    return begin;
}

}  // namespace

bool is_joiner(char32_t point, point_properties is) {
    constexpr char32_t zero_width_space = 0x200B;
    return (is.classes & (is_mark | is_format)) != 0 && point != zero_width_space;
}

bool is_unblanked(char32_t point, point_properties is) {
    // The prolonged sound mark and the half-width voiced marks belong to no script.
    bool const common_kana = point == 0x30FC || point == 0xFF70 || point == 0xFF9E || point == 0xFF9F;
    return common_kana || (is_spaceless(is.of) && (is.classes & (is_word | is_mark)) != 0);
}

bool word_boundaries::inside_run(std::size_t at) {
    if (at <= begin_ || at >= end_) {
        begin_ = run_begin(text_, at);
        end_ = run_end(text_, begin_);
        break_words(text_.substr(begin_, end_ - begin_), breaks_);
    }
    return !std::binary_search(breaks_.begin(), breaks_.end(), std::uint32_t(at - begin_));
}

bool word_boundaries::inside_word(std::size_t at) {
    if (at == 0 || at >= text_.size()) {
        return false;
    }
    decoded const right = decode(text_, at);
    auto const byte_before = static_cast<unsigned char>(text_[at - 1]);
    if (byte_before < 0x80 && right.point < 0x80) {
        return is_a(byte_before, is_word) && is_a(right.point, is_word);
    }
    bool const right_joins = is_joiner_at(right);
    bool const right_unblanked = is_unblanked_at(right);
    if (!right_joins && !right_unblanked && !is_word_at(right)) {
        return false;
    }
    decoded left{};
    std::size_t before = at;
    for (int joiners = 0; before > 0 && joiners < max_joiners; ++joiners) {
        left = decode_before(text_, before);
        if (is_unblanked_at(left) || !is_joiner_at(left)) {
            break;
        }
        before -= left.size;
    }
    if (before == 0) {
        return false;  // marks that stand on no letter
    }
    bool const left_unblanked = is_unblanked_at(left);
    if (left_unblanked) {
        return (right_unblanked || right_joins) && inside_run(at);
    }
    return !right_unblanked && (is_word_at(left) || is_joiner_at(left));
}

void space_words(std::string_view text, std::string& out) {
    out.clear();
    out.reserve(text.size() + text.size() / 4);
    std::vector<std::uint32_t> ends;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = run_end(text, at);
        if (end == at) {
            std::size_t const size = decode(text, at).size;
            out += text.substr(at, size);
            at += size;
            continue;
        }
        std::string_view const run = text.substr(at, end - at);
        if (at > 0) {
            decoded const before = decode_before(text, at);
            out += is_word_at(before) || is_joiner_at(before) ? " " : "";
        }
        break_words(run, ends);
        std::uint32_t begin = 0;
        for (std::uint32_t const word_end : ends) {
            out += begin > 0 ? " " : "";
            out += run.substr(begin, word_end - begin);
            begin = word_end;
        }
        out += end < text.size() && is_word_at(decode(text, end)) ? " " : "";
        at = end;
    }
}

}  // namespace optgap::rubrics
