#pragma once
// Lower bounds for covers of any size: integer prices on the elements. If no set's elements cost more than one unit
// together, the total price of all open elements is at most the number of sets that will cover them.

#include <cstdint>

#include "kernels/tasks/set_cover/set_cover_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

inline constexpr std::int64_t price_unit = std::int64_t(1) << 20;

/// Calls f(e) for the elements e of set j that are in `within`.
template <class Function>
OPTGAP_HD void each_element(cover_view sets, std::int32_t j, std::uint32_t const* within, Function const& function) {
    std::uint32_t const* const row = sets.row(j);
    for (std::int32_t w = 0; w < sets.row_words; ++w) {
        for (std::uint32_t bits = row[w] & within[w]; bits != 0; bits &= bits - 1) {
            function(32 * w + lowest(bits));
        }
    }
}

OPTGAP_HD inline std::int64_t price_of(cover_view sets, std::int32_t j, std::uint32_t const* within,
                                       std::int64_t const* price) {
    std::int64_t total = 0;
    each_element(sets, j, within, [&](std::int32_t e) { total += price[e]; });
    return total;
}

/// ceil(total / unit)
[[nodiscard]] OPTGAP_HD constexpr std::int64_t whole_sets(std::int64_t total) {
    return total > 0 ? (total + price_unit - 1) / price_unit : 0;
}

/// Prices 1 / (largest gain of an allowed set that contains the element); returns their total. `largest` has room for
/// u.
OPTGAP_HD inline std::int64_t even_prices(cover_view sets, std::uint32_t const* open, std::uint32_t const* allowed,
                                          std::int64_t* largest) {
    for (std::int32_t e = 0; e < sets.u; ++e) {
        largest[e] = 0;
    }
    for (std::int32_t j = 0; j < sets.s; ++j) {
        if (contains(allowed, j)) {
            std::int64_t gain = 0;
            for (std::int32_t w = 0; w < sets.row_words; ++w) {
                gain += popcount(sets.row(j)[w] & open[w]);
            }
            each_element(sets, j, open, [&](std::int32_t e) { largest[e] = gain > largest[e] ? gain : largest[e]; });
        }
    }
    std::int64_t total = 0;
    for (std::int32_t e = 0; e < sets.u; ++e) {
        largest[e] = largest[e] > 0 ? price_unit / largest[e] : 0;
        total += largest[e];
    }
    return total;
}

/// Makes prices feasible: over-priced sets scale theirs down one after the other, then elements take the slack that
/// their sets leave. `holders` is the transposed instance, `cost` has room for s. Returns the total.
OPTGAP_HD inline std::int64_t settle_prices(cover_view sets, cover_view holders, std::uint32_t const* open,
                                            std::uint32_t const* allowed, std::int64_t* price, std::int64_t* cost) {
    for (std::int32_t j = 0; j < sets.s; ++j) {
        cost[j] = price_of(sets, j, open, price);
        if (cost[j] > price_unit) {
            each_element(sets, j, open, [&](std::int32_t e) { price[e] = price[e] * price_unit / cost[j]; });
        }
    }
    for (std::int32_t j = 0; j < sets.s; ++j) {
        cost[j] = price_of(sets, j, open, price);
    }
    std::int64_t total = 0;
    for (std::int32_t e = 0; e < sets.u; ++e) {
        std::int64_t slack = price_unit;
        each_element(holders, e, allowed,
                     [&](std::int32_t j) { slack = price_unit - cost[j] < slack ? price_unit - cost[j] : slack; });
        each_element(holders, e, allowed, [&](std::int32_t j) { cost[j] += slack; });
        price[e] += slack;
        total += price[e];
    }
    return total;
}

/// Subgradient ascent (Held, Wolfe & Crowder 1974) on sum(price) + sum over sets of min(0, 1 - cost). Returns the best
/// value, which is a valid bound, and leaves its prices in `best` and the sets' costs at these prices in `best_cost`.
/// `price` holds the start prices and is overwritten; `target` is the size of a known cover.
OPTGAP_HD inline std::int64_t raise_prices(cover_view sets, std::uint32_t const* all, std::int64_t rounds,
                                           std::int64_t target, std::int64_t* price, std::int64_t* best,
                                           std::int64_t* cost, std::int64_t* best_cost, std::int64_t* change) {
    std::int64_t best_value = -1;
    std::int64_t permille = 1000;
    std::int32_t waited = 0;
    for (std::int64_t round = 0; round < rounds; ++round) {
        std::int64_t value = 0;
        for (std::int32_t e = 0; e < sets.u; ++e) {
            value += price[e];
            change[e] = 1;
        }
        for (std::int32_t j = 0; j < sets.s; ++j) {
            cost[j] = price_of(sets, j, all, price);
            if (cost[j] > price_unit) {
                value += price_unit - cost[j];
                each_element(sets, j, all, [&](std::int32_t e) { --change[e]; });
            }
        }
        if (value > best_value) {
            best_value = value;
            waited = 0;
            for (std::int32_t e = 0; e < sets.u; ++e) {
                best[e] = price[e];
            }
            for (std::int32_t j = 0; j < sets.s; ++j) {
                best_cost[j] = cost[j];
            }
        } else if (++waited == 8) {
            permille = permille * 7 / 10;
            waited = 0;
        }
        std::int64_t square = 0;
        for (std::int32_t e = 0; e < sets.u; ++e) {
            square += change[e] * change[e];
        }
        std::int64_t const gap = target * price_unit - value;
        if (square == 0 || gap <= 0 || permille == 0) {
            break;
        }
        std::int64_t const step = gap / square * permille / 1000;
        for (std::int32_t e = 0; e < sets.u; ++e) {
            price[e] += step * change[e];
            price[e] = price[e] < 0 ? 0 : price[e] > price_unit ? price_unit : price[e];
        }
    }
    return best_value;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
