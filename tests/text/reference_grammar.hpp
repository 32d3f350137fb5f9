#pragma once
// The slow, simple reference for the answer grammar: plain std::string code that shares only the published types with
// host/parse. It may be quadratic.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_equations.hpp"
#include "tests/text/reference_free.hpp"
#include "tests/text/reference_numbers.hpp"
#include "tests/text/reference_words.hpp"

namespace optgap::text_reference {

/// Reads one list of integers or of lists, or reports the first violation.
struct list_parser {
    std::string text;
    std::size_t at = 0;
    std::vector<std::int32_t> values{};
    int code = code_ok;

    bool end() const { return at >= text.size(); }
    bool fail(int why) {
        code = why;
        return false;
    }
    void white_space() {
        while (!end() && white(text[at])) {
            ++at;
        }
    }
    bool integer() {
        std::string spelled;
        if (text[at] == '-') {
            ++at;
        }
        bool const negative = at > 0 && text[at - 1] == '-';
        if (end()) {
            return fail(code_unparsable);
        }
        while (!end() && one_of(text[at], digits)) {
            spelled += text[at++];
            if (spelled.size() == 2 && spelled[0] == '0') {
                return fail(code_not_integer);
            }
            if (spelled.size() > 10) {
                return fail(code_overflow);
            }
        }
        if (spelled.empty()) {
            return fail(code_not_integer);
        }
        long long const value = std::stoll((negative ? "-" : "") + spelled);
        if (value < INT_MIN || value > INT_MAX) {
            return fail(code_overflow);
        }
        values.push_back(std::int32_t(value));
        return true;
    }
    /// `at` is at an opening bracket. Fills the lengths of the lists inside; `holds_lists` is set when there are any.
    bool list(int depth, std::vector<std::int32_t>& lengths, bool& holds_lists) {
        if (depth > 2) {
            return fail(code_bad_depth);
        }
        char const close = text[at++] == '[' ? ']' : ')';
        int integers = 0;
        for (;;) {
            white_space();
            if (end()) {
                return fail(code_unparsable);
            }
            char const c = text[at];
            if (c == close) {
                ++at;
                return true;
            }
            if (c == '[' || c == '(') {
                if (integers > 0) {
                    return fail(code_bad_depth);
                }
                holds_lists = true;
                std::size_t const before = values.size();
                bool deeper = false;
                std::vector<std::int32_t> ignored;
                if (!list(depth + 1, ignored, deeper)) {
                    return false;
                }
                lengths.push_back(std::int32_t(values.size() - before));
            } else if (c == ']' || c == ')' || c == ',') {
                return fail(code_unparsable);
            } else if (c == '-' || one_of(c, digits)) {
                if (holds_lists) {
                    return fail(code_bad_depth);
                }
                ++integers;
                if (!integer()) {
                    return false;
                }
            } else {
                return fail(code_not_integer);
            }
            white_space();
            if (end()) {
                return fail(code_unparsable);
            }
            char const next = text[at++];
            if (next == close) {
                return true;
            }
            if (next != ',') {
                return fail(holds_lists || one_of(next, "[]()") ? code_unparsable : code_not_integer);
            }
        }
    }
};

/// `kept`: bytes that are not wraps.
inline std::string strip_back(std::string text, std::vector<std::string> const& ends, std::string const& kept = "") {
    std::vector<std::string> marks{"`", "**", "__", "$", "\\)"};
    for (std::string const& token : ends) {
        marks.push_back(token);
    }
    int stops = 0;
    for (bool changed = true; changed;) {
        changed = false;
        text = trim(" " + text);
        if (!text.empty() && one_of(text.back(), kept)) {
            return text;
        }
        for (std::string const& mark : marks) {
            if (ends_with(text, mark)) {
                text.resize(text.size() - mark.size());
                changed = true;
                break;
            }
        }
        if (!changed && stops == 0 && ends_with(text, ".")) {
            text.pop_back();
            ++stops;
            changed = true;
        }
    }
    return text;
}

inline int word_index(std::string const& text, std::vector<std::string> const& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (lowered(text) == words[k]) {
            return int(k);
        }
    }
    return -1;
}

inline std::string strip_front(std::string text, std::vector<std::string> const& words, std::string const& kept = "") {
    for (;;) {
        while (!text.empty() && white(text.front())) {
            text.erase(0, 1);
        }
        if (!text.empty() && one_of(text[0], kept)) {
            return text;
        }
        if (starts_with(text, 0, "```")) {
            text.erase(0, 3);
            std::string const line = text.substr(0, text.find_first_of("\r\n"));
            std::string language = line;
            while (!language.empty() && one_of(language.back(), " \t")) {
                language.pop_back();
            }
            bool const closed = text.find_first_of("\r\n") != std::string::npos;
            bool const plain = language.find_first_not_of(letters + digits + "+-#._") == std::string::npos;
            if (closed && plain && !language.empty() && language.size() <= 64 && one_of(language[0], letters) &&
                word_index(language, words) < 0 && language.find_first_not_of(kept) != std::string::npos) {
                text.erase(0, line.size());
            }
            continue;
        }
        bool found = false;
        for (std::string const mark : {"`", "**", "__", "$", "\\("}) {
            if (!found && starts_with(text, 0, mark)) {
                text.erase(0, mark.size());
                found = true;
            }
        }
        if (!found) {
            return text;
        }
    }
}

/// Words of a label that withdraw what follows.
inline std::string const retractions =
    "discarded draft false guess incorrect infeasible invalid maybe never not perhaps possibly probably rejected "
    "unsure "
    "wrong";

inline std::string strip_label(std::string const& text) {
    if (text.empty() || !one_of(text[0], letters)) {
        return text;
    }
    std::size_t size = text.find_first_not_of(letters + digits + " _-");
    size = std::min<std::size_t>(size == std::string::npos ? text.size() : size, 64);
    std::string rest = text.substr(size);
    for (;;) {
        if (starts_with(rest, 0, "**")) {
            rest.erase(0, 2);
        } else if (!rest.empty() && one_of(rest[0], "`$ ")) {
            rest.erase(0, 1);
        } else {
            break;
        }
    }
    bool const taken_back = has_one_of(text.substr(0, size), retractions);
    return !rest.empty() && one_of(rest[0], ":=") && !taken_back ? rest.substr(1) : text;
}

inline result failed(parsed_text parsed, int code, int where = -1) {
    parsed.answer_code = code;
    parsed.where = where;
    return {parsed, {-1}};
}

/// A list of integers or one of the words, without the spellings of prose and LaTeX.
inline result list_answer(std::string const& text, std::vector<std::string> const& words,
                          std::vector<std::string> const& ends) {
    parsed_text parsed;
    std::size_t begin = 0;
    while (begin < text.size() && white(text[begin])) {
        ++begin;
    }
    parsed.answer = {std::int64_t(begin), std::int64_t(begin + trim(text).size())};
    std::string const value = strip_front(strip_label(strip_front(strip_back(text, ends), words)), words);
    if (value.empty()) {
        return failed(parsed, code_empty);
    }
    if (!one_of(value[0], "[(")) {
        int const word = word_index(value, words);
        return word < 0 ? failed(parsed, code_unparsable) : result{parsed, {-2, word}};
    }
    list_parser parser{value};
    std::vector<std::int32_t> lengths;
    bool rows = false;
    if (!parser.list(1, lengths, rows)) {
        return failed(parsed, parser.code, int(parser.values.size()));
    }
    bool const outer = rows;
    std::vector<std::int32_t> tops{std::int32_t(parser.values.size())};
    for (;;) {
        std::size_t const from = parser.at;
        parser.white_space();
        std::string const gap = value.substr(from, parser.at - from);
        bool separated = gap.find_first_of("\r\n") != std::string::npos;
        if (parser.end()) {
            break;
        }
        if (value[parser.at] == ',') {
            separated = true;
            ++parser.at;
            parser.white_space();
            if (parser.end() && tops.size() > 1) {
                break;
            }
        }
        if (!separated || parser.end() || !one_of(value[parser.at], "[(")) {
            return failed(parsed, code_unparsable);
        }
        std::size_t const before = parser.values.size();
        if (outer) {
            return failed(parsed, code_bad_depth, int(before));
        }
        std::vector<std::int32_t> ignored;
        bool deeper = false;
        if (!parser.list(2, ignored, deeper)) {
            return failed(parsed, parser.code, int(parser.values.size()));
        }
        tops.push_back(std::int32_t(parser.values.size() - before));
    }
    if (tops.size() > 1) {
        rows = true;
        lengths = tops;
    }
    std::vector<std::int32_t> block{rows ? std::int32_t(lengths.size()) : -1};
    if (rows) {
        block.insert(block.end(), lengths.begin(), lengths.end());
    }
    block.insert(block.end(), parser.values.begin(), parser.values.end());
    return {parsed, block};
}

/// The same for a task whose answers may be letters or expressions.
inline result strict_answer(std::string const& text, std::vector<std::string> const& words,
                            std::vector<std::string> const& ends, answer_syntax const& syntax, bool free = false) {
    result const list = list_answer(text, words, ends);
    auto const accepted = [&](std::vector<std::int32_t> const& block) {
        result good{list.parsed, block};
        good.parsed.answer_code = code_ok;
        good.parsed.where = -1;
        return good;
    };
    auto const bare = [&](std::string const& kept) {
        return strip_front(strip_label(strip_front(strip_back(text, ends, kept), words, kept)), words, kept);
    };
    if (syntax.alphabet != nullptr) {
        std::string const word = bare(letters_of(syntax));
        std::optional<std::vector<std::int32_t>> const block = letters_block(word, syntax);
        if (block && word_index(word, words) < 0) {
            return accepted(*block);
        }
    }
    if (syntax.numbers != bare_number::none && list.parsed.answer_code == code_unparsable) {
        number_parser parser{bare("")};
        if (!one_of(parser.text[0], "[(")) {
            std::vector<std::int32_t> const block = parser.read(syntax.numbers);
            return parser.code == code_ok ? accepted(block) : failed(list.parsed, parser.code);
        }
    }
    if (syntax.expressions && list.parsed.answer_code != code_ok && list.parsed.answer_code != code_empty) {
        std::string const value = bare("");
        expression_parser parser{value, free};
        parser.read();
        if (parser.code == code_ok) {
            return accepted(parser.block);
        }
        if (value[0] != '[') {
            return failed(list.parsed, parser.code);
        }
    }
    return list;
}

inline result answer(std::string const& text, std::vector<std::string> const& words,
                     spelling_rule spelling = spelling_rule::strict,
                     std::vector<std::string> const& ends = {end_of_turn_strings().begin(),
                                                             end_of_turn_strings().end()},
                     answer_syntax const& syntax = {}) {
    result strict = strict_answer(text, words, ends, syntax);
    if (spelling == spelling_rule::strict || strict.parsed.answer_code == code_ok ||
        strict.parsed.answer_code == code_empty) {
        return strict;
    }
    std::string const kept = syntax.alphabet != nullptr ? letters_of(syntax) : "";
    std::string const plain = free_spelling(strip_back(text, ends, kept), syntax);
    result freely = strict_answer(plain, words, {}, syntax, true);
    freely.parsed.answer = strict.parsed.answer;
    if (freely.parsed.answer_code == code_ok) {
        return freely;
    }
    if (syntax.numbers != bare_number::none) {
        std::string const number = strip_front(strip_label(strip_front(strip_back(plain, {}), words)), words);
        if (auto const block = equation_block(number, syntax.numbers)) {
            strict.parsed.answer_code = code_ok;
            strict.parsed.where = -1;
            return {strict.parsed, *block};
        }
    }
    return strict;
}

}  // namespace optgap::text_reference
