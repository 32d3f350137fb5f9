#pragma once
// Jobs visit machines, each in an order of its own; the end of the last job is minimised. An answer is a list in which
// each job occurs as often as it has operations. Read from first to last, each entry schedules the job's next operation
// behind what its machine and its job have done so far (Bierwirth 1995).
//
//   machines 0 1 | 1 0, times 3 2 | 2 4:   [0, 1, 0, 1] ends at 7, the optimum; [0, 0, 1, 1] at 11

#include "kernels/core/check_layout.hpp"
#include "kernels/families/order/sequence_proof.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/job_shop/job_shop_moves.hpp"
#include "kernels/tasks/job_shop/job_shop_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::job_shop {

// Purposes of random words.
inline constexpr std::uint32_t draw_machines = 0;
inline constexpr std::uint32_t draw_times = 1;

inline constexpr field shop_layout[] = {
    {"m", field_kind::number, "m, the number of machines, is 1 to 100", 1, 100},
    {"n", field_kind::size, "n, the number of jobs, is 1 to 100", 1, 100},
    {"k", field_kind::size, "k, the operations of each job, is 1 to 100", 1, 100},
    {"machines", field_kind::table, "each operation has a machine, 0 to m - 1", 0, of(0, -1), of(1), of(2)},
    {"times", field_kind::table, "each operation takes 1 to 1000000", 1, 1'000'000, of(1), of(2)},
};

struct task : families::searching<task, families::sequence_proof<task>> {
    using neighbourhood = block_swaps;
    static constexpr sense objective_sense = sense::minimise;
    /// Nodes are inexpensive here: half a microsecond at the benchmark's size.
    static constexpr std::int64_t default_budget = 500'000;
    static constexpr std::int32_t code_wrong_count = first_task_code;
    static constexpr char const* codes[] = {"wrong_count", nullptr};
    static constexpr std::span<field const> layout = shop_layout;
    using rule = active_rule;
    using moves = shop_moves;

    /// The length of an answer.
    OPTGAP_HD static std::int32_t size(words_view instance) { return shop_view(instance).operations(); }

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return growing_schedule::words(instance); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(size(instance)); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        shop_view const shop(instance);
        std::int64_t const most = 2 * std::int64_t(size(instance));
        bool const flat = answer.is_flat() || answer.rows == 0;  // a list of no rows is the empty list
        if (!flat || answer.count != size(instance)) {
            return worst(answer.is_word()    ? code_unparsable
                         : !flat             ? code_bad_depth
                         : answer.count == 0 ? code_empty
                                             : code_wrong_length,
                         most);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, shop.jobs); at >= 0) {
            return worst(code_out_of_range, most, at);
        }
        std::int64_t off = 0;
        std::int64_t surplus = INT64_MAX;
        team.each(shop.jobs, [&](std::int64_t job) {
            std::int32_t count = 0;
            for (std::int32_t i = 0; i < answer.count; ++i) {
                if (answer.values[i] == job && ++count == shop.stages + 1) {
                    surplus = i < surplus ? i : surplus;
                }
            }
            off += count > shop.stages ? count - shop.stages : shop.stages - count;
        });
        std::int64_t const violation = team.sum(off);
        ranked const first = team.min_by(surplus, 0);
        if (violation > 0) {
            return {code_wrong_count, std::int32_t(first.key), 0, violation, most};
        }
        return {code_ok, -1, worth(team, instance, answer.values, scratch), 0, most};
    }

    /// Runs on one lane, because each operation waits for those before it.
    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* list,
                                        std::int32_t* scratch) {
        growing_schedule schedule(shop_view(instance), scratch);
        std::int64_t span = 0;
        if (team.rank() == 0) {
            schedule.begin();
            for (std::int32_t i = 0; i < size(instance); ++i) {
                schedule.add(list[i]);
            }
            span = schedule.span();
        }
        span = team.broadcast(span);
        team.sync();
        return span;
    }

    /// One job after the other.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        std::int32_t const stages = shop_view(instance).stages;
        team.each(answer_words(instance),
                  [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : std::int32_t(i - 1) / stages; });
        team.sync();
        return answer_words(instance);
    }

    /// Among the operations that can begin earliest, that of the job with the most work left, ties by job.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return grow(team, instance, answer, scratch, [&](growing_schedule const& schedule) {
            ranked own{INT64_MAX, 0};
            team.each(shop_view(instance).jobs, [&](std::int64_t job) {
                if (!schedule.done(std::int32_t(job))) {
                    own = smaller(own, {key(schedule, std::int32_t(job)), std::int32_t(job)});
                }
            });
            return team.min_by(own.key, own.index).index;
        });
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return grow(team, instance, answer, scratch, [&](growing_schedule const& schedule) {
            search::noisy_pick pick(stream);
            for (std::int32_t job = 0; job < shop_view(instance).jobs; ++job) {
                if (!schedule.done(job)) {
                    pick.offer(job, key(schedule, job));
                }
            }
            return pick.chosen();
        });
    }

    /// The length of the longest job, or the most work of a machine.
    static std::int64_t least_loss(words_view instance) {
        shop_view const shop(instance);
        std::int64_t most = 0;
        for (std::int32_t j = 0; j < shop.jobs; ++j) {
            std::int64_t work = 0;
            for (std::int32_t i = j * shop.stages; i < (j + 1) * shop.stages; ++i) {
                work += shop.time[i];
            }
            most = work > most ? work : most;
        }
        for (std::int32_t machine = 0; machine < shop.machines; ++machine) {
            std::int64_t work = 0;
            for (std::int32_t i = 0; i < shop.operations(); ++i) {
                work += shop.machine[i] == machine ? shop.time[i] : 0;
            }
            most = work > most ? work : most;
        }
        return most;
    }

    OPTGAP_HD static std::int32_t jobs_of(difficulty level) {
        std::int32_t const n = 5 + (step_of(level) + 12) / 16;
        return n < 30 ? n : 30;
    }
    OPTGAP_HD static std::int32_t machines_of(difficulty level) {
        std::int32_t const m = 5 + step_of(level) / 12;
        return m < 30 ? m : 30;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 3 + 2 * std::int64_t(jobs_of(level)) * machines_of(level);
    }
    /// Every job visits every machine once.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = jobs_of(level);
        std::int32_t const m = machines_of(level);
        std::int32_t* const machines = words + 3;
        if (team.rank() == 0) {
            words[0] = m;
            words[1] = n;
            words[2] = m;
            draw_stream stream(source, draw_machines);
            for (std::int32_t j = 0; j < n; ++j) {
                for (std::int32_t i = 0; i < m; ++i) {
                    machines[j * m + i] = i;
                }
                shuffle(stream, machines + j * m, m);
            }
        }
        fill_uniform(team, source, draw_times, 1, 50, machines + n * m, std::int64_t(n) * m);
        team.sync();
    }

private:
    /// Starts are below 2^34 and work is below 2^27.
    OPTGAP_HD static std::int64_t key(growing_schedule const& schedule, std::int32_t job) {
        return schedule.start(job) * (std::int64_t(1) << 27) - schedule.work_left(job);
    }

    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t grow(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick) {
        growing_schedule schedule(shop_view(instance), scratch);
        if (team.rank() == 0) {
            schedule.begin();
            answer[0] = answer_flat;
        }
        team.sync();
        for (std::int32_t i = 0; i < size(instance); ++i) {
            std::int32_t const job = pick(schedule);
            team.sync();
            if (team.rank() == 0) {
                answer[1 + i] = job;
                schedule.add(job);
            }
            team.sync();
        }
        return answer_words(instance);
    }
};

}  // namespace tasks::job_shop
OPTGAP_KERNELS_END
