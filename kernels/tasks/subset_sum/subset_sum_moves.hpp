#pragma once
// Exchanges of a few values that reach the target exactly, and the local search and the noisy policy built from them.
// All positions refer to the order by value.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/subset_sum/subset_sum_instance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

// Purposes of the random words of `improve`.
inline constexpr std::uint32_t draw_kick = 0;    ///< block k is the k-th kick
inline constexpr std::uint32_t draw_window = 1;  ///< word k: where the window begins after k kicks

/// A choice under search. Sums and counts are the same on all lanes.
struct selection {
    std::int32_t n;
    std::int32_t* order;   ///< indices by rising value
    std::int32_t* value;   ///< value[p] is that of order[p]
    std::int32_t* chosen;  ///< 0 or 1 per position
    std::int32_t* best;    ///< `chosen` of the best choice known
    std::int32_t* out;     ///< positions that are not chosen, rising
    std::int64_t gap;      ///< target - sum, never negative
    std::int32_t count;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) { return 5 * n; }
    OPTGAP_HD void flip(std::int32_t p) {
        gap += chosen[p] != 0 ? value[p] : -std::int64_t(value[p]);
        count += chosen[p] != 0 ? -1 : 1;
        chosen[p] ^= 1;
    }
};

OPTGAP_HD inline selection selection_in(numbers const& all, std::int32_t* scratch) {
    std::int64_t const n = all.count;
    return {all.count, scratch, scratch + n, scratch + 2 * n, scratch + 3 * n, scratch + 4 * n, all.target, 0};
}

/// The order, with nothing chosen.
template <class Team>
OPTGAP_HD selection begin_selection(Team& team, numbers const& all, std::int32_t* scratch) {
    std::int32_t const n = all.count;
    selection const now = selection_in(all, scratch);
    sort_by_value(team, all, now.order, now.out);
    team.each(n, [&](std::int64_t p) {
        now.value[p] = all.value[now.order[p]];
        now.chosen[p] = 0;
    });
    team.sync();
    return now;
}

/// At most one value leaves, one or two enter, and the sum hits the target. gain < 0: there is no such exchange.
struct exchange {
    std::int32_t gain = -1;
    std::int32_t leave = -1;
    std::int32_t enter = -1;
    std::int32_t second = -1;
};
inline constexpr std::int32_t exchange_window = 64;  ///< number of chosen values that one scan considers for leaving

/// Two values outside the choice, otherwise one, that sum to `need`.
OPTGAP_HD inline exchange entering(selection const& now, std::int32_t outside, std::int64_t need) {
    exchange found;
    std::int32_t low = 0;
    std::int32_t high = outside - 1;
    while (high >= 0 && now.value[now.out[high]] > need) {
        --high;
    }
    if (high >= 0 && now.value[now.out[high]] == need) {
        found.enter = now.out[high];
        found.gain = 1;
    }
    while (low < high) {
        std::int64_t const sum = std::int64_t(now.value[now.out[low]]) + now.value[now.out[high]];
        if (sum == need) {
            return {2, -1, now.out[low], now.out[high]};
        }
        low += sum < need ? 1 : 0;
        high -= sum > need ? 1 : 0;
    }
    return found;
}

/// The exchange that hits the target with the largest gain in count, ties by the smallest offset from `from` of the
/// leaving value. From a choice that hits the target, only exchanges that gain are considered. One lane for each
/// leaving value, O(n) each.
template <class Team>
OPTGAP_HD exchange best_exchange(Team& team, selection const& now, std::int32_t from, std::int64_t& evaluations) {
    std::int32_t outside = 0;
    if (team.rank() == 0) {
        for (std::int32_t p = 0; p < now.n; ++p) {
            now.out[outside] = p;
            outside += 1 - now.chosen[p];
        }
    }
    outside = team.broadcast(outside);
    team.sync();
    std::int32_t const window = now.n < exchange_window ? now.n : exchange_window;
    std::int32_t const least = now.gap == 0 ? 1 : 0;
    exchange own;
    std::int64_t own_evaluations = 0;
    std::int32_t own_offset = INT32_MAX;
    for (std::int32_t offset = team.rank(); offset <= window; offset += team.size()) {
        std::int32_t const turned = offset == window ? -1 : (from + offset) % now.n;
        if (turned >= 0 && now.chosen[turned] == 0) {
            continue;
        }
        own_evaluations += outside;
        exchange offer = entering(now, outside, now.gap + (turned < 0 ? 0 : now.value[turned]));
        offer.gain -= turned < 0 ? 0 : 1;
        offer.leave = turned;
        if (offer.enter >= 0 && offer.gain >= least && offer.gain > own.gain) {
            own = offer;
            own_offset = offset;
        }
    }
    evaluations += team.sum(own_evaluations);
    ranked const winner = team.max_by(own.gain, own_offset);
    if (winner.key < 0) {
        return {};
    }
    std::int32_t const lane = winner.index % team.size();
    return {team.broadcast(own.gain, lane), team.broadcast(own.leave, lane), team.broadcast(own.enter, lane),
            team.broadcast(own.second, lane)};
}

/// One lane changes the choice; then all lanes receive the sums.
template <class Team>
OPTGAP_HD void apply(Team& team, selection& now, exchange const& move) {
    team.sync();
    if (team.rank() == 0) {
        std::int32_t const touched[] = {move.leave, move.enter, move.second};
        for (std::int32_t const p : touched) {
            if (p >= 0) {
                now.flip(p);
            }
        }
    }
    team.sync();
    now.gap = team.broadcast(now.gap);
    now.count = team.broadcast(now.count);
}

/// Forces a drawn value in, up to three drawn ones out, and more until the rest fits, then fills up from the smallest
/// value, skipping those taken out. Called by one lane, O(n).
OPTGAP_HD inline void kick(selection& now, philox_block const& words, std::int32_t* barred) {
    std::int32_t const n = now.n;
    for (std::int32_t p = 0; p < n; ++p) {
        barred[p] = 0;
    }
    std::int32_t const add = to_range(words.word[0], 0, n - 1);
    if (now.chosen[add] == 0) {
        now.flip(add);
    }
    std::int32_t const leaving = to_range(words.word[1], 1, 3);
    std::int32_t p = to_range(words.word[2], 0, n - 1);
    for (std::int32_t seen = 0, left = 0; seen < n && (left < leaving || now.gap < 0); ++seen) {
        if (now.chosen[p] != 0 && p != add) {
            now.flip(p);
            barred[p] = 1;
            ++left;
        }
        p = p + 1 < n ? p + 1 : 0;
    }
    if (now.gap < 0) {
        now.flip(add);
    }
    for (p = 0; p < n && now.value[p] <= now.gap; ++p) {
        if (now.chosen[p] == 0 && barred[p] == 0) {
            now.flip(p);
        }
    }
}

/// The state that a search keeps between slices, besides all of a selection but `out`.
struct search_numbers {
    std::int64_t gap;
    std::int32_t count;
    std::uint32_t kicks;
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t search_state_words(std::int64_t n) {
    return kept_words<search_numbers>(4 * n);
}

/// Starts from a choice that hits the target, set in `now` and synced. A step is an applied exchange or a kick. After a
/// kick the search returns to the best known choice, unless it found one that is at most one value short of it. Leaves
/// the best choice in `best`.
template <class Team>
OPTGAP_HD improve_result search_exchanges(Team& team, selection now, improve_result result, search_slice slice,
                                          draw source) {
    std::uint32_t kicks = 0;
    if (slice.fresh()) {
        team.each(now.n, [&](std::int64_t p) { now.best[p] = now.chosen[p]; });
        team.sync();
    } else {
        search_numbers saved{};
        take_up(team, slice, saved, now.order, 4 * std::int64_t(now.n));
        now.gap = saved.gap;
        now.count = saved.count;
        kicks = saved.kicks;
    }
    auto best_count = std::int32_t(result.objective);
    for (std::int64_t step = slice.begin; step < slice.end && best_count < now.n; ++step) {
        std::int32_t const from = uniform(source, draw_window, kicks, 0, now.n - 1);
        exchange const move = best_exchange(team, now, from, result.evaluations);
        if (move.gain >= 0) {
            apply(team, now, move);
        } else {
            if (now.gap != 0 || now.count + 1 < best_count) {
                team.each(now.n, [&](std::int64_t p) { now.chosen[p] = now.best[p]; });
                now.gap = 0;
                now.count = best_count;
            }
            team.sync();
            if (team.rank() == 0) {
                kick(now, random_block(source, draw_kick, kicks), now.out);
            }
            ++kicks;
            apply(team, now, {});
        }
        ++result.moves;
        if (now.gap == 0 && now.count >= best_count) {
            best_count = now.count;
            team.each(now.n, [&](std::int64_t p) { now.best[p] = now.chosen[p]; });
            team.sync();
        }
    }
    keep(team, slice, search_numbers{now.gap, now.count, kicks}, now.order, 4 * std::int64_t(now.n));
    result.objective = best_count;
    return result;
}

/// Writes the chosen indices, smallest value first; returns the block size.
template <class Team>
OPTGAP_HD std::int64_t write_selection(Team& team, selection const& now, std::int32_t const* chosen,
                                       std::int32_t* answer) {
    std::int64_t size = 1;
    if (team.rank() == 0) {
        answer[0] = answer_flat;
        for (std::int32_t p = 0; p < now.n; ++p) {
            if (chosen[p] != 0) {
                answer[size++] = now.order[p];
            }
        }
    }
    size = team.broadcast(size);
    team.sync();
    return size;
}

/// Noisy picks among the values that fit, smallest first, and one exchange if they end short of the target.
OPTGAP_HD inline void choose_noisily(selection& now, draw source) {
    draw_stream stream(source, 0);
    solo team;
    for (;;) {
        search::noisy_pick pick(stream);
        for (std::int32_t p = 0; p < now.n && now.value[p] <= now.gap; ++p) {
            if (now.chosen[p] == 0) {
                pick.offer(p, now.value[p]);
            }
        }
        if (pick.chosen() < 0) {
            break;
        }
        now.flip(pick.chosen());
    }
    if (now.gap > 0) {
        std::int64_t evaluations = 0;
        exchange const move = best_exchange(team, now, stream.uniform(0, now.n - 1), evaluations);
        if (move.gain >= 0) {
            apply(team, now, move);
        }
    }
}

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
