#pragma once
// Oracle for euclid_game, written from README.md: values by the definition, move by move, if that is feasible.

#include <algorithm>
#include <map>

#include "tests/support/reference_rules.hpp"

namespace optgap::reference::euclid_game {

using values = std::vector<std::int64_t>;

/// Values of the pairs (rest, lesser), (rest + lesser, lesser), …, (greater, lesser). They follow the definition,
/// except that a long tail of them, which no move's value in the list reaches, is counted on.
inline values chain(std::int64_t greater, std::int64_t lesser) {
    if (lesser == 0) {
        return {0};
    }
    values out{chain(lesser, greater % lesser).back()};
    std::set<std::int64_t> seen{out[0]};
    std::int64_t least = 0;
    for (std::int64_t made = greater % lesser + lesser; made <= greater; made += lesser) {
        while (seen.contains(least)) {
            seen.erase(least++);
        }
        out.push_back(least);
        seen.insert(least);
    }
    return out;
}

inline values answer_of(std::span<std::int32_t const> words) {
    values out;
    std::vector<values> chains;
    std::int64_t sum = 0;
    for (std::size_t at = 1; at < 1 + 2 * std::size_t(words[0]); at += 2) {
        chains.push_back(chain(std::max(words[at], words[at + 1]), std::min(words[at], words[at + 1])));
        out.push_back(chains.back().back());
        sum ^= out.back();
    }
    for (std::size_t i = 0; i < chains.size() && sum != 0; ++i) {
        values const& own = chains[i];
        for (std::size_t j = 0; j + 1 < own.size(); ++j) {
            if (own[j] == (own.back() ^ sum)) {
                out.insert(out.end(), {std::int64_t(i) + 1, std::int64_t(own.size() - 1 - j)});
                return out;
            }
        }
    }
    out.insert(out.end(), {0, 0});
    return out;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    values const truth = answer_of(instance);
    answer_lists const answer(answer_block);
    if (auto const broken = broken_numbers(answer, truth.size(), 0, 1'000'000'000)) {
        return *broken;
    }
    std::int64_t right = 0;
    while (std::size_t(right) < truth.size() && answer.values[std::size_t(right)] == truth[std::size_t(right)]) {
        ++right;
    }
    return {code_ok, -1, right, 0, std::int64_t(truth.size())};
}

inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) { return instance[0] + 2; }

}  // namespace optgap::reference::euclid_game
