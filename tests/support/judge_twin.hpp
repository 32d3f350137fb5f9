#pragma once
// The slow reference for the reader of judgements: repeated searches of the text, with a pattern for the part between
// two tags.

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/roles/judge.hpp"

namespace optgap::twin {

inline std::vector<std::size_t> places_of(std::string const& text, std::string const& tag) {
    std::vector<std::size_t> out;
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + 1)) {
        out.push_back(at);
    }
    return out;
}

inline std::string in_small_letters(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    return text;
}

/// Replaces bytes beyond ASCII by letters, as \w and \b treat them in a pattern over text.
inline std::string as_letters(std::string text) {
    for (char& c : text) {
        c = (c & 0x80) != 0 ? 'x' : c;
    }
    return text;
}

inline judgement read_strictly(std::string const& text, std::vector<std::size_t> const& opens,
                               std::vector<std::size_t> const& closes) {
    judgement out;
    out.code = code_no_score;
    if (opens.size() > 1 || closes.size() > 1) {
        out.code = opens.empty() || closes.empty() ? code_no_score : code_several_scores;
        return out;
    }
    if (opens.empty() || closes.empty() || closes[0] < opens[0] + 7) {
        return out;
    }
    std::string const inside = text.substr(opens[0] + 7, closes[0] - opens[0] - 7);
    static std::regex const whole("[ \\t\\r\\n]*(-?(0|[1-9][0-9]*))[ \\t\\r\\n]*");
    std::smatch found;
    if (std::regex_match(inside, found, whole)) {
        std::string const digits = found[1];
        bool const in_range = digits == "10" || (digits.size() == 1 && digits != "0");
        out.code = in_range ? std::int32_t(code_ok) : std::int32_t(code_score_out_of_range);
        out.value = in_range ? double(std::stoi(digits) - 1) / 9.0 : out.value;
        out.span.begin = std::int64_t(opens[0] + 7) + found.position(1);
        out.span.end = out.span.begin + found.length(1);
    }
    return out;
}

inline judgement read_as_repository(std::string const& text) {
    static std::regex const fraction("\\b([0-9]+)/([0-9]+)\\b"), decimal("\\b([0-9]+\\.[0-9]+)\\b"),
        integer("\\b([0-9]+)\\b");
    judgement out;
    out.code = code_no_score;
    out.value = 0.5;
    std::string const small = in_small_letters(text);
    for (std::size_t at = 0;;) {
        std::size_t const open = small.find("<score>", at);
        std::size_t const close = open == std::string::npos ? open : small.find("</score>", open);
        if (close == std::string::npos) {
            return out;
        }
        std::string const inside = as_letters(text.substr(open + 7, close - open - 7));
        std::smatch found;
        double number = -1;
        if (std::regex_search(inside, found, fraction)) {
            double const below = std::stod(found[2]);
            number = below == 0 ? -1 : std::stod(found[1]) / below;
        } else if (std::regex_search(inside, found, decimal) || std::regex_search(inside, found, integer)) {
            number = std::stod(found[1]);
        }
        if (number >= 0) {
            out.code = code_ok;
            out.value = std::min(1.0, std::max(0.0, (number - 1) / 9.0));
            out.span = {std::int64_t(open + 7), std::int64_t(close)};
            return out;
        }
        at = close + 8;
    }
}

/// For texts whose numbers between tags have at most 300 digits.
inline judgement read_judgement(std::string_view given, score_parser by) {
    std::string const text(given);
    auto const opens = places_of(text, "<score>"), closes = places_of(text, "</score>");
    judgement out = by == score_parser::strict ? read_strictly(text, opens, closes) : read_as_repository(text);
    bool const paired = opens.size() == closes.size() && !opens.empty();
    out.form = !paired || out.code != code_ok ? 0 : opens.size() == 1 ? 1 : 0.5;
    return out;
}

}  // namespace optgap::twin
