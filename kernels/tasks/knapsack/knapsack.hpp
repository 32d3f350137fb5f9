#pragma once
// 0/1 knapsack: choose items of the largest total value whose weights sum to at most the capacity. The definition:
// README.md.
//
//   capacity 20, weights 3 4 7 8, values 4 5 10 11:   [1, 2, 3] weighs 19 and is worth 26, the optimum

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/core/task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/knapsack/knapsack_exact.hpp"
#include "kernels/tasks/knapsack/knapsack_instance.hpp"
#include "kernels/tasks/knapsack/knapsack_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::knapsack {

// Purposes of random words.
inline constexpr std::uint32_t purpose_sizes = 0;   ///< words: planted items, all items, capacity per mille
inline constexpr std::uint32_t purpose_items = 1;   ///< block i: weight, ratio, kind, factor on weight or ratio
inline constexpr std::uint32_t purpose_labels = 2;  ///< Fisher–Yates over the labels

struct range {
    std::int32_t low;
    std::int32_t high;
};

/// The parameters of a level. Ratios and factors are per mille.
struct level_shape {
    range planted;
    range count;
    range weight;
    range ratio;
    range capacity;
    range heavy_factor;
    range cheap_factor;
};

OPTGAP_HD inline level_shape shape_of(difficulty level) {
    if (level.code >= 0) {
        std::int32_t const d = level.code < 10000 ? level.code : 10000;
        std::int32_t const n = 6 + 2 * d;
        std::int32_t const k = n * 9 / 20;
        std::int32_t const heaviest = d < 4990 ? 40 + 4 * d : 20000;
        std::int32_t const spread = 20 + 4000 / (d + 10);
        std::int32_t const factor = 1000 - 40000 / (d + 100);
        return {{k, k},
                {n, n},
                {10, heaviest},
                {1500 - spread, 1500 + spread},
                {1000, 1000 + 4000 / (d + 10)},
                {factor, 1000},
                {factor, 1000}};
    }
    level_shape const shapes[4] = {
        {{6, 10}, {15, 25}, {5, 25}, {1800, 2500}, {1100, 1400}, {600, 1000}, {500, 900}},
        {{8, 12}, {25, 35}, {20, 80}, {1500, 2000}, {1050, 1250}, {600, 1000}, {500, 900}},
        {{15, 25}, {35, 60}, {50, 200}, {1200, 1600}, {1020, 1150}, {600, 1000}, {500, 900}},
        {{25, 35}, {55, 80}, {50, 200}, {1200, 1600}, {1020, 1150}, {600, 1000}, {500, 900}},
    };
    return shapes[level.code + 4];
}

OPTGAP_HD inline std::int32_t drawn(std::uint32_t word, range from) { return to_range(word, from.low, from.high); }

/// x · permille / 1000, half rounded up.
OPTGAP_HD inline std::int64_t per_mille(std::int64_t x, std::int64_t permille) { return (x * permille + 500) / 1000; }

struct task {
    static constexpr std::int32_t version = 1;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::int64_t default_budget = 4'000'000;
    static constexpr char const* codes[] = {"over_capacity", nullptr};
    static constexpr char const* bound_kinds[] = {"optimum", "dantzig", nullptr};
    static constexpr std::int32_t code_over_capacity = first_task_code;

    OPTGAP_HD static std::int32_t item_count(draw source, level_shape const& shape) {
        return drawn(random_word(source, purpose_sizes, 1), shape.count);
    }

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        return 2 + 2 * std::int64_t(item_count(source, shape_of(level)));
    }

    OPTGAP_HD static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return item_count(source, shape_of(level));
    }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        level_shape const shape = shape_of(level);
        philox_block const sizes = random_block(source, purpose_sizes, 0);
        std::int32_t const planted = drawn(sizes.word[0], shape.planted);
        std::int32_t const n = drawn(sizes.word[1], shape.count);
        std::int32_t* const label = scratch;
        if (team.rank() == 0) {
            for (std::int32_t i = 0; i < n; ++i) {
                label[i] = i;
            }
            draw_stream stream(source, purpose_labels);
            shuffle(stream, label, n);
        }
        team.sync();
        std::int64_t own_weight = 0;
        auto const put = [&](std::int32_t i, std::int64_t weight, std::int64_t value) {
            words[2 + label[i]] = std::int32_t(weight);
            words[2 + n + label[i]] = std::int32_t(value);
        };
        team.each(planted, [&](std::int64_t at) {
            auto const i = std::int32_t(at);
            philox_block const block = random_block(source, purpose_items, std::uint32_t(i));
            std::int64_t const weight = drawn(block.word[0], shape.weight);
            own_weight += weight;
            put(i, weight, per_mille(weight, drawn(block.word[1], shape.ratio)));
        });
        std::int64_t const planted_weight = team.sum(own_weight);
        team.each(n - planted, [&](std::int64_t at) {
            auto const i = planted + std::int32_t(at);
            philox_block const block = random_block(source, purpose_items, std::uint32_t(i));
            std::int64_t const ratio = drawn(block.word[1], shape.ratio);
            std::int32_t const kind = to_range(block.word[2], 0, 999);
            if (kind < 800) {
                bool const heavy = kind < 400;
                range const heavy_weight{shape.weight.high, 2 * shape.weight.high};
                std::int64_t const weight = drawn(block.word[0], heavy ? heavy_weight : shape.weight);
                std::int64_t const factor = drawn(block.word[3], heavy ? shape.heavy_factor : shape.cheap_factor);
                put(i, weight, (weight * ratio * factor + 500'000) / 1'000'000);
            } else {
                std::int64_t const weight = per_mille(planted_weight, to_range(block.word[3], 500, 900));
                put(i, weight, per_mille(weight, ratio));
            }
        });
        if (team.rank() == 0) {
            words[0] = n;
            words[1] = std::int32_t(per_mille(planted_weight, drawn(sizes.word[2], shape.capacity)));
        }
        team.sync();
    }

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) {
        return 3 * std::int64_t(instance[0]) + bitset_words(instance[0]);
    }

    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        items const all = items_of(instance);
        std::int64_t own_total = 0;
        for (std::int32_t i = team.rank(); i < all.count; i += team.size()) {
            own_total += all.weight[i];
        }
        std::int64_t const worst = larger_of(1, team.sum(own_total) - all.capacity);
        auto const broken = [&](std::int32_t code, std::int32_t where) {
            return verdict{code, where, 0, worst, worst};
        };
        if (!answer.is_flat()) {
            return broken(answer.is_word() ? code_unparsable : code_bad_depth, -1);
        }
        if (answer.count == 0) {
            bool useful = false;
            for (std::int32_t i = team.rank(); i < all.count; i += team.size()) {
                useful = useful || (all.value[i] > 0 && all.weight[i] <= all.capacity);
            }
            return team.any(useful) ? broken(code_empty, -1) : verdict{code_ok, -1, 0, 0, worst};
        }
        std::int32_t const outside = first_out_of_range(team, answer.values, answer.count, all.count);
        if (outside >= 0) {
            return broken(code_out_of_range, outside);
        }
        auto* const seen = reinterpret_cast<std::uint32_t*>(scratch);
        std::int32_t const repeat = first_repeat(team, answer.values, answer.count, seen, all.count);
        if (repeat >= 0) {
            return broken(code_repeated, repeat);
        }
        std::int64_t own_weight = 0;
        std::int64_t own_value = 0;
        for (std::int64_t i = team.rank(); i < answer.count; i += team.size()) {
            own_weight += all.weight[answer.values[i]];
            own_value += all.value[answer.values[i]];
        }
        std::int64_t const weight = team.sum(own_weight);
        std::int64_t const value = team.sum(own_value);
        if (weight > all.capacity) {
            return {code_over_capacity, first_over(team, all, answer), 0, weight - all.capacity, worst};
        }
        return {code_ok, -1, value, 0, worst};
    }

    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        items const all = items_of(instance);
        fill_in_order(team, all, nullptr, scratch);
        return write_answer(team, all, scratch, answer);
    }

    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        items const all = items_of(instance);
        std::int32_t* const order = scratch + all.count;
        order_by_ratio(team, all, order, order + all.count);
        fill_in_order(team, all, order, scratch);
        return write_answer(team, all, scratch, answer);
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        items const all = items_of(instance);
        std::int32_t* const taken = scratch;
        std::int32_t* const order = taken + all.count;
        solo team;
        order_by_ratio(team, all, order, order + all.count);
        team.each(all.count, [&](std::int64_t i) { taken[i] = 0; });
        draw_stream stream(source, 0);
        std::int64_t room = all.capacity;
        while (true) {
            search::noisy_pick pick(stream);
            for (std::int32_t rank = 0; rank < all.count; ++rank) {
                if (taken[order[rank]] == 0 && all.weight[order[rank]] <= room) {
                    pick.offer(order[rank], rank);
                }
            }
            if (pick.chosen() < 0) {
                return write_answer(team, all, taken, answer);
            }
            taken[pick.chosen()] = 1;
            room -= all.weight[pick.chosen()];
        }
    }

    OPTGAP_HD static std::int64_t improve_state_words(words_view instance) {
        return search_state_words(items_of(instance).count);
    }

    template <class Team>
    OPTGAP_HD static improve_result improve(Team& team, words_view instance, std::int32_t* answer,
                                            improve_result result, search_slice slice, draw source,
                                            std::int32_t* scratch) {
        items const all = items_of(instance);
        selection now{scratch, scratch + all.count, 0, 0, 0};
        if (slice.fresh()) {
            answer_view const start = view_answer({answer, result.answer_words});
            verdict const found = verify(team, instance, start, scratch);
            if (found.code != code_ok) {
                return result;
            }
            team.sync();
            result.start_objective = result.objective = found.objective;
            select(team, all, start, now);
        }
        std::int64_t const best_before = result.objective;
        std::int32_t* const best = now.offer + all.count;
        result = search_exchanges(team, all, now, best, result, slice, source);
        if (result.objective > best_before) {
            result.answer_words = write_answer(team, all, best, answer);
        }
        return result;
    }

    OPTGAP_HD static std::int64_t exact_scratch_words(words_view instance) {
        return core_scratch_words(items_of(instance));
    }

    OPTGAP_HD static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer,
                                        std::int32_t* scratch) {
        return prove_by_core(items_of(instance), budget, answer, scratch);
    }

private:
    /// Sets `now` to the selection that a feasible answer names; synced.
    template <class Team>
    OPTGAP_HD static void select(Team& team, items const& all, answer_view const& answer, selection& now) {
        team.each(all.count, [&](std::int64_t i) {
            now.taken[i] = 0;
            now.offer[i] = all.value[i];
        });
        team.sync();
        std::int64_t own_weight = 0;
        std::int64_t own_value = 0;
        team.each(answer.count, [&](std::int64_t i) {
            now.taken[answer.values[i]] = 1;
            now.offer[answer.values[i]] = -1;
            own_weight += all.weight[answer.values[i]];
            own_value += all.value[answer.values[i]];
        });
        now.weight = team.sum(own_weight);
        now.value = team.sum(own_value);
        now.size = answer.count;
        team.sync();
    }

    /// Index of the value at which the running weight exceeds the capacity. The weight of the whole answer exceeds it.
    template <class Team>
    OPTGAP_HD static std::int32_t first_over(Team& team, items const& all, answer_view const& answer) {
        std::int64_t running = 0;
        for (std::int64_t begin = 0; begin < answer.count; begin += team.size()) {
            std::int64_t const own = begin + team.rank();
            std::int64_t const chunk = team.sum(own < answer.count ? std::int64_t(all.weight[answer.values[own]]) : 0);
            if (running + chunk > all.capacity) {
                std::int64_t i = begin;
                while ((running += all.weight[answer.values[i]]) <= all.capacity) {
                    ++i;
                }
                return std::int32_t(i);
            }
            running += chunk;
        }
        return -1;
    }
};

}  // namespace tasks::knapsack
OPTGAP_KERNELS_END
