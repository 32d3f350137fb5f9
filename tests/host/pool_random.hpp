#pragma once
// Random entries and outcomes of a pool.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "host/pool/entry.hpp"
#include "optgap/status.hpp"

namespace optgap::pool_tests {

/// An entry that no engine knows, since a pool's arithmetic reads no words. One in three is a problem that others add,
/// too.
inline pool::entry random_entry(std::mt19937_64& draws) {
    pool::entry out;
    out.task = draws() % 2 == 0 ? "tsp" : "knapsack";
    out.canonical = {0, draws() % 3 == 0 ? draws() % 16 : draws()};
    out.words = {std::int32_t(draws() % 1000), std::int32_t(draws() % 3)};
    out.objective = std::int64_t(draws() % 100);
    out.answer = {-1, 0, 1};
    out.budget = 100;
    return out;
}

inline std::vector<pool::outcome> random_outcomes(std::mt19937_64& draws, std::int64_t entries, std::int64_t count) {
    std::vector<pool::outcome> out;
    for (std::int64_t i = 0; i < count && entries > 0; ++i) {
        auto const quality = std::int64_t(draws() % (pool::whole_quality + 1));
        out.push_back(
            pool::outcome_of(std::int64_t(draws() % std::uint64_t(entries)), quality == pool::whole_quality, quality));
    }
    return out;
}

/// The message of a call that refuses something.
template <class Call>
std::string refusal(Call const& call) {
    try {
        call();
    } catch (error const& said) {
        return said.what();
    }
    return "nothing was refused";
}

}  // namespace optgap::pool_tests
