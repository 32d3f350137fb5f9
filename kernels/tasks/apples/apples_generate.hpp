#pragma once
// Instances of apples: the sizes of a level, and random prices computed with integers only.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/tasks/apples/apples_ledger.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::apples {

// Purposes of random words.
inline constexpr std::uint32_t draw_rates = 0;
inline constexpr std::uint32_t draw_prices = 1;

struct orchard_sizes {
    std::int32_t turns;
    std::int32_t kinds;
    std::int32_t levels;

    [[nodiscard]] OPTGAP_HD std::int64_t words() const { return 4 + kinds + 2 * std::int64_t(kinds) * levels; }
};

/// Steps 0 to 3 are small enough to try all runs; step 48 is as large as the benchmark level.
OPTGAP_HD inline orchard_sizes sizes_of(difficulty level) {
    if (!level.on_scale()) {
        orchard_sizes const named[] = {{40, 3, 2}, {120, 5, 3}, {300, 8, 4}, {500, 10, 4}};
        return named[level.level()];
    }
    std::int32_t const d = level.code < 100'000 ? level.code : 100'000;
    if (d < 4) {
        return {5 + d, 4, 2};
    }
    auto const between = [](std::int32_t least, std::int32_t value, std::int32_t most) {
        return value < least ? least : value < most ? value : most;
    };
    return {between(1, 40 + 10 * d, max_turns), between(5, 2 + d / 6, 20), between(2, 2 + d / 20, max_levels)};
}

/// 10^u with u = word / 2^15 below 2, in units of 2^-32: for each of the word's sixteen bits a factor 10^(2^(k - 15)),
/// each product rounded down.
OPTGAP_HD inline std::uint64_t power_of_ten(std::uint32_t word) {
    constexpr std::uint64_t factor[16] = {4295269111, 4295570947, 4296174683,  4297382410, 4299798883, 4304635904,
                                          4314326278, 4333772518, 4372928347,  4452304526, 4615405479, 4959750858,
                                          5727430940, 7637651909, 13581879131, 42949672960};
    std::uint64_t product = std::uint64_t(1) << 32;
    for (std::int32_t bit = 0; bit < 16; ++bit) {
        if ((word >> bit & 1u) != 0) {
            product = std::uint64_t((uint128(product) * factor[bit]) >> 32);
        }
    }
    return product;
}
/// round(base · 10^u), halves up.
OPTGAP_HD inline std::uint64_t times_power(std::uint64_t base, std::uint32_t word) {
    return std::uint64_t((uint128(base) * power_of_ten(word) + (std::uint64_t(1) << 31)) >> 32);
}

/// Rates are 1 and round(10^u), in order. The price of (0, 0) is 1, that of others round(rate · 500^level · 10^u). Each
/// u is drawn separately, uniform in [0, 2).
template <class Team>
OPTGAP_HD void generate_orchard(Team& team, draw source, orchard_sizes sizes, std::int32_t* words) {
    std::int32_t* const rates = words + 4;
    std::int32_t* const high = rates + sizes.kinds;
    std::int32_t* const low = high + sizes.kinds * sizes.levels;
    if (team.rank() == 0) {
        words[0] = sizes.turns;
        words[1] = 1;
        words[2] = sizes.kinds;
        words[3] = sizes.levels;
        rates[0] = 1;
        for (std::int32_t j = 1; j < sizes.kinds; ++j) {
            auto const rate = std::int32_t(times_power(1, random_word(source, draw_rates, std::uint32_t(j)) >> 16));
            std::int32_t at = j;
            for (; rates[at - 1] > rate; --at) {
                rates[at] = rates[at - 1];
            }
            rates[at] = rate;
        }
    }
    team.sync();
    team.each(std::int64_t(sizes.kinds) * sizes.levels, [&](std::int64_t machine) {
        auto base = std::uint64_t(rates[machine % sizes.kinds]);
        for (std::int32_t level = std::int32_t(machine / sizes.kinds); level > 0; --level) {
            base *= 500;
        }
        std::uint64_t const price =
            machine == 0 ? 1 : times_power(base, random_word(source, draw_prices, std::uint32_t(machine)) >> 16);
        high[machine] = std::int32_t(price / std::uint64_t(price_unit));
        low[machine] = std::int32_t(price % std::uint64_t(price_unit));
    });
    team.sync();
}

}  // namespace tasks::apples
OPTGAP_KERNELS_END
