#include "bench/goals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bench/interference.hpp"
#include "bench/rollouts.hpp"

namespace optgap::bench {

namespace {

constexpr std::int64_t step_text_bytes = 16'000;
constexpr std::int64_t search_steps = 200;
constexpr std::int64_t gain_rows = 4096;  ///< for the host, which first proves the optima of answers
constexpr int min_rounds = 5;             ///< for each way to use two threads
constexpr double busy_seconds = 20e-3;    ///< least time of one thread in a scaled call; rows are added until then
constexpr std::int64_t max_scaled_rows = 1 << 16;
constexpr std::int64_t stream_sizes[] = {1'000, 10'000, 100'000, 1'000'000, 10'000'000};
constexpr std::int64_t largest_quick_stream = 10'000;

/// The worst task of those that a goal is judged on.
struct worst {
    goal& of;

    void see(double value, std::string_view task, std::string const& beside = {}) {
        if (!of.value || (of.at_least ? value < *of.value : value > *of.value)) {
            of.value = value;
            of.note = fmt::format("the worst task is {}{}", task, beside);
        }
    }
};

class goal_run {
public:
    goal_run(goals_setting const& at, std::function<void(goal const&)> const& seen)
        : at_(at), seen_(seen), gpu_(at.by.where() == device::cuda) {}

    std::vector<goal> run() {
        using judge = void (goal_run::*)(goal&);
        constexpr std::pair<std::string_view, judge> judges[] = {{"improve_moves", &goal_run::improve_moves},
                                                                 {"verify_gain", &goal_run::verify_gain},
                                                                 {"generate_gain", &goal_run::generate_gain},
                                                                 {"step_16_cores", &goal_run::step_pinned},
                                                                 {"interference", &goal_run::interference_default},
                                                                 {"step_2_cores", &goal_run::step_two},
                                                                 {"improve_scales", &goal_run::improve_scales},
                                                                 {"solve_scales", &goal_run::solve_scales},
                                                                 {"cost_flat", &goal_run::cost_flat}};
        std::vector<goal> goals = promised_goals();
        for (goal& of : goals) {
            if ((of.where == device::cuda) != gpu_) {
                of.note = gpu_ ? "needs --device cpu" : "needs a GPU";
            } else {
                auto const* const found =
                    std::ranges::find(judges, of.name, &std::pair<std::string_view, judge>::first);
                expect(found != std::end(judges), "nobody measures the goal " + of.name);
                (this->*found->second)(of);
            }
            seen_(of);
        }
        return goals;
    }

private:
    [[nodiscard]] setting setting_of(engine const& by, std::int32_t task = 0) const {
        return {.by = by,
                .task = task,
                .tasks = at_.tasks,
                .level = at_.level,
                .text_bytes = step_text_bytes,
                .steps = search_steps,
                .seconds = at_.seconds};
    }
    [[nodiscard]] static engine of_threads(std::int32_t threads) {
        return engine({.where = device::cpu, .threads = threads});
    }
    /// Whether this process may use so many cores. If not, the goal's note says so.
    [[nodiscard]] static bool has_cores(goal& of, std::int32_t wanted) {
        std::int32_t const cores = of_threads(0).threads();
        if (cores < wanted) {
            of.note = "needs " + std::to_string(wanted) + " cores, this process may use " + std::to_string(cores);
        }
        return cores >= wanted;
    }

    void improve_moves(goal& of) {
        std::int32_t const tsp = at_.by.task_index("tsp");
        if (std::ranges::find(at_.tasks, tsp) == at_.tasks.end()) {
            of.note = "needs the task tsp, which is not among those that are named";
            return;
        }
        measurement const made = bench_device_improve(setting_of(at_.by, tsp));
        of.value = made.rate();
        of.note = std::to_string(made.batch) + " searches at a time";
    }
    /// For each task: the kernel's rate on data in device memory divided by the same verb's on all of this host's
    /// cores. The comparison is fair because both sides do a task's own work, however sequential. A bound by bytes
    /// would demand the same of a task that draws a permutation as of one that copies.
    void see_gains(goal& of, measurement (*kernel)(setting const&), measurement (*verb)(setting const&)) {
        engine const cores = of_threads(0);
        for (std::int32_t const task : at_.tasks) {
            measurement const there = kernel(setting_of(at_.by, task));
            setting of_host = setting_of(cores, task);
            of_host.batch = gain_rows;
            worst{of}.see(there.rate() / verb(of_host).rate(), there.task,
                          fmt::format(", over {} threads", cores.threads()));
        }
    }
    void verify_gain(goal& of) { see_gains(of, bench_device_verify, bench_verify); }
    void generate_gain(goal& of) { see_gains(of, bench_device_generate, bench_generate); }
    void interference_default(goal& of) {
        interference_setting how;
        how.tasks = at_.tasks;
        how.level = at_.level;
        how.steps = search_steps;
        how.seconds = at_.seconds;
        how.only_default = true;
        for (interference const& row : measure_interference(how, device::cuda, [](interference const&) {})) {
            double const slowdown =
                row.quantile_of([](interference_round const& round) { return round.slowdown(); }, 0.9);
            if (!of.value || slowdown > *of.value) {
                of.value = slowdown;
                of.note = "p90 of the rounds; the worst is " + row.loop + " beside " + row.workload;
            }
        }
    }
    void step_of_threads(goal& of, std::int32_t threads, bool pinned) {
        if (has_cores(of, threads)) {
            engine const by = of_threads(threads);
            setting how = setting_of(by);
            how.pinned_texts = pinned;
            of.value = quantile(bench_step(how).seconds, 0.5);
            of.note = "median";
        }
    }
    void step_pinned(goal& of) { step_of_threads(of, 16, true); }
    void step_two(goal& of) { step_of_threads(of, 2, false); }

    /// The speedup of two threads over one: of one engine, and of two engines that share nothing, which is what the
    /// machine allows.
    struct scaling {
        double engine = 0;
        double machine = 0;
    };
    /// Measures them in turns and takes the minimum of each, since other load on the machine only adds time.
    scaling scaling_of(std::function<void(engine const&)> const& call) const {
        engine const one = of_threads(1), other = of_threads(1), two = of_threads(2);
        auto const side_by_side = [&] {
            std::jthread const beside([&] { call(other); });
            call(one);
        };
        double alone = std::numeric_limits<double>::infinity(), shared = alone, apart = alone, spent = 0;
        for (int round = 0; spent < at_.seconds || round < min_rounds; ++round) {
            double const took[] = {seconds_of([&] { call(one); }), seconds_of([&] { call(two); }),
                                   seconds_of(side_by_side)};
            alone = std::min(alone, took[0]);
            shared = std::min(shared, took[1]);
            apart = std::min(apart, took[2]);
            spent += took[0] + took[1] + took[2];
        }
        return {alone / shared, 2 * alone / apart};
    }
    static void see_scaling(goal& of, std::string_view task, scaling found) {
        worst{of}.see(found.engine, task, fmt::format("; two engines apart: {:.2f} x", found.machine));
    }
    /// Calls `prepare(rows)` with enough rows to keep one thread busy for a while. The question is how work is shared,
    /// not how fast a thread wakes up.
    scaling scaling_of_rows(std::function<std::function<void(engine const&)>(std::int64_t)> const& prepare) const {
        engine const one = of_threads(1);
        std::int64_t rows = at_.quick ? 64 : 256;
        std::function<void(engine const&)> call = prepare(rows);
        for (call(one); rows < max_scaled_rows && !at_.quick; call = prepare(rows)) {
            double const took = seconds_of([&] { call(one); });
            if (took >= busy_seconds) {
                break;
            }
            rows = std::min(max_scaled_rows, rows * std::max<std::int64_t>(2, std::int64_t(busy_seconds / took)));
        }
        return scaling_of(call);
    }
    void improve_scales(goal& of) {
        if (has_cores(of, 2)) {
            engine const by = of_threads(2);
            for (std::int32_t const task : at_.tasks) {
                see_scaling(
                    of, by.tasks()[std::size_t(task)].name, scaling_of_rows([&](std::int64_t rows) {
                        auto const from = std::make_shared<search_starts>(greedy_starts(setting_of(by, task), rows));
                        return [from](engine const& on) {
                            static_cast<void>(on.improve(from->instances.view(), from->answers.view(), search_steps));
                        };
                    }));
            }
        }
    }
    void solve_scales(goal& of) {
        if (has_cores(of, 2)) {
            engine const by = of_threads(2);
            for (std::int32_t const task : at_.tasks) {
                see_scaling(of, by.tasks()[std::size_t(task)].name, scaling_of_rows([&](std::int64_t rows) {
                                auto const batch =
                                    std::make_shared<instance_batch>(by.generate(specs_of(setting_of(by, task), rows)));
                                return [batch](engine const& on) { static_cast<void>(on.solve(batch->view())); };
                            }));
            }
        }
    }
    void cost_flat(goal& of) {
        engine const by = of_threads(0);
        std::vector<double> costs;
        for (std::int64_t const rollouts : stream_sizes) {
            if (at_.quick && rollouts > largest_quick_stream) {
                of.note = "streams above " + std::to_string(largest_quick_stream) + " are left out of a quick run";
                return;
            }
            setting how = setting_of(by);
            how.batch = rollouts;
            measurement const made = bench_rollouts(how);
            costs.push_back(quantile(made.seconds, 0.5) / made.items);
        }
        double mean = 0;
        for (double const cost : costs) {
            mean += cost / double(costs.size());
        }
        of.value = 0;
        for (double const cost : costs) {
            of.value = std::max(*of.value, std::abs(cost / mean - 1));
        }
        of.note = "mean " + std::to_string(mean * 1e6).substr(0, 5) + " us a rollout";
    }

    goals_setting const& at_;
    std::function<void(goal const&)> const& seen_;
    bool gpu_;
};

}  // namespace

std::vector<goal> promised_goals() {
    return {
        {"improve_moves", "tsp: exchanges evaluated, each counted once", device::cuda, "moves/s", 1.4e12},
        {"verify_gain", "answers verified in device memory, over the host's cores", device::cuda, "times", 4},
        {"generate_gain", "instances generated in device memory, over the host's cores", device::cuda, "times", 4},
        {"step_16_cores", "384 x 16 texts of 16 kB in pinned memory, 16 threads", device::cuda, "s", 8e-3, false},
        {"interference", "a trainer's loop slowed down by the default engine", device::cuda, "share", largest_slowdown,
         false},
        {"step_2_cores", "384 x 16 texts of 16 kB, 2 threads", device::cpu, "s", 60e-3, false},
        {"improve_scales", "improve, two threads over one", device::cpu, "times", 1.9},
        {"solve_scales", "solve, two threads over one", device::cpu, "times", 1.9},
        {"cost_flat", "a rollout's cost in streams of 10^3 to 10^7, largest distance from their mean", device::cpu,
         "share", 0.1, false},
    };
}

std::vector<goal> measure_goals(goals_setting const& at, std::function<void(goal const&)> const& seen) {
    return goal_run(at, seen).run();
}

}  // namespace optgap::bench
