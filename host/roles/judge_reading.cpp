// Reads the scores that judges write, in one pass over the text.

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "host/parse/byte_search.hpp"
#include "optgap/roles/judge.hpp"

namespace optgap {
namespace {

constexpr std::string_view score_open = "<score>", score_close = "</score>";

/// The beginnings of a tag, in any letter case.
constexpr text::pair_filter score_tag_starts = [] {
    text::pair_filter out;
    out.add({0xFF, '<', text::any_case, 'S'});
    out.add({0xFF, '<', 0xFF, '/'});
    return out;
}();

bool score_digit(char c) { return c >= '0' && c <= '9'; }
bool score_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
/// Whether a character is matched by \w in a pattern over text. Any byte beyond ASCII may be part of a letter.
bool score_word(char c) {
    return score_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool same_letter(char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && char(a + ('a' - 'A')) == b); }

/// Whether `tag` stands at `at`, in any letter case.
bool stands_at(std::string_view text, std::size_t at, std::string_view tag) {
    return text.size() - at >= tag.size() && std::equal(tag.begin(), tag.end(), text.begin() + std::ptrdiff_t(at),
                                                        [](char own, char read) { return same_letter(read, own); });
}

double tag_form(std::size_t opens, std::size_t closes) {
    return opens != closes || opens == 0 ? 0 : opens == 1 ? 1 : 0.5;
}

/// Returns the end of a run of digits from `at`.
std::size_t score_digits_end(std::string_view text, std::size_t at) {
    while (at < text.size() && score_digit(text[at])) {
        ++at;
    }
    return at;
}
double decimal_of(std::string_view digits) { return std::strtod(std::string(digits).c_str(), nullptr); }

enum class number_shape { fraction, decimal, integer };
/// Finds the first number of this number_shape with word boundaries at both ends. The value is NaN for a fraction whose
/// denominator is 0. Returns false where there is none.
bool find_score_number(std::string_view text, number_shape wanted, double& value) {
    for (std::size_t at = 0; at < text.size();) {
        if (!score_digit(text[at])) {
            ++at;
            continue;
        }
        std::size_t const end = score_digits_end(text, at);
        bool const begins = at == 0 || !score_word(text[at - 1]);
        std::size_t last = end;
        if (wanted != number_shape::integer) {
            char const mark = wanted == number_shape::fraction ? '/' : '.';
            last = end < text.size() && text[end] == mark ? score_digits_end(text, end + 1) : end;
            if (last <= end + 1) {
                at = end;
                continue;
            }
        }
        if (begins && (last == text.size() || !score_word(text[last]))) {
            if (wanted == number_shape::fraction) {
                double const below = decimal_of(text.substr(end + 1, last - end - 1));
                value = below == 0 ? std::numeric_limits<double>::quiet_NaN()
                                   : decimal_of(text.substr(at, end - at)) / below;
            } else {
                value = decimal_of(text.substr(at, last - at));
            }
            return true;
        }
        at = end;
    }
    return false;
}

/// Reads the text between two tags as the authors' repository does. Returns false where there is no number.
bool read_pair(std::string_view text, std::size_t begin, std::size_t end, judgement& out) {
    std::string_view const inside = text.substr(begin, end - begin);
    double number = 0;
    bool const found = find_score_number(inside, number_shape::fraction, number) ||
                       find_score_number(inside, number_shape::decimal, number) ||
                       find_score_number(inside, number_shape::integer, number);
    if (!found || number != number) {
        return false;
    }
    out.value = std::clamp((number - 1) / 9.0, 0.0, 1.0);
    out.code = code_ok;
    out.span = {std::int64_t(begin), std::int64_t(end)};
    return true;
}

/// Reads the text between the only two tags.
void read_integer(std::string_view text, std::size_t begin, std::size_t end, judgement& out) {
    while (begin < end && score_blank(text[begin])) {
        ++begin;
    }
    while (end > begin && score_blank(text[end - 1])) {
        --end;
    }
    std::string_view const inside = text.substr(begin, end - begin);
    std::string_view const digits = inside.substr(inside.starts_with('-') ? 1 : 0);
    if (digits.empty() || score_digits_end(digits, 0) != digits.size() || (digits.size() > 1 && digits[0] == '0')) {
        return;
    }
    std::int32_t const score = inside.size() > 2 || digits.size() != inside.size() ? 0 : std::stoi(std::string(inside));
    out.span = {std::int64_t(begin), std::int64_t(end)};
    out.code = score < 1 || score > judge_scores ? std::int32_t(code_score_out_of_range) : std::int32_t(code_ok);
    if (out.code == code_ok) {
        out.value = double(score - 1) / 9.0;
    }
}

}  // namespace

judgement read_judgement(std::string_view text, score_parser by) {
    constexpr std::size_t nowhere = text::no_position;
    bool const strict = by == score_parser::strict;
    judgement out;
    out.code = code_no_score;
    out.value = strict ? out.value : 0.5;
    std::size_t opens = 0, closes = 0;                        // exact tags
    std::size_t begin = nowhere, end = nowhere;               // of the text between the first exact tags
    std::size_t pair = nowhere;                               // in any letter case: after the first open one
    text::forward_candidates starts(text, score_tag_starts);  // candidates for both tags, and for others
    for (std::size_t at = starts.next(); at != text::no_position; at = starts.next()) {
        bool const closing = text[at + 1] == '/';
        std::string_view const tag = closing ? score_close : score_open;
        if (!stands_at(text, at, tag)) {
            continue;
        }
        if (text.substr(at, tag.size()) == tag) {
            ++(closing ? closes : opens);
            std::size_t& first = closing ? end : begin;
            first = first == nowhere ? (closing ? at : at + tag.size()) : first;
        }
        if (!closing) {
            pair = pair == nowhere ? at + tag.size() : pair;
        } else if (pair != nowhere) {
            if (!strict && out.code != code_ok) {
                read_pair(text, pair, at, out);
            }
            pair = nowhere;
        }
    }
    if (strict && opens > 0 && closes > 0) {
        out.code = opens > 1 || closes > 1 ? std::int32_t(code_several_scores) : out.code;
        if (opens == 1 && closes == 1 && begin <= end) {
            read_integer(text, begin, end, out);
        }
    }
    out.form = out.code == code_ok ? tag_form(opens, closes) : 0;
    return out;
}

}  // namespace optgap
