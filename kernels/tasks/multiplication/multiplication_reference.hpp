#pragma once
// Oracle for multiplication, written from README.md.

#include <algorithm>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::multiplication {

/// Digits of a number, the last one first.
using digits = std::vector<std::int32_t>;

inline digits sum(digits const& a, digits const& b) {
    digits out;
    std::int32_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
        carry += (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0);
        out.push_back(carry % 10);
        carry /= 10;
    }
    return out;
}

/// Adds a, shifted to the place of each digit of b, as often as the digit says: no table of products.
inline digits product(std::span<std::int32_t const> words) {
    auto const a_digits = std::ptrdiff_t(words[0]);
    auto const b_digits = std::ptrdiff_t(words[1]);
    digits const a(words.rend() - 2 - a_digits, words.rend() - 2);
    digits const b(words.rend() - 2 - a_digits - b_digits, words.rend() - 2 - a_digits);
    digits out;
    for (std::size_t place = 0; place < b.size(); ++place) {
        digits shifted(place, 0);
        shifted.insert(shifted.end(), a.begin(), a.end());
        for (std::int32_t times = 0; times < b[place]; ++times) {
            out = sum(out, shifted);
        }
    }
    while (!out.empty() && out.back() == 0) {
        out.pop_back();
    }
    return out.empty() ? digits{0} : out;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    digits const truth = product(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_numbers(answer, truth.size(), 0, 9)) {
        return *broken;
    }
    std::int64_t right = 0;
    while (std::size_t(right) < truth.size() &&
           answer.values[truth.size() - 1 - std::size_t(right)] == truth[std::size_t(right)]) {
        ++right;
    }
    return {code_ok, -1, right, 0, std::int64_t(truth.size())};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    return std::int64_t(product(instance).size());
}

}  // namespace optgap::reference::multiplication
