// generate, verify, improve, solve: one task each.

#include <algorithm>
#include <chrono>
#include <string>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/key.hpp"
#include "optgap/task_choice.hpp"

namespace optgap::bench {

namespace {

/// A move's gain is a difference of sums, compared with the best so far: at least two additions and a minimum.
constexpr double operations_per_evaluation = 3;

/// The shared memory accesses that limit a search on a GPU. tsp: a scan of n cities loads three words for each of n^2 /
/// 2 exchanges and nine for each of n^2 sets of five insertions (kernels/tasks/tsp/tsp_moves.hpp).
struct shared_loads {
    char const* task;
    double bytes_per_evaluation;
};
constexpr shared_loads known_loads[] = {{"tsp", 4 * (0.5 * 3 + 9) / 5.5}};

std::int64_t batch_or(setting const& at, std::int64_t own) { return at.batch > 0 ? at.batch : own; }

}  // namespace

std::vector<instance_spec> specs_of(setting const& at, std::int64_t count) {
    std::vector<instance_spec> specs;
    for (std::int64_t i = 0; i < count; ++i) {
        specs.push_back({at.task, at.level, split::test, std::uint64_t(i)});
    }
    return specs;
}

std::vector<draw> draws_of(setting const& at, std::int64_t count) {
    task_info const& task = at.by.tasks()[std::size_t(at.task)];
    std::uint32_t const domain = random_domain(task.name, task.version, split::test, at.level);
    std::vector<draw> draws;
    for (std::int64_t i = 0; i < count; ++i) {
        draws.push_back({std::uint64_t(i), domain});
    }
    return draws;
}

std::string name_of_tasks(setting const& at, char const* every) {
    std::string names;
    for (std::int32_t const task : at.tasks) {
        names += (names.empty() ? "" : "+") + std::string(at.by.tasks()[std::size_t(task)].name);
    }
    return names.empty() ? every : names;
}

measurement start_of(setting const& at, char const* workload, char const* unit, std::int64_t batch) {
    measurement made;
    made.workload = workload;
    made.task = at.by.tasks()[std::size_t(at.task)].name;
    made.level = level_name(at.level);
    made.unit = unit;
    made.batch = batch;
    made.items = double(batch);
    return made;
}

std::vector<need> needs_of_evaluations(std::string_view task, double evaluations) {
    std::vector<need> needs{{"integer_add", operations_per_evaluation * evaluations}};
    for (shared_loads const& known : known_loads) {
        if (task == known.task) {
            needs.push_back({"shared_load", known.bytes_per_evaluation * evaluations});
        }
    }
    return needs;
}

search_starts greedy_starts(setting const& at, std::int64_t count) {
    instance_batch const all = at.by.generate(specs_of(at, count));
    csr_words const greedy = at.by.greedy(all.view());
    std::vector<verdict> const usable = at.by.verify(all.view(), greedy.view());
    search_starts starts;
    for (std::int64_t r = 0; r < count; ++r) {
        if (!greedy.row(r).empty() && usable[std::size_t(r)].feasible()) {
            starts.instances.append(at.task, all.blocks.row(r));
            starts.answers.append(greedy.row(r));
        }
    }
    expect(starts.instances.size() > 0, "greedy solves none of the instances");
    return starts;
}

measurement bench_generate(setting const& at) {
    std::int64_t const count = batch_or(at, 4096);
    std::vector<instance_spec> const specs = specs_of(at, count);
    instance_batch const made = at.by.generate(specs);
    for (std::int64_t r = 0; r < std::min<std::int64_t>(count, 64); ++r) {
        at.by.check(at.task, made.blocks.row(r));
    }
    expect(made.blocks == at.by.generate(specs).blocks, "two runs differ");
    measurement result = start_of(at, "generate", "instances", count);
    result.seconds = sample(at.seconds, [&] { static_cast<void>(at.by.generate(specs)); });
    double const bytes = double(made.blocks.words.size() * sizeof(std::int32_t));
    result.needs = {{"copy", bytes}, {"download", bytes}};
    return result;
}

/// The size query that an executor makes before it generates. It runs on one lane, whatever the engine's threads are.
measurement bench_generate_sizes(setting const& at) {
    std::int64_t const count = batch_or(at, 4096);
    std::vector<instance_spec> const specs = specs_of(at, count);
    std::vector<draw> const sources = draws_of(at, count);
    task_kernels const& task = *registry()[std::size_t(at.task)].builds[best_instruction_set()];
    instance_batch const made = at.by.generate(specs);
    std::int64_t scratch = 0;
    measurement result = start_of(at, "generate_sizes", "instances", count);
    result.seconds = sample(at.seconds, [&] {
        for (std::size_t r = 0; r < sources.size(); ++r) {
            std::int64_t const words = task.instance_words(sources[r], at.level);
            scratch += task.generate_scratch_words(sources[r], at.level);
            expect(words == std::int64_t(made.blocks.row(std::int64_t(r)).size()), "an instance has another size");
        }
    });
    expect(scratch >= 0, "scratch is negative");
    return result;
}

measurement bench_verify(setting const& at) {
    std::int64_t const instances = batch_or(at, 16384) / group_size;
    instance_batch const batch = at.by.generate(specs_of(at, instances));
    solved_batch const solved = at.by.solve(batch.view());
    csr_words const answers = perturbed_answers(at.by, batch.view(), solved.answers, 1);
    std::vector<std::int32_t> of;
    for (std::int64_t r = 0; r < answers.rows(); ++r) {
        of.push_back(std::int32_t(r / group_size));
    }
    std::vector<verdict> const found = at.by.verify(batch.view(), answers.view(), of);
    for (std::size_t r = 0; r < found.size(); r += group_size) {
        expect(found[r].feasible() && found[r].objective == solved.rows[r / group_size].objective,
               "the optimum of row " + std::to_string(r) + " is not verified");
    }
    measurement result = start_of(at, "verify", "answers", answers.rows());
    result.seconds = sample(at.seconds, [&] { static_cast<void>(at.by.verify(batch.view(), answers.view(), of)); });
    double const in = double((batch.blocks.words.size() + answers.words.size()) * sizeof(std::int32_t));
    double const out = double(found.size() * sizeof(verdict));
    result.needs = {{"copy", in + out}, {"upload", in}, {"download", out}};
    return result;
}

measurement bench_improve(setting const& at) {
    std::int64_t const count = batch_or(at, 256);
    search_starts const from = greedy_starts(at, count);
    instance_batch const& batch = from.instances;
    csr_words const& starts = from.answers;
    improved_batch const improved = at.by.improve(batch.view(), starts.view(), at.steps);
    std::vector<verdict> const found = at.by.verify(batch.view(), improved.answers.view());
    for (std::size_t r = 0; r < found.size(); ++r) {
        expect(found[r].feasible() && found[r].objective == improved.objective[r],
               "row " + std::to_string(r) + " is not what it claims");
    }
    measurement result = start_of(at, "improve", "evaluations", batch.size());
    result.items = double(improved.evaluations);
    result.seconds =
        sample(at.seconds, [&] { static_cast<void>(at.by.improve(batch.view(), starts.view(), at.steps)); });
    result.needs = needs_of_evaluations(result.task, result.items);
    return result;
}

/// Requires a proof from tasks that promise one, and otherwise a best answer with a bound.
void expect_known(baseline const& row, std::int32_t task, std::size_t r) {
    bool const claims = registry()[std::size_t(task)].text->can.proves;
    expect(claims ? row.proven() : row.proven() || row.status == baseline_status::bounded,
           "row " + std::to_string(r) + (claims ? " is not proven" : " has no baseline"));
}

measurement bench_solve(setting const& at) {
    std::int64_t const count = batch_or(at, 512);
    instance_batch const batch = at.by.generate(specs_of(at, count));
    solved_batch const solved = at.by.solve(batch.view());
    for (std::size_t r = 0; r < solved.rows.size(); ++r) {
        expect_known(solved.rows[r], at.task, r);
    }
    measurement result = start_of(at, "solve", "labels", count);
    using clock = std::chrono::steady_clock;
    for (std::int64_t r = 0; r < count; ++r) {
        instance_batch one;
        one.append(at.task, batch.blocks.row(r));
        auto const begin = clock::now();
        static_cast<void>(at.by.solve(one.view()));
        result.latencies.push_back(std::chrono::duration<double>(clock::now() - begin).count());
    }
    result.seconds = sample(at.seconds, [&] { static_cast<void>(at.by.solve(batch.view())); });
    return result;
}

measurement bench_mix(setting const& at) {
    std::int64_t const count = batch_or(at, 64);
    std::vector<std::int32_t> const tasks = at.tasks.empty() ? choose_tasks("all", at.by.tasks()) : at.tasks;
    std::vector<instance_spec> specs;
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int32_t const task : tasks) {
            specs.push_back({task, at.level, split::test, std::uint64_t(i)});
        }
    }
    auto const label = [&] { return at.by.solve(at.by.generate(specs).view()); };
    solved_batch const solved = label();
    for (std::size_t r = 0; r < solved.rows.size(); ++r) {
        expect_known(solved.rows[r], specs[r].task, r);
    }
    measurement result = start_of(at, "mix", "mixes", count);
    result.task = name_of_tasks(at, "one of each");
    result.seconds = sample(at.seconds, [&] { static_cast<void>(label()); });
    return result;
}

}  // namespace optgap::bench
