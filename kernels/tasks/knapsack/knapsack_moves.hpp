#pragma once
// Local search: put one item in, or swap one for another, always the best such move, ties by smallest index. From a
// local optimum a kick forces two randomly drawn items into the best known selection and drops others until it fits.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/knapsack/knapsack_instance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::knapsack {

inline constexpr std::uint32_t purpose_kick = 0;  ///< block k: where the two forced items and the dropping start

/// A selection under search. `offer` is an item's value if it is out, and -1 if it is in.
struct selection {
    std::int32_t* taken;
    std::int32_t* offer;
    std::int64_t weight;
    std::int64_t value;
    std::int64_t size;
};

/// The best move: `drop` (all.count for none) leaves, `add` enters. If gain <= 0, no move improves.
struct exchange {
    std::int64_t gain;
    std::int32_t drop;
    std::int32_t add;
};

/// Evaluates all (size + 1) · (count - size) moves; lanes share the rows, one for each item that may leave.
template <class Team>
OPTGAP_HD exchange best_exchange(Team& team, items const& all, selection const& now) {
    std::int64_t const free_room = all.capacity - now.weight;
    std::int64_t best_gain = INT64_MIN;
    std::int32_t best_drop = 0;
    std::int32_t best_offer = -1;
    for (std::int32_t i = team.rank(); i <= all.count; i += team.size()) {
        bool const insertion = i == all.count;
        if (!insertion && now.taken[i] == 0) {
            continue;
        }
        auto const room = std::int32_t(free_room + (insertion ? 0 : all.weight[i]));
        std::int32_t best = -1;
        std::int32_t const* const weights = all.weight;
        std::int32_t const* const offers = now.offer;
        std::int32_t const count = all.count;
        for (std::int32_t j = 0; j < count; ++j) {
            std::int32_t const offer = offers[j] | -std::int32_t(weights[j] > room);  // too heavy: all ones, -1
            best = offer > best ? offer : best;
        }
        std::int64_t const gain = best - std::int64_t(insertion ? 0 : all.value[i]);
        if (best >= 0 && gain > best_gain) {
            best_gain = gain;
            best_drop = i;
            best_offer = best;
        }
    }
    ranked const winner = team.max_by(best_gain, best_drop);
    std::int32_t add = 0;
    if (best_gain > 0 && best_drop == winner.index) {
        std::int64_t const room = free_room + (best_drop == all.count ? 0 : all.weight[best_drop]);
        while (now.offer[add] != best_offer || all.weight[add] > room) {
            ++add;
        }
    }
    return {winner.key, winner.index, team.broadcast(add, winner.index % team.size())};
}

OPTGAP_HD inline void put_in(items const& all, selection& now, std::int32_t i) {
    now.taken[i] = 1;
    now.offer[i] = -1;
    now.weight += all.weight[i];
    now.value += all.value[i];
    ++now.size;
}

OPTGAP_HD inline void take_out(items const& all, selection& now, std::int32_t i) {
    now.taken[i] = 0;
    now.offer[i] = all.value[i];
    now.weight -= all.weight[i];
    now.value -= all.value[i];
    --now.size;
}

/// Broadcasts the numbers after one lane has changed the selection.
template <class Team>
OPTGAP_HD void share(Team& team, selection& now) {
    team.sync();
    now.weight = team.broadcast(now.weight);
    now.value = team.broadcast(now.value);
    now.size = team.broadcast(now.size);
}

/// Forces up to two items in, and drops others in cyclic order until the rest fits. Called by one lane, O(count).
OPTGAP_HD inline void kick(items const& all, selection& now, philox_block const& words) {
    std::int32_t const last = all.count - 1;
    for (int forced = 0; forced < 2; ++forced) {
        std::int32_t add = to_range(words.word[2 * forced], 0, last);
        std::int32_t seen = 0;
        while (seen < all.count && (now.taken[add] != 0 || all.weight[add] > all.capacity)) {
            add = add == last ? 0 : add + 1;
            ++seen;
        }
        if (seen == all.count) {
            return;
        }
        put_in(all, now, add);
        std::int32_t drop = to_range(words.word[2 * forced + 1], 0, last);
        while (now.weight > all.capacity) {
            if (now.taken[drop] != 0 && drop != add) {
                take_out(all, now, drop);
            }
            drop = drop == last ? 0 : drop + 1;
        }
    }
}

/// The state that a search keeps between slices, besides `taken`, `offer` and the best selection, which follow in this
/// order.
struct search_numbers {
    std::int64_t weight, value, size;
    std::int64_t best_weight, best_size;
    std::uint32_t kicks;
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t search_state_words(std::int64_t count) {
    return kept_words<search_numbers>(3 * count);
}

/// Makes the slice's steps, moves and kicks; `best`, behind now.offer, keeps the best selection seen (0/1 per item).
/// For the first slice the caller has set `now`, a feasible selection, and result.objective, its value, and has synced.
template <class Team>
OPTGAP_HD improve_result search_exchanges(Team& team, items const& all, selection now, std::int32_t* best,
                                          improve_result result, search_slice slice, draw source) {
    std::int64_t const image = 3 * std::int64_t(all.count);
    auto const copy = [&](std::int32_t const* from, std::int32_t* to) {
        team.each(all.count, [&](std::int64_t i) { to[i] = from[i]; });
    };
    search_numbers saved{now.weight, now.value, now.size, now.weight, now.size, 0};
    if (slice.fresh()) {
        copy(now.taken, best);
        team.sync();
    } else {
        take_up(team, slice, saved, now.taken, image);
        now.weight = saved.weight;
        now.value = saved.value;
        now.size = saved.size;
    }
    std::int64_t best_value = result.objective;
    std::int64_t best_weight = saved.best_weight;
    std::int64_t best_size = saved.best_size;
    std::uint32_t kicks = saved.kicks;
    auto const keep_best = [&] {
        if (now.value > best_value) {
            best_value = now.value;
            best_weight = now.weight;
            best_size = now.size;
            copy(now.taken, best);
            team.sync();
        }
    };
    for (std::int64_t step = slice.begin; step < slice.end; ++step) {
        exchange const move = best_exchange(team, all, now);
        result.evaluations += (now.size + 1) * (all.count - now.size);
        if (move.gain > 0) {
            if (team.rank() == 0) {
                if (move.drop < all.count) {
                    take_out(all, now, move.drop);
                }
                put_in(all, now, move.add);
            }
        } else {
            keep_best();
            copy(best, now.taken);
            team.each(all.count, [&](std::int64_t i) { now.offer[i] = best[i] != 0 ? -1 : all.value[i]; });
            now.weight = best_weight;
            now.value = best_value;
            now.size = best_size;
            team.sync();
            if (team.rank() == 0) {
                kick(all, now, random_block(source, purpose_kick, kicks));
            }
            ++kicks;
        }
        ++result.moves;
        share(team, now);
    }
    keep_best();
    result.objective = best_value;
    keep(team, slice, search_numbers{now.weight, now.value, now.size, best_weight, best_size, kicks}, now.taken, image);
    return result;
}

}  // namespace tasks::knapsack
OPTGAP_KERNELS_END
