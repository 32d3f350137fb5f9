#pragma once
// Oracle for division, written from README.md.

#include <algorithm>
#include <string>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::division {

/// Numbers as digits. Of two numbers without leading 0 the longer one is greater.
inline bool less(std::string const& a, std::string const& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

inline std::string difference(std::string a, std::string const& b) {
    for (std::size_t k = 1, borrow = 0; k <= a.size(); ++k) {
        char const taken = char((k <= b.size() ? b[b.size() - k] - '0' : 0) + int(borrow));
        char& digit = a[a.size() - k];
        borrow = digit - '0' < taken ? 1 : 0;
        digit = char(digit - taken + (borrow != 0 ? 10 : 0));
    }
    return a.substr(std::min(a.find_first_not_of('0'), a.size() - 1));
}

/// Subtracts b · 10^k as often as possible, for k from the largest down.
inline std::array<std::string, 2> quotient_and_rest(std::span<std::int32_t const> words) {
    std::string rest;
    std::string divisor;
    for (std::size_t i = 0; i < std::size_t(words[0] + words[1]); ++i) {
        (i < std::size_t(words[0]) ? rest : divisor) += char('0' + words[2 + i]);
    }
    std::string quotient;
    for (std::size_t zeros = rest.size(); zeros-- > 0;) {
        std::string const multiple = divisor + std::string(zeros, '0');
        char digit = '0';
        for (; !less(rest, multiple); rest = difference(rest, multiple)) {
            ++digit;
        }
        quotient += digit;
    }
    return {quotient.substr(std::min(quotient.find_first_not_of('0'), quotient.size() - 1)), rest};
}

inline std::string text_of(std::vector<std::int32_t> const& digits) {
    std::string text;
    for (std::int32_t const digit : digits) {
        text += char('0' + digit);
    }
    return text;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    answer_lists const answer(answer_block);
    std::array<std::string, 2> const truth = quotient_and_rest(instance);
    auto const most = std::int64_t(truth[0].size() + truth[1].size());
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, most);
    }
    if (answer.values.empty() && answer.rows.empty()) {
        return worst(code_empty, most);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, most);
    }
    if (answer.rows.size() != 2 || answer.rows[0].empty() || answer.rows[1].empty()) {
        return worst(code_wrong_length, most);
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (answer.values[i] < 0 || answer.values[i] > 9) {
            return worst(code_out_of_range, most, std::int32_t(i));
        }
    }
    std::int64_t right = 0;
    for (std::size_t r = 0; r < 2; ++r) {
        std::string const number = text_of(answer.rows[r]);
        if (number.size() == truth[r].size()) {
            right += std::ranges::mismatch(number, truth[r]).in1 - number.begin();
        }
        if (number != truth[r]) {
            break;
        }
    }
    return {code_ok, -1, right, 0, most};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    std::array<std::string, 2> const truth = quotient_and_rest(instance);
    return std::int64_t(truth[0].size() + truth[1].size());
}

}  // namespace optgap::reference::division
