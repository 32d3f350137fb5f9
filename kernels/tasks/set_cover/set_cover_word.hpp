#pragma once
// Minimum set cover of at most 64 elements by at most 64 sets, one machine word a set.
//
// Branch and bound on the elements: for the open element with the fewest sets, some set that contains it must be taken.
// A set whose branch is done is banned from the later ones. Before the search, elements contained in only one set are
// covered by it; sets inside other sets are removed, and so are elements whose sets include all sets of another
// element.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"
#include "kernels/tasks/set_cover/set_cover_prices.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

struct cover_result {
    std::int64_t size = 0;   ///< of the best cover found; 0: the union misses an element
    std::int64_t bound = 0;  ///< no cover is smaller
    std::int64_t steps = 0;
    bool priced = false;  ///< the bound comes from prices, otherwise from packing
};

/// price_unit / g, rounded down.
struct price_table {
    std::int32_t price[65];
};
[[nodiscard]] OPTGAP_HD constexpr price_table make_prices() {
    price_table table{};
    for (std::int32_t g = 1; g <= 64; ++g) {
        table.price[g] = std::int32_t(price_unit / g);
    }
    return table;
}

/// The rest of an instance after reductions.
struct word_cover {
    std::uint64_t row[64];     ///< elements of a set
    std::uint64_t column[64];  ///< sets of an element
    std::uint64_t near[64];    ///< elements that share a set with this one, itself included
    std::uint64_t open;        ///< elements to cover
    std::uint64_t allowed;     ///< allowed sets
    std::int32_t largest;      ///< number of elements in the largest set
};

/// The number of elements found with disjoint neighbourhoods, each of which needs a set of its own. Lowest first,
/// because these have the smallest neighbourhoods.
OPTGAP_HD inline std::int32_t packing(word_cover const& of, std::uint64_t open) {
    std::int32_t count = 0;
    while (open != 0) {
        open &= ~of.near[lowest(open)];
        ++count;
    }
    return count;
}

/// Every open element has price 1 / (largest gain of a set that contains it), so no set's total exceeds 1: a dual
/// solution.
OPTGAP_HD inline std::int32_t price_bound(word_cover const& of, std::uint64_t open, std::uint64_t allowed) {
    static constexpr price_table prices = make_prices();
    std::uint64_t with_gain[65];
    for (std::int32_t g = 0; g <= of.largest; ++g) {
        with_gain[g] = 0;
    }
    for (; allowed != 0; allowed &= allowed - 1) {
        std::uint64_t const fresh = of.row[lowest(allowed)] & open;
        with_gain[popcount(fresh)] |= fresh;
    }
    std::int32_t paid = 0;
    for (std::int32_t g = of.largest; g > 0; --g) {
        paid += popcount(with_gain[g] & open) * prices.price[g];
        open &= ~with_gain[g];
    }
    return std::int32_t(whole_sets(paid));
}

/// Takes forced sets (appended to `forced`, whose new length is returned) and removes dominated sets and elements until
/// nothing changes. Updates row, column, open and allowed; rows keep bits that are no longer open.
OPTGAP_HD inline std::int32_t reduce(word_cover& of, std::int32_t* forced) {
    std::int32_t taken = 0;
    for (bool changed = true; changed && of.open != 0;) {
        changed = false;
        std::uint64_t once = 0;
        std::uint64_t twice = 0;
        for (std::uint64_t rest = of.allowed; rest != 0; rest &= rest - 1) {
            std::uint64_t const row = of.row[lowest(rest)];
            twice |= once & row;
            once |= row;
        }
        for (std::uint64_t single = of.open & once & ~twice; single != 0; single &= of.open) {
            std::uint64_t const by = of.column[lowest(single)] & of.allowed;
            std::int32_t const j = lowest(by);
            forced[taken++] = j;
            of.open &= ~of.row[j];
            of.allowed ^= by;
        }
        for (std::uint64_t rest = of.allowed; rest != 0; rest &= rest - 1) {
            std::int32_t const j = lowest(rest);
            std::uint64_t const row = of.row[j] & of.open;
            std::uint64_t around = of.allowed & ~bit(j);
            for (std::uint64_t bits = row; bits != 0 && around != 0; bits &= bits - 1) {
                around &= of.column[lowest(bits)];
            }
            if (around != 0) {
                of.allowed ^= bit(j);
                changed = true;
            }
        }
        for (std::uint64_t rest = of.open; rest != 0; rest &= rest - 1) {
            std::int32_t const e = lowest(rest);
            std::uint64_t around = of.open & ~bit(e);
            for (std::uint64_t sets = of.column[e] & of.allowed; sets != 0 && around != 0; sets &= sets - 1) {
                around &= of.row[lowest(sets)];
            }
            // Every set that covers e also covers those.
            changed = changed || around != 0;
            of.open &= ~around;
            rest &= ~around;
        }
    }
    return taken;
}

/// Renames the open elements 0, 1, … by rising size of their neighbourhoods, so that `packing` may go by index, and
/// removes all others from the rows.
OPTGAP_HD inline void order_elements(word_cover& of) {
    std::int32_t first[66] = {};
    std::int32_t degree[64];
    for (std::uint64_t rest = of.open; rest != 0; rest &= rest - 1) {
        std::int32_t const e = lowest(rest);
        std::uint64_t near = 0;
        for (std::uint64_t sets = of.column[e] & of.allowed; sets != 0; sets &= sets - 1) {
            near |= of.row[lowest(sets)];
        }
        degree[e] = popcount(near & of.open);
        ++first[degree[e] + 1];
    }
    for (std::int32_t i = 1; i < 66; ++i) {
        first[i] += first[i - 1];
    }
    std::uint64_t column[64];
    std::int32_t const count = popcount(of.open);
    for (std::uint64_t rest = of.open; rest != 0; rest &= rest - 1) {
        std::int32_t const e = lowest(rest);
        column[first[degree[e]]++] = of.column[e] & of.allowed;
    }
    for (std::int32_t e = 0; e < 64; ++e) {
        of.column[e] = e < count ? column[e] : 0;
        of.row[e] = of.column[e];
    }
    transpose_bits(of.row);
    of.open = first_bits(count);
    for (std::int32_t e = 0; e < count; ++e) {
        of.near[e] = 0;
        for (std::uint64_t sets = of.column[e]; sets != 0; sets &= sets - 1) {
            of.near[e] |= of.row[lowest(sets)];
        }
    }
    of.largest = 0;
    for (std::uint64_t rest = of.allowed; rest != 0; rest &= rest - 1) {
        std::int32_t const size = popcount(of.row[lowest(rest)]);
        of.largest = size > of.largest ? size : of.largest;
    }
}

/// The sets among `allowed` that each cover all of `open`; 0 if there is none.
OPTGAP_HD inline std::uint64_t cover_alone(word_cover const& of, std::uint64_t open, std::uint64_t allowed) {
    for (; open != 0 && allowed != 0; open &= open - 1) {
        allowed &= of.column[lowest(open)];
    }
    return allowed;
}

/// Bits of the allowed sets that contain the open element with the fewest of them, or 0 if `limit` sets cannot cover
/// `open`.
OPTGAP_HD inline std::uint64_t branches(word_cover const& of, std::uint64_t open, std::uint64_t allowed,
                                        std::int32_t limit) {
    if (packing(of, open) > limit) {
        return 0;
    }
    std::int32_t fewest = INT32_MAX;
    for (std::uint64_t rest = open; rest != 0; rest &= rest - 1) {
        std::int32_t const e = lowest(rest);
        std::int32_t const key = popcount(of.column[e] & allowed) << 6 | e;
        fewest = key < fewest ? key : fewest;
    }
    std::uint64_t const branch = of.column[fewest & 63] & allowed;
    return branch != 0 && price_bound(of, open, allowed) <= limit ? branch : 0;
}

/// The set of `branch` (not empty) with the largest gain.
OPTGAP_HD inline std::int32_t widest(word_cover const& of, std::uint64_t branch, std::uint64_t open) {
    std::int32_t best = -1;
    for (; branch != 0; branch &= branch - 1) {
        std::int32_t const j = lowest(branch);
        std::int32_t const key = popcount(of.row[j] & open) << 6 | (63 - j);
        best = key > best ? key : best;
    }
    return 63 - (best & 63);
}

/// The greedy anchor on words; returns its size.
OPTGAP_HD inline std::int32_t greedy_word(word_cover const& of, std::int32_t s, std::int32_t* chosen) {
    std::int32_t size = 0;
    for (std::uint64_t open = of.open; open != 0;) {
        std::int32_t const j = widest(of, first_bits(s), open);
        chosen[size++] = j;
        open &= ~of.row[j];
    }
    return size;
}

/// Minimum cover of an instance with u <= 64, s <= 64 whose union is the universe; `best` has room for s. The budget
/// counts nodes, which are bounded sets of open elements; a budget of 0 gives the greedy cover.
OPTGAP_HD inline cover_result min_cover_word(cover_view sets, std::int64_t budget, std::int32_t* best) {
    word_cover of;
    of.open = first_bits(sets.u);
    of.allowed = first_bits(sets.s);
    for (std::int32_t j = 0; j < 64; ++j) {
        of.row[j] = j < sets.s ? sets.row64(j) : 0;
        of.column[j] = of.row[j];
    }
    transpose_bits(of.column);
    cover_result result;
    for (std::int32_t e = 0; e < sets.u; ++e) {
        if (of.column[e] == 0) {
            return result;
        }
    }
    result.size = greedy_word(of, sets.s, best);

    std::int32_t chosen[64];
    std::int32_t const forced = reduce(of, chosen);
    order_elements(of);
    std::int32_t const packed = packing(of, of.open);
    std::int32_t const priced = price_bound(of, of.open, of.allowed);
    result.priced = priced > packed;
    result.bound = forced + (result.priced ? priced : packed);
    if (budget <= 0 || result.bound == result.size) {
        return result;
    }
    auto const keep = [&](std::int32_t count) {
        result.size = count;
        for (std::int32_t i = 0; i < count; ++i) {
            best[i] = chosen[i];
        }
    };
    if (of.open == 0) {
        keep(forced);
        return result;
    }

    struct frame {
        std::uint64_t open, allowed, branch;
    };
    frame stack[64];
    std::int32_t depth = forced;  // sets chosen
    stack[depth] = {of.open, of.allowed, branches(of, of.open, of.allowed, std::int32_t(result.size) - 1 - depth)};
    result.steps = 1;
    while (depth >= forced && result.size > result.bound) {
        frame& at = stack[depth];
        std::int32_t const left = std::int32_t(result.size) - 2 - depth;  // sets that may follow the next one
        if (at.branch == 0 || left < 0) {
            --depth;
            continue;
        }
        std::int32_t const j = widest(of, at.branch, at.open);
        at.branch ^= bit(j);
        at.allowed ^= bit(j);
        chosen[depth] = j;
        std::uint64_t const open = at.open & ~of.row[j];
        if (open == 0) {
            keep(depth + 1);
        } else if (left == 1) {
            std::uint64_t const last = cover_alone(of, open, at.allowed);
            if (last != 0) {
                chosen[depth + 1] = lowest(last);
                keep(depth + 2);
            }
        } else if (left > 1) {
            if (result.steps >= budget) {
                return result;
            }
            ++result.steps;
            std::uint64_t const branch = branches(of, open, at.allowed, left);
            if (branch != 0) {
                stack[++depth] = {open, at.allowed, branch};
            }
        }
    }
    result.bound = result.size;
    return result;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
