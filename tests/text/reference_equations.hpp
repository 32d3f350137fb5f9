#pragma once
// The slow, simple reference for equations of numbers: "925 * 49 = 45325".

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_numbers.hpp"
#include "tests/text/reference_words.hpp"

namespace optgap::text_reference {

/// Numbers as texts of digits, the slow way.
inline std::string natural_text(std::string const& text) {
    std::size_t const first = text.find_first_not_of('0');
    return first == std::string::npos ? "" : text.substr(first);
}
inline std::string natural_sum(std::string a, std::string b) {
    std::string out;
    int carry = 0;
    while (!a.empty() || !b.empty() || carry > 0) {
        for (std::string* each : {&a, &b}) {
            carry += each->empty() ? 0 : each->back() - '0';
            each->resize(each->empty() ? 0 : each->size() - 1);
        }
        out.insert(0, 1, char('0' + carry % 10));
        carry /= 10;
    }
    return natural_text(out);
}
inline std::string natural_product(std::string const& a, std::string const& b) {
    std::string out;
    for (char const digit : b) {
        out += out.empty() ? "" : "0";
        for (int k = 0; k < digit - '0'; ++k) {
            out = natural_sum(out, a);
        }
    }
    return natural_text(out);
}

/// Reads "925 * 49 - 3" into its positive and negative terms.
struct side_parser {
    std::string text;
    std::string plus{}, minus{};

    char sign() {
        text = trim(text);
        for (auto const& [written, meaning] : std::vector<std::pair<std::string, char>>{{"+", '+'},
                                                                                        {"-", '-'},
                                                                                        {"\u2013", '-'},
                                                                                        {"*", '*'},
                                                                                        {"x", '*'},
                                                                                        {"X", '*'},
                                                                                        {"\u00D7", '*'},
                                                                                        {"\u00B7", '*'},
                                                                                        {"\u22C5", '*'},
                                                                                        {"\u2217", '*'},
                                                                                        {"\\times", '*'},
                                                                                        {"\\cdot", '*'},
                                                                                        {"/", '/'},
                                                                                        {"\u00F7", '/'},
                                                                                        {"\\div", '/'}}) {
            if (starts_with(text, 0, written)) {
                text.erase(0, written.size());
                return meaning;
            }
        }
        return '\0';
    }
    bool number(std::string& value) {
        text = trim(text);
        std::size_t size = 0;
        while (size < text.size() &&
               (one_of(text[size], digits) ||
                (one_of(text[size], ", ") && size + 1 < text.size() && one_of(text[size + 1], digits)))) {
            ++size;
        }
        number_parser parser{text.substr(0, size)};
        std::vector<std::int32_t> const block = parser.read(bare_number::digits);
        value.clear();
        for (std::size_t i = 1; i < block.size(); ++i) {
            value += char('0' + block[i]);
        }
        value = natural_text(value);
        text.erase(0, size);
        return parser.code == code_ok;
    }
    bool read() {
        std::string term;
        if (!number(term)) {
            return false;
        }
        for (bool negative = false;;) {
            std::string factor;
            bool const ended = trim(text).empty();
            char const next = ended ? '+' : sign();
            if (next == '*') {
                if (!number(factor)) {
                    return false;
                }
                term = natural_product(term, factor);
                continue;
            }
            (negative ? minus : plus) = natural_sum(negative ? minus : plus, term);
            if (ended) {
                return true;
            }
            negative = next == '-';
            if ((next != '+' && next != '-') || !number(term)) {
                return false;
            }
        }
    }
};

/// The block of an equation whose last side is a number; nullopt where it is false.
inline std::optional<std::vector<std::int32_t>> equation_block(std::string const& text, bare_number rule,
                                                               bool swapped = false) {
    std::vector<std::string> sides = split(text, "=");
    if (sides.size() > 1 && text.size() > 2048) {
        return std::nullopt;
    }
    std::string last = trim(sides.back());
    if (starts_with(last, 0, "+") && last.size() > 1 && one_of(last[1], digits)) {
        last.erase(0, 1);
    }
    std::size_t const point = last.find('.');
    if (point != std::string::npos && point > 0 && one_of(last[point - 1], digits) && point + 1 < last.size() &&
        last.find_first_not_of('0', point + 1) == std::string::npos) {
        last.resize(point);
    }
    number_parser parser{last};
    std::vector<std::int32_t> block = parser.read(rule);
    if (parser.code != code_ok && sides.size() > 1 && !swapped) {
        std::size_t const sign = text.find('=');
        if (trim(text.substr(sign + 1)).empty()) {
            return std::nullopt;
        }
        return equation_block(text.substr(sign + 1) + "=" + text.substr(0, sign), rule, true);
    }
    if (parser.code != code_ok) {
        return std::nullopt;
    }
    std::vector<std::string> rows;
    for (auto const& row : parser.rows) {
        rows.emplace_back();
        for (std::int32_t const digit : row) {
            rows.back() += char('0' + digit);
        }
        rows.back() = natural_text(rows.back());
    }
    sides.pop_back();
    bool first = true;
    for (std::string const& each : sides) {
        if (std::exchange(first, false) && trim(each).empty()) {
            continue;
        }
        side_parser side{each};
        if (rule == bare_number::digit_rows) {
            std::string over, under;
            if (!side.number(over) || side.sign() != '/' || !side.number(under) || !trim(side.text).empty() ||
                rows.empty() || rows.size() > 2 ||
                over != natural_sum(natural_product(under, rows[0]), rows.size() > 1 ? rows[1] : "")) {
                return std::nullopt;
            }
            continue;
        }
        bool const negative = rule == bare_number::single && block[1] < 0;
        std::string const value = rule == bare_number::single
                                      ? natural_text(std::to_string(negative ? -std::int64_t(block[1]) : block[1]))
                                      : rows[0];
        if (!side.read() ||
            (negative ? side.minus != natural_sum(side.plus, value) : side.plus != natural_sum(side.minus, value))) {
            return std::nullopt;
        }
    }
    return block;
}

}  // namespace optgap::text_reference
