#pragma once
// Jobs pass all machines in the same order, 0, 1, …, without overtaking; the end of the last job is minimised.
//
//   times 1 4 | 2 1 (two jobs, two machines):   [0, 1] ends at 6, the optimum; [1, 0] at 7

#include "kernels/families/order/order.hpp"
#include "kernels/tasks/flow_shop/flow_shop_moves.hpp"
#include "kernels/tasks/flow_shop/flow_shop_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::flow_shop {

inline constexpr std::uint32_t draw_times = 0;  ///< purpose of random words

inline constexpr field shop_layout[] = {
    {"n", field_kind::size, "n, the number of jobs, is 1 to 1000", 1, 1000},
    {"m", field_kind::size, "m, the number of machines, is 1 to 100", 1, 100},
    {"times", field_kind::table, "a job takes 0 to 1000000 on each machine", 0, 1'000'000, of(0), of(1)},
};

struct task : families::searching<task, families::order_task<task>> {
    using neighbourhood = families::insertions<task, longest_way>;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr std::span<field const> layout = shop_layout;
    using rule = two_ends_rule;
    using moves = shop_moves;

    OPTGAP_HD static std::int32_t size(words_view instance) { return instance[0]; }
    OPTGAP_HD static std::int64_t worth_words(words_view instance) { return instance[1]; }

    /// Runs on one lane, because each time depends on the one before. All sums are sums of n + m - 1 operations.
    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* order,
                                        std::int32_t* scratch) {
        shop_view const shop(instance);
        std::int32_t* const free = scratch + set_words(instance);
        std::int32_t end = 0;
        if (team.rank() == 0) {
            for (std::int32_t k = 0; k < shop.m; ++k) {
                free[k] = 0;
            }
            for (std::int32_t i = 0; i < shop.n; ++i) {
                end = 0;
                for (std::int32_t k = 0; k < shop.m; ++k) {
                    end = (end > free[k] ? end : free[k]) + shop(order[i], k);
                    free[k] = end;
                }
            }
        }
        return team.broadcast(end);
    }

    struct nothing {};
    OPTGAP_HD static nothing moment(words_view, families::placed_things const&) { return {}; }
    /// Jobs with growing times come first (Palmer's slope index, 1965).
    OPTGAP_HD static std::int64_t key(words_view instance, nothing, families::placed_things const&, std::int32_t i) {
        shop_view const shop(instance);
        std::int64_t slope = 0;
        for (std::int32_t k = 0; k < shop.m; ++k) {
            slope += std::int64_t(2 * k + 1 - shop.m) * shop(i, k);
        }
        return -slope;
    }

    /// The front in the order of the choices, the back from the last job on.
    static std::int64_t write_sequence(words_view instance, std::int32_t const* choices, std::int32_t* answer) {
        std::int32_t const n = size(instance);
        std::int32_t front = 0;
        std::int32_t back = n;
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < n; ++i) {
            if (choices[i] < n) {
                answer[1 + front++] = choices[i];
            } else {
                answer[back--] = choices[i] - n;
            }
        }
        return answer_words(instance);
    }

    static std::int64_t least_loss(words_view instance) { return shop_view(instance).busiest(); }

    OPTGAP_HD static std::int32_t jobs_of(difficulty level) {
        std::int32_t const n = 7 + step_of(level) / 3;
        return n < 200 ? n : 200;
    }
    OPTGAP_HD static std::int32_t machines_of(difficulty level) {
        std::int32_t const m = 5 + step_of(level) / 30;
        return m < 20 ? m : 20;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 2 + std::int64_t(jobs_of(level)) * machines_of(level);
    }
    /// Times have no structure: a job or a machine that is always slow would make equal makespans frequent.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = jobs_of(level);
        std::int32_t const m = machines_of(level);
        if (team.rank() == 0) {
            words[0] = n;
            words[1] = m;
        }
        fill_uniform(team, source, draw_times, 1, 50, words + 2, std::int64_t(n) * m);
        team.sync();
    }
};

}  // namespace tasks::flow_shop
OPTGAP_KERNELS_END
