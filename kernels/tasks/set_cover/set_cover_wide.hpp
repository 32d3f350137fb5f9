#pragma once
// Minimum set cover of any size: the search of set_cover_word.hpp on rows of words, with prices from the root as its
// first bound. Memory is linear in the rows: a path through the search is stored as counts and a trail, not as sets.

#include <cstdint>

#include "kernels/tasks/set_cover/set_cover_greedy.hpp"
#include "kernels/tasks/set_cover/set_cover_moves.hpp"
#include "kernels/tasks/set_cover/set_cover_prices.hpp"
#include "kernels/tasks/set_cover/set_cover_word.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

inline constexpr std::int64_t walk_steps = 20'000;
inline constexpr std::int64_t price_rounds = 300;

/// The lesser of `wanted` and the number of passes over `words` words that take about a second.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t affordable(std::int64_t wanted, std::int64_t words) {
    std::int64_t const most = (std::int64_t(1) << 28) / words;
    return most < wanted ? most + 1 : wanted;
}

/// Steps that a node costs: about one for each 512 words that it reads.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t node_steps(std::int64_t u, std::int64_t s) {
    return 1 + (u * bitset_words(s) + s * bitset_words(u)) / 512;
}

/// A search's state. Sets may be banned; elements are open as long as no chosen set contains them.
struct wide_search {
    cover_view sets;
    cover_view holders;  ///< the transposed instance: row e holds the sets that contain element e
    std::int64_t* price;
    std::int64_t* even;      ///< u, for even_prices
    std::uint32_t* columns;  ///< storage of `holders`
    std::uint32_t* open;
    std::uint32_t* allowed;
    std::int32_t* count;    ///< size u: chosen sets that contain the element
    std::int32_t* banned;   ///< trail of the sets that are not allowed
    std::int32_t* chosen;   ///< by depth
    std::int32_t* branch;   ///< by depth, the element that the next set must contain
    std::int32_t* mark;     ///< by depth, length of the trail on arrival
    std::int64_t owed = 0;  ///< price of all open elements
    std::int32_t bans = 0;
    std::int64_t left = 0;  ///< number of open elements

    /// An even number, because int64 may follow.
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t u, std::int64_t s) {
        std::int64_t const words = 8 * u + 3 + s + u * bitset_words(s) + bitset_words(u) + bitset_words(s);
        return words + words % 2;
    }
};

OPTGAP_HD inline void choose_set(wide_search& at, std::int32_t j) {
    std::uint32_t const* const row = at.sets.row(j);
    for (std::int32_t w = 0; w < at.sets.row_words; ++w) {
        for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const e = 32 * w + lowest(bits);
            if (at.count[e]++ == 0) {
                at.owed -= at.price[e];
                --at.left;
                at.open[w] ^= bits & (~bits + 1);
            }
        }
    }
}

OPTGAP_HD inline void drop_set(wide_search& at, std::int32_t j) {
    std::uint32_t const* const row = at.sets.row(j);
    for (std::int32_t w = 0; w < at.sets.row_words; ++w) {
        for (std::uint32_t bits = row[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const e = 32 * w + lowest(bits);
            if (--at.count[e] == 0) {
                at.owed += at.price[e];
                ++at.left;
                at.open[w] ^= bits & (~bits + 1);
            }
        }
    }
}

OPTGAP_HD inline void ban(wide_search& at, std::int32_t j) {
    at.allowed[j >> 5] ^= 1u << (j & 31);
    at.banned[at.bans++] = j;
}

/// The open element with the fewest allowed sets, or -1 if `limit` sets cannot cover the open elements.
OPTGAP_HD inline std::int32_t branch_element(wide_search const& at, std::int64_t limit) {
    std::int32_t fewest = INT32_MAX;
    std::int32_t found = -1;
    for (std::int32_t w = 0; w < at.sets.row_words; ++w) {
        for (std::uint32_t bits = at.open[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const e = 32 * w + lowest(bits);
            std::uint32_t const* const column = at.holders.row(e);
            std::int32_t count = 0;
            for (std::int32_t k = 0; k < at.holders.row_words; ++k) {
                count += popcount(column[k] & at.allowed[k]);
            }
            if (count < fewest) {
                fewest = count;
                found = e;
            }
        }
    }
    if (fewest == 0) {
        return -1;
    }
    return whole_sets(even_prices(at.sets, at.open, at.allowed, at.even)) > limit ? -1 : found;
}

/// The allowed set with the largest gain that contains element e, ties by lowest id; -1 if there is none.
OPTGAP_HD inline std::int32_t widest(wide_search const& at, std::int32_t e) {
    std::int32_t most = 0;
    std::int32_t found = -1;
    each_element(at.holders, e, at.allowed, [&](std::int32_t j) {
        std::int32_t gain = 0;
        for (std::int32_t w = 0; w < at.sets.row_words; ++w) {
            gain += popcount(at.sets.row(j)[w] & at.open[w]);
        }
        if (gain > most) {
            most = gain;
            found = j;
        }
    });
    return found;
}

OPTGAP_HD inline wide_search begin_search(cover_view sets, std::int32_t* scratch) {
    std::int64_t const u = sets.u;
    wide_search at{};
    at.sets = sets;
    at.price = reinterpret_cast<std::int64_t*>(scratch);
    at.even = at.price + u;
    at.columns = reinterpret_cast<std::uint32_t*>(at.even + u);
    at.holders = {at.columns, sets.s, sets.u, std::int32_t(bitset_words(sets.s))};
    at.open = at.columns + u * at.holders.row_words;
    at.allowed = at.open + sets.row_words;
    at.count = reinterpret_cast<std::int32_t*>(at.allowed + at.holders.row_words);
    at.banned = at.count + u;
    at.chosen = at.banned + sets.s;
    at.branch = at.chosen + u + 1;
    at.mark = at.branch + u + 1;
    solo team;
    team.each(u * at.holders.row_words, [&](std::int64_t i) { at.columns[i] = 0; });
    team.each(sets.row_words, [&](std::int64_t w) { at.open[w] = universe_word(sets.u, w); });
    team.each(at.holders.row_words, [&](std::int64_t w) { at.allowed[w] = universe_word(sets.s, w); });
    team.each(u, [&](std::int64_t e) { at.count[e] = 0; });
    for (std::int32_t j = 0; j < sets.s; ++j) {
        each_element(sets, j, at.open, [&](std::int32_t e) {
            at.columns[std::int64_t(e) * at.holders.row_words + (j >> 5)] |= 1u << (j & 31);
        });
    }
    at.left = u;
    return at;
}

/// Memory for the prices at the root.
struct price_memory {
    std::int64_t* price;  ///< u
    std::int64_t* cost;   ///< size s: the total of the elements of a set at `price`
    std::int64_t* spare;  ///< s

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t u, std::int64_t s) {
        return 2 * u + 4 * s;
    }
};

/// Permanently bans the sets that no cover of less than `size` can contain, where `value` is the bound from the raised
/// prices, and computes from these the prices of the search. Returns their bound.
OPTGAP_HD inline std::int64_t begin_prices(wide_search& at, price_memory const& raised, std::int64_t value,
                                           std::int64_t size) {
    for (std::int32_t e = 0; e < at.sets.u; ++e) {
        at.price[e] = raised.price[e];
    }
    for (std::int32_t j = 0; j < at.sets.s; ++j) {
        if (raised.cost[j] < price_unit && whole_sets(value + price_unit - raised.cost[j]) >= size) {
            ban(at, j);
        }
    }
    at.owed = settle_prices(at.sets, at.holders, at.open, at.allowed, at.price, raised.spare);
    return whole_sets(at.owed);
}

OPTGAP_HD constexpr std::int64_t wide_scratch_words(std::int64_t u, std::int64_t s) {
    return wide_search::scratch_words(u, s) + price_memory::scratch_words(u, s) + walk::scratch_words(u, s);
}

/// Minimum cover; `best` has room for s. A budget of 0 gives the greedy cover and the bound of even prices. Otherwise
/// the bound of the raised prices and local search from the greedy cover come first. They cost no budget, so that a
/// larger budget continues the same search.
OPTGAP_HD inline cover_result min_cover_wide(cover_view sets, std::int64_t budget, std::int32_t* best,
                                             std::int32_t* scratch) {
    solo team;
    cover_result result;
    result.priced = true;
    result.size = greedy_cover(team, sets, best, scratch);
    if (result.size == 0) {
        return result;
    }
    wide_search at = begin_search(sets, scratch);
    result.bound = whole_sets(even_prices(sets, at.open, at.allowed, at.price));
    if (budget <= 0 || result.bound == result.size) {
        return result;
    }
    std::int64_t const words = std::int64_t(sets.s) * sets.row_words;
    auto* const memory = reinterpret_cast<std::int64_t*>(scratch + wide_search::scratch_words(sets.u, sets.s));
    price_memory const raised{memory, memory + sets.u, memory + sets.u + sets.s};
    std::int64_t const value = raise_prices(sets, at.open, affordable(price_rounds, 8 * words), result.size, at.price,
                                            raised.price, raised.spare, raised.cost, at.even);
    auto const raise_bound = [&](std::int64_t bound) {
        bound = bound < result.size ? bound : result.size;
        result.bound = bound > result.bound ? bound : result.bound;
    };
    raise_bound(whole_sets(value));
    if (result.bound < result.size) {
        result.size = walk_from(team, sets, best, result.size, {}, {0, affordable(walk_steps, words)}, result.bound,
                                draw{}, reinterpret_cast<std::int32_t*>(raised.spare + sets.s))
                          .objective;
    }
    if (result.bound < result.size) {
        raise_bound(begin_prices(at, raised, value, result.size));
    }
    if (result.bound == result.size) {
        return result;
    }

    std::int64_t const cost_of_node = node_steps(sets.u, sets.s);
    if (cost_of_node > budget) {
        return result;
    }
    std::int32_t depth = 0;
    at.mark[0] = at.bans;
    at.branch[0] = branch_element(at, result.size - 1);
    result.steps = cost_of_node;
    while (true) {
        std::int32_t const j = at.branch[depth] >= 0 && depth + 1 < result.size ? widest(at, at.branch[depth]) : -1;
        if (j < 0) {
            while (at.bans > at.mark[depth]) {
                std::int32_t const back = at.banned[--at.bans];
                at.allowed[back >> 5] ^= 1u << (back & 31);
            }
            if (depth == 0) {
                break;
            }
            drop_set(at, at.chosen[--depth]);
            continue;
        }
        ban(at, j);
        at.chosen[depth] = j;
        choose_set(at, j);
        std::int64_t const limit = result.size - 2 - depth;  // sets that may follow
        if (at.left == 0) {
            result.size = depth + 1;
            for (std::int32_t i = 0; i <= depth; ++i) {
                best[i] = at.chosen[i];
            }
            if (result.size == result.bound) {
                return result;
            }
        }
        if (at.left == 0 || limit < 1 || whole_sets(at.owed) > limit) {
            drop_set(at, j);
            continue;
        }
        if (result.steps + cost_of_node > budget) {
            return result;
        }
        result.steps += cost_of_node;
        std::int32_t const next = branch_element(at, limit);
        if (next < 0) {
            drop_set(at, j);
            continue;
        }
        ++depth;
        at.branch[depth] = next;
        at.mark[depth] = at.bans;
    }
    result.bound = result.size;
    return result;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
