#pragma once
// The slow, simple reference for numbers without brackets.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/text/reference_words.hpp"

namespace optgap::text_reference {

/// The code of numbers without brackets, and their block where it is code_ok.
struct number_parser {
    std::string text;
    std::vector<std::vector<std::int32_t>> rows{};
    int code = code_ok;

    bool fail(int why) {
        code = why;
        return false;
    }
    std::size_t digits_at(std::size_t at) const {
        std::size_t const end = text.find_first_not_of(digits, std::min(at, text.size()));
        return (end == std::string::npos ? text.size() : end) - std::min(at, text.size());
    }
    /// Reads the digits of one number, without its group separators.
    bool number(std::string& all) {
        std::size_t const head = digits_at(0);
        all = text.substr(0, head);
        text.erase(0, head);
        if (head == 0) {
            return fail(code_unparsable);
        }
        for (std::string const mark : {",", "{,}", " ", "\u00A0", "\u2009", "\u202F"}) {
            while (all.size() <= 3 && head <= 3 && starts_with(text, 0, mark) && digits_at(mark.size()) == 3) {
                std::string groups;
                while (starts_with(text, 0, mark) && digits_at(mark.size()) == 3) {
                    groups += text.substr(mark.size(), 3);
                    text.erase(0, mark.size() + 3);
                }
                all += groups;
            }
        }
        return (all.size() > 1 && all[0] == '0') || starts_with(text, 0, ".") ? fail(code_not_integer) : true;
    }
    std::string white_space() {
        std::string skipped;
        while (!text.empty() && white(text[0])) {
            skipped += text[0];
            text.erase(0, 1);
        }
        return skipped;
    }
    bool separator() {
        bool apart = white_space().find_first_of("\r\n") != std::string::npos;
        if (!text.empty() && one_of(text[0], ",;")) {
            bool const semicolon = text[0] == ';';
            text.erase(0, 1);
            apart = !white_space().empty() || semicolon || apart;
        }
        std::string const small = lowered(text);
        for (std::string const word : {"remainder", "rem", "r"}) {
            if (starts_with(small, 0, word)) {
                text.erase(0, word.size());
                white_space();
                if (!text.empty() && one_of(text[0], ":=")) {
                    text.erase(0, 1);
                }
                white_space();
                return true;
            }
        }
        return apart;
    }
    std::vector<std::int32_t> read(bare_number rule) {
        bool const negative = rule == bare_number::single && starts_with(text, 0, "-");
        text.erase(0, negative ? 1 : 0);
        std::string all;
        bool good = number(all);
        // The first violated rule of a value, in reading order.
        bool const zero = all.size() > 1 && all[0] == '0';
        if (rule == bare_number::single && !all.empty() && !zero &&
            (all.size() > 10 || (good && std::stoll(all) > INT_MAX + (negative ? 1LL : 0LL)))) {
            good = fail(code_overflow);
        }
        if (rule == bare_number::single) {
            good = good && (text.empty() || fail(code_unparsable));
            return {answer_flat, good ? std::int32_t(negative ? -std::stoll(all) : std::stoll(all)) : 0};
        }
        rows.emplace_back();
        for (;;) {
            for (char const c : all) {
                rows.back().push_back(c - '0');
            }
            if (!good || text.empty()) {
                break;
            }
            if (rule != bare_number::digit_rows || !separator()) {
                fail(code_unparsable);
                break;
            }
            rows.emplace_back();
            good = number(all);
        }
        std::vector<std::int32_t> block{rule == bare_number::digit_rows ? std::int32_t(rows.size()) : answer_flat};
        for (std::size_t r = 0; r < rows.size() && rule == bare_number::digit_rows; ++r) {
            block.push_back(std::int32_t(rows[r].size()));
        }
        for (auto const& row : rows) {
            block.insert(block.end(), row.begin(), row.end());
        }
        return block;
    }
};

}  // namespace optgap::text_reference
