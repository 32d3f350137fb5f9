#pragma once
// Jobs on one machine, one after the other, with the least weighted sum of tardiness.
//
//   times 2 3 1, weights 1 2 9, due 2 3 1:   [2, 1, 0] ends at 1, 4, 6 and costs 0 + 2 * 1 + 1 * 4 = 6, the optimum

#include "kernels/families/order/order.hpp"
#include "kernels/tasks/weighted_tardiness/weighted_tardiness_moves.hpp"
#include "kernels/tasks/weighted_tardiness/weighted_tardiness_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::weighted_tardiness {

// Purposes of random words.
inline constexpr std::uint32_t draw_times = 0;
inline constexpr std::uint32_t draw_weights = 1;
inline constexpr std::uint32_t draw_due = 2;

inline constexpr field jobs_layout[] = {
    {"n", field_kind::size, "n, the number of jobs, is 1 to 1000", 1, 1000},
    {"times", field_kind::list, "a job takes 1 to 1000000", 1, 1'000'000, of(0)},
    {"weights", field_kind::list, "each job has a weight, 1 to 1000000", 1, 1'000'000, of(0)},
    {"due", field_kind::list, "each job is due at 0 to 1000000000", 0, 1'000'000'000, of(0)},
};

struct task : families::searching<task, families::order_task<task>> {
    using neighbourhood = families::insertions<task, passed_jobs>;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr std::span<field const> layout = jobs_layout;
    using rule = late_rule;
    using sets = late_sets;
    using moves = late_moves;

    OPTGAP_HD static std::int32_t size(words_view instance) { return instance[0]; }

    /// The sum of times must be computed in order, so every lane walks the order.
    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team&, words_view instance, std::int32_t const* order, std::int32_t*) {
        jobs_view const jobs(instance);
        std::int64_t now = 0;
        std::int64_t total = 0;
        for (std::int32_t i = 0; i < jobs.n; ++i) {
            now += jobs.time[order[i]];
            total += jobs.lateness_cost(order[i], now);
        }
        return total;
    }

    /// The current time, and the sum of the times to come.
    struct clock {
        std::int64_t now;
        std::int64_t to_come;
    };
    OPTGAP_HD static clock moment(words_view instance, families::placed_things const& placed) {
        jobs_view const jobs(instance);
        clock at{0, 0};
        for (std::int32_t i = 0; i < jobs.n; ++i) {
            (placed.has(i) ? at.now : at.to_come) += jobs.time[i];
        }
        return at;
    }
    /// Jobs whose slack is at most twice the mean time come first, by weight per time, then by slack: an integer form
    /// of the apparent tardiness cost rule (Vepsalainen and Morton 1987).
    OPTGAP_HD static std::int64_t key(words_view instance, clock at, families::placed_things const& placed,
                                      std::int32_t i) {
        jobs_view const jobs(instance);
        std::int64_t const slack = jobs.due[i] - at.now - jobs.time[i];
        std::int64_t const left = jobs.n - placed.count;
        return slack * left <= 2 * at.to_come ? -(std::int64_t(jobs.weight[i]) << 20) / jobs.time[i]
                                              : slack + (std::int64_t(1) << 40);
    }

    static std::int64_t least_loss(words_view instance) {
        jobs_view const jobs(instance);
        std::int64_t total = 0;
        for (std::int32_t i = 0; i < jobs.n; ++i) {
            total += jobs.lateness_cost(i, jobs.time[i]);
        }
        return total;
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level) / 2;
        return n < 500 ? n : 500;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return 1 + 3 * size_of(level); }
    /// No job is due after three fifths of the total time, so that some job is late in every order.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        if (team.rank() == 0) {
            words[0] = n;
        }
        fill_uniform(team, source, draw_times, 1, 20, words + 1, n);
        fill_uniform(team, source, draw_weights, 1, 10, words + 1 + n, n);
        team.sync();
        std::int64_t own = 0;
        team.each(n, [&](std::int64_t i) { own += words[1 + i]; });
        std::int64_t const all = team.sum(own);
        team.each(n, [&](std::int64_t i) {
            std::int32_t const permille = uniform(source, draw_due, std::uint32_t(i), 200, 600);
            words[1 + 2 * n + i] = std::int32_t(all * permille / 1000);
        });
        team.sync();
    }
};

}  // namespace tasks::weighted_tardiness
OPTGAP_KERNELS_END
