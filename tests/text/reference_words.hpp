#pragma once
// The slow, simple references for answers in letters and expressions, and the shared part of all references for the
// grammar. Plain std::string code that shares only the published types with host/parse.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "optgap/answer.hpp"
#include "optgap/format.hpp"

namespace optgap::text_reference {

struct result {
    parsed_text parsed;
    std::vector<std::int32_t> block;
};

/// A reader's result for a text, as one comparable string.
inline std::string reading_of(parsed_text const& parsed, std::vector<std::int32_t> const& block) {
    std::string out = std::to_string(parsed.answer_code) + " at " + std::to_string(parsed.where) + " span " +
                      std::to_string(parsed.answer.begin) + ".." + std::to_string(parsed.answer.end) + " block";
    for (std::int32_t const each : block) {
        out += " " + std::to_string(each);
    }
    return out;
}

inline bool starts_with(std::string const& text, std::size_t at, std::string const& what) {
    return !what.empty() && text.compare(at, what.size(), what) == 0;
}
inline bool ends_with(std::string const& text, std::string const& what) {
    return text.size() >= what.size() && text.compare(text.size() - what.size(), what.size(), what) == 0;
}
inline bool white(char c) { return std::string(" \t\r\n").find(c) != std::string::npos; }
inline bool one_of(char c, std::string const& set) { return set.find(c) != std::string::npos; }
inline std::string trim(std::string text) {
    while (!text.empty() && white(text.front())) {
        text.erase(0, 1);
    }
    while (!text.empty() && white(text.back())) {
        text.pop_back();
    }
    return text;
}
inline std::string lowered(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    return text;
}

inline std::string const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline std::string const digits = "0123456789";

inline std::string upper_case(std::string text) {
    for (char& c : text) {
        c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    }
    return text;
}

/// All bytes that are letters. An alphabet in one case includes the other case.
inline std::string letters_of(answer_syntax const& syntax) {
    std::string const own = syntax.alphabet;
    bool const one_case = own == lowered(own) || own == upper_case(own);
    return one_case ? own + lowered(own) + upper_case(own) : own;
}

inline std::int32_t letter_value(char c, answer_syntax const& syntax) {
    std::string const own = syntax.alphabet;
    std::size_t at = own.find(c);
    for (std::size_t k = 0; at == std::string::npos && k < own.size(); ++k) {
        at = lowered(own.substr(k, 1)) == lowered(std::string(1, c)) ? k : at;
    }
    return syntax.first_letter + std::int32_t(at);
}

inline std::vector<std::string> split(std::string const& text, std::string const& at) {
    std::vector<std::string> parts{""};
    for (char const c : text) {
        one_of(c, at) ? parts.push_back("") : parts.back().push_back(c);
    }
    return parts;
}

/// The items of a list in brackets, with their quotes; nullopt where it is no such list.
inline std::optional<std::vector<std::string>> bracketed_items(std::string const& text, std::string const& letters) {
    std::string const close = text[0] == '[' ? "]" : ")";
    std::string const inside = trim(text.substr(1));
    if (inside.empty() || one_of(inside[0], digits + "-") || !one_of(inside[0], letters + "\"'") ||
        !ends_with(inside, close)) {
        return std::nullopt;
    }
    std::vector<std::string> items{""};
    char quote = 0;
    for (char const c : inside.substr(0, inside.size() - 1)) {
        if (quote == 0 && c == ',') {
            items.push_back("");
            continue;
        }
        quote = quote == 0 && one_of(c, "\"'") ? c : quote == c ? 0 : quote;
        items.back().push_back(c);
    }
    if (items.size() > 1 && trim(items.back()).empty()) {
        items.pop_back();
    }
    return items;
}

/// The block of a word; nullopt where the text is none.
inline std::optional<std::vector<std::int32_t>> letters_block(std::string const& text, answer_syntax const& syntax) {
    std::string const letters = letters_of(syntax);
    if (text.empty()) {
        return std::nullopt;
    }
    bool const list = one_of(text[0], "[(");
    std::vector<std::string> pieces = split(text, "\r\n");
    if (list) {
        auto const items = bracketed_items(text, letters);
        if (!items) {
            return std::nullopt;
        }
        pieces = *items;
    }
    std::vector<std::vector<std::int32_t>> rows;
    std::string whole;  // every piece's letters and commas, to find numbers in it
    std::vector<std::string> doubtful;
    for (std::string piece : pieces) {
        piece = trim(piece);
        if (piece.empty() && !list) {
            continue;
        }
        std::string blanks = list ? " \t\r\n" : " \t";
        bool behind = false;
        if (!piece.empty() && one_of(piece[0], "\"'")) {
            behind = !list && piece.back() == ',';
            piece = behind ? trim(piece.substr(0, piece.size() - 1)) : piece;
            if (piece.size() < 2 || piece.back() != piece[0]) {
                return std::nullopt;
            }
            piece = piece.substr(1, piece.size() - 2);
            blanks = " \t";
        }
        if (piece.find_first_not_of(letters + blanks + ",") != std::string::npos) {
            return std::nullopt;
        }
        std::vector<std::string> groups = split(piece, ",");
        for (std::size_t k = 0; k < groups.size(); ++k) {
            bool const blank = groups[k].find_first_not_of(blanks) == std::string::npos;
            if (blank && (k == 0 || k + 1 < groups.size())) {
                return std::nullopt;
            }
        }
        rows.emplace_back();
        for (char const c : piece) {
            if (one_of(c, letters)) {
                rows.back().push_back(letter_value(c, syntax));
            }
        }
        whole += piece + (behind ? "," : "") + " ";
        doubtful.push_back(piece);
    }
    if (!list && !syntax.letter_rows) {
        doubtful = {whole};
    }
    for (std::string const& one : doubtful) {
        bool number = false;
        for (std::size_t i = 1; i < one.size(); ++i) {
            number |= one_of(one[i], digits) && one_of(one[i - 1], digits);
        }
        std::size_t const comma = one.find(',');
        if (number && comma != std::string::npos && one.find_first_of(letters, comma) != std::string::npos) {
            return std::nullopt;
        }
    }
    std::vector<std::int32_t> block{syntax.letter_rows ? std::int32_t(rows.size()) : answer_flat};
    for (std::size_t r = 0; r < rows.size() && syntax.letter_rows; ++r) {
        block.push_back(std::int32_t(rows[r].size()));
    }
    for (auto const& row : rows) {
        block.insert(block.end(), row.begin(), row.end());
    }
    return block;
}

/// A recursive descent parser over a text with unified spellings.
struct expression_parser {
    std::string text;
    bool free = false;
    std::vector<std::int32_t> block{answer_flat};
    int code = code_ok;
    int depth = 0;
    bool bracketed = false;  // the last operand ended with a bracket

    /// + - * / ( [ { ) ] } = digits, F for a fraction; '?' for anything else.
    static std::string plain(std::string const& text) {
        static std::vector<std::pair<std::regex, std::string>> const rules = [] {
            std::vector<std::pair<std::regex, std::string>> all;
            auto const add = [&](char const* what, char const* instead) {
                all.emplace_back(std::regex(what), instead);
            };
            add(R"(\\(?:times|cdot|ast)(?![A-Za-z])|\xC3\x97|\xC2\xB7|\xE2\x8B\x85|\xE2\x88\x97|[*xX])", "*");
            add(R"(\\div(?![A-Za-z])|\xC3\xB7|/)", "/");
            add(R"(\xE2\x88\x92|\xE2\x80\x93|-)", "-");
            add(R"(\\[dt]?frac(?![A-Za-z]))", "F");
            add(R"(\\(?:left|right|bigl|bigr|big|quad|qquad)(?![A-Za-z])|\\[,;:! ]|[ \t\r\n])", " ");
            add(R"(\\?\{)", "{");
            add(R"(\\?\})", "}");
            return all;
        }();
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            std::smatch found;
            bool read = false;
            for (auto const& [what, instead] : rules) {
                if (!read && std::regex_search(text.begin() + std::ptrdiff_t(i), text.end(), found, what,
                                               std::regex_constants::match_continuous)) {
                    read = true;
                    out += instead;
                    i += std::size_t(found.length());
                }
            }
            if (!read) {
                out += one_of(text[i], "+()[]=." + digits) ? text[i] : '?';
                ++i;
            }
        }
        return out;
    }

    bool fail(int why) {
        code = code == code_ok ? why : code;
        return false;
    }
    char next() {
        text = text.substr(std::min(text.find_first_not_of(' '), text.size()));
        return text.empty() ? '\0' : text[0];
    }
    bool take(char c) {
        if (next() != c) {
            return fail(code_unparsable);
        }
        text.erase(0, 1);
        return true;
    }
    bool too_long() { return block.size() > 4097; }
    bool integer() {
        std::size_t const size = std::min(text.find_first_not_of(digits), text.size());
        std::string const number = text.substr(0, size);
        if (size == 0) {
            return fail(code_unparsable);
        }
        if (size > 1 && number[0] == '0') {
            return fail(code_not_integer);
        }
        if (size > 10 || std::stoll(number) > INT_MAX) {
            return fail(code_overflow);
        }
        text.erase(0, size);
        block.push_back(std::int32_t(std::stoll(number)));
        if (!text.empty() && text[0] == '.') {
            return fail(code_not_integer);
        }
        return !too_long() || fail(code_overflow);
    }
    bool inside(char open) {
        char const close = open == '(' ? ')' : open == '[' ? ']' : '}';
        if (!take(open)) {
            return false;
        }
        if (++depth > 64) {
            return fail(code_bad_depth);
        }
        bool const right = sum() && take(close);
        --depth;
        return right;
    }
    bool operand() {
        char const c = next();
        bracketed = false;
        if (c == 'F') {
            text.erase(0, 1);
            if (!inside('{') || !inside('{')) {
                return false;
            }
            block.push_back(sign_over);
            bracketed = true;
            return true;
        }
        if (!one_of(c, "([{") || c == 0) {
            return integer();
        }
        bool const right = inside(c);
        bracketed = true;
        return right;
    }
    /// Whether a multiplication sign is left out before c.
    bool left_out(char c) const { return free && (c == '(' || (bracketed && c != 0 && one_of(c, digits))); }
    bool product() {
        if (!operand()) {
            return false;
        }
        for (char c = next(); c == '*' || c == '/' || left_out(c); c = next()) {
            text.erase(0, c == '*' || c == '/' ? 1 : 0);
            if (!operand()) {
                return false;
            }
            block.push_back(c == '/' ? sign_over : sign_times);
        }
        return true;
    }
    bool sum() {
        if (!product()) {
            return false;
        }
        for (char c = next(); c == '+' || c == '-'; c = next()) {
            text.erase(0, 1);
            if (!product()) {
                return false;
            }
            block.push_back(c == '+' ? sign_plus : sign_minus);
        }
        return true;
    }
    /// Whether the block has the value of an integer written as "- 24".
    bool is_worth(std::string written) {
        std::erase(written, ' ');
        __extension__ using wide = __int128;
        std::vector<std::pair<wide, wide>> stack;  // fractions without common factors
        for (std::size_t i = 1; i < block.size(); ++i) {
            if (block[i] >= 0) {
                stack.push_back({block[i], 1});
                continue;
            }
            auto const [c, d] = stack.back();
            stack.pop_back();
            auto const [a, b] = stack.back();
            wide over = 0, under = 0, left = 0, right = 0;
            bool const sum = block[i] == sign_plus || block[i] == sign_minus;
            bool large = sum ? __builtin_mul_overflow(a, d, &left) || __builtin_mul_overflow(c, b, &right) ||
                                   __builtin_mul_overflow(b, d, &under)
                             : __builtin_mul_overflow(a, block[i] == sign_times ? c : d, &over) ||
                                   __builtin_mul_overflow(b, block[i] == sign_times ? d : c, &under);
            large = large || (block[i] == sign_plus && __builtin_add_overflow(left, right, &over)) ||
                    (block[i] == sign_minus && __builtin_sub_overflow(left, right, &over));
            if (large || under == 0) {
                return false;
            }
            wide unit = over < 0 ? -over : over;
            for (wide rest = under < 0 ? -under : under; rest != 0;) {
                unit = std::exchange(rest, unit % rest);
            }
            unit = under < 0 ? -unit : unit;
            stack.back() = {over / unit, under / unit};
        }
        return stack.back().second == 1 && stack.back().first == std::stoll(written);
    }
    void read() {
        text = plain(text);
        std::smatch before;
        static std::regex const front(R"(^ *((?:- *)?[0-9]{1,18}) *=)");
        std::string const head = text.substr(0, 4096);  // std::regex recurses
        bool const behind = free && std::regex_search(head, before, front);
        std::string const value = behind ? before[1].str() : "";
        text.erase(0, behind ? std::size_t(before.length()) : 0);
        if (!sum()) {
            return;
        }
        static std::regex const rest(R"( *(?:= *((?:- *)?[0-9]{1,18}) *)?)");
        std::smatch found;
        if (!std::regex_match(text, found, rest) || (found[1].matched && !is_worth(found[1])) ||
            (behind && !is_worth(value))) {
            fail(code_unparsable);
        } else if (too_long()) {
            fail(code_overflow);
        }
    }
};

}  // namespace optgap::text_reference
