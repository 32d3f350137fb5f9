#include "optgap/roles/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "optgap/proposals/proposal.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

constexpr std::string_view score_open = "<score>", score_close = "</score>";

bool score_digit(char c) { return c >= '0' && c <= '9'; }
bool score_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
/// As \w of a pattern over text: any byte that is not ASCII may be part of a letter.
bool score_word(char c) {
    return score_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool same_letter(char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && char(a + ('a' - 'A')) == b); }

std::size_t tags_in(std::string_view text, std::string_view tag) {
    std::size_t found = 0;
    for (std::size_t at = text.find(tag); at != std::string_view::npos; at = text.find(tag, at + tag.size())) {
        ++found;
    }
    return found;
}

double tag_form(std::size_t opens, std::size_t closes) {
    return opens != closes || opens == 0 ? 0 : opens == 1 ? 1 : 0.5;
}

/// Of the first place of `tag`, in any letter case, at or behind `from`.
std::size_t find_any_case(std::string_view text, std::string_view tag, std::size_t from) {
    for (std::size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1)) {
        if (text.size() - at >= tag.size() && std::equal(tag.begin(), tag.end(), text.begin() + std::ptrdiff_t(at),
                                                         [](char own, char read) { return same_letter(read, own); })) {
            return at;
        }
    }
    return std::string_view::npos;
}

/// A run of digits from `at`; its end.
std::size_t score_digits_end(std::string_view text, std::size_t at) {
    while (at < text.size() && score_digit(text[at])) {
        ++at;
    }
    return at;
}
double decimal_of(std::string_view digits) { return std::strtod(std::string(digits).c_str(), nullptr); }

enum class number_shape { fraction, decimal, integer };
/// The first number of this number_shape with word boundaries at both ends: its value, NaN for a fraction with no
/// denominator; false where there is none.
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

judgement read_as_repository(std::string_view text) {
    judgement out;
    out.value = 0.5;
    out.code = code_no_score;
    std::size_t at = 0;
    while (out.code != code_ok) {
        std::size_t const open = find_any_case(text, score_open, at);
        std::size_t const begin = open == std::string_view::npos ? open : open + score_open.size();
        std::size_t const end = open == std::string_view::npos ? open : find_any_case(text, score_close, begin);
        if (end == std::string_view::npos) {
            break;
        }
        std::string_view const inside = text.substr(begin, end - begin);
        double number = 0;
        bool const found = find_score_number(inside, number_shape::fraction, number) ||
                           find_score_number(inside, number_shape::decimal, number) ||
                           find_score_number(inside, number_shape::integer, number);
        if (found && number == number) {
            out.value = std::clamp((number - 1) / 9.0, 0.0, 1.0);
            out.code = code_ok;
            out.span = {std::int64_t(begin), std::int64_t(end)};
        }
        at = end + score_close.size();
    }
    return out;
}

judgement read_strictly(std::string_view text, std::size_t opens, std::size_t closes) {
    judgement out;
    if (opens == 0 || closes == 0) {
        out.code = code_no_score;
        return out;
    }
    if (opens > 1 || closes > 1) {
        out.code = code_several_scores;
        return out;
    }
    std::size_t begin = text.find(score_open) + score_open.size();
    std::size_t end = text.find(score_close);
    out.code = code_no_score;
    if (end < begin) {
        return out;
    }
    while (begin < end && score_blank(text[begin])) {
        ++begin;
    }
    while (end > begin && score_blank(text[end - 1])) {
        --end;
    }
    std::string_view const inside = text.substr(begin, end - begin);
    std::string_view const digits = inside.substr(inside.starts_with('-') ? 1 : 0);
    if (digits.empty() || score_digits_end(digits, 0) != digits.size() || (digits.size() > 1 && digits[0] == '0')) {
        return out;
    }
    std::int32_t const score = inside.size() > 2 || digits.size() != inside.size() ? 0 : std::stoi(std::string(inside));
    out.span = {std::int64_t(begin), std::int64_t(end)};
    out.code = score < 1 || score > judge_scores ? std::int32_t(code_score_out_of_range) : std::int32_t(code_ok);
    if (out.code == code_ok) {
        out.value = double(score - 1) / 9.0;
    }
    return out;
}

template <class Value, std::size_t N>
Value name_place(char const* what, std::string_view name, std::string_view const (&names)[N]) {
    std::string all;
    for (std::size_t k = 0; k < N; ++k) {
        if (names[k] == name) {
            return Value(k);
        }
        all += (k == 0 ? "" : ", ") + std::string(names[k]);
    }
    throw error(status::invalid_argument, std::string(what) + ": \"" + std::string(name) + "\" is not one of " + all);
}

}  // namespace

judgement read_judgement(std::string_view text, score_parser by) {
    std::size_t const opens = tags_in(text, score_open), closes = tags_in(text, score_close);
    judgement out = by == score_parser::strict ? read_strictly(text, opens, closes) : read_as_repository(text);
    out.form = tag_form(opens, closes);
    return out;
}

std::int32_t band_of(double value) {
    double const score = 1 + 9 * value;
    return score < 3.5 ? 0 : score < 7.5 ? 1 : 2;
}

judge_truth truth_of_answer(bool feasible, bool optimal, bool proven, double normalized) {
    if (!feasible) {
        return {0, 0.0};
    }
    if (optimal) {
        return {2, 1.0};
    }
    if (!proven) {
        return {};
    }
    return {1, (1 + std::clamp(normalized, 0.0, 1.0)) / 3};
}

judge_truth truth_of_question(std::int32_t code) {
    switch (code) {
        case code_ok: return {2, 1.0};
        case code_trivial:
        case code_near_duplicate: return {1, 0.5};
        case code_proposal_not_run: return {};
        default: return {0, 0.0};
    }
}

judge_reward judge_reward_named(std::string_view name) {
    constexpr std::string_view names[] = {"format", "band", "brier", "pairs"};
    return name_place<judge_reward>("judge", name, names);
}

score_parser score_parser_named(std::string_view name) {
    constexpr std::string_view names[] = {"strict", "mae_repo"};
    return name_place<score_parser>("parser", name, names);
}

}  // namespace optgap
