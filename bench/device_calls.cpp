// Shows where a GPU makes a call faster: growing batches on the GPU and on the host's cores, and the time until the
// first call.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t min_rows = 64;
constexpr int doublings = 5;  ///< steps of a factor of four: up to 65,536 rows

/// An engine on the same device that never falls back to the CPU.
engine strict(setting const& at) {
    return engine({.where = at.by.where() == device::cuda ? device::cuda : device::cpu,
                   .threads = at.by.threads(),
                   .on_fallback = fallback::error,
                   .ordinal = at.ordinal,
                   .server = "off"});
}

/// Times of both devices for growing numbers of rows. `make(rows)` returns the function that is called on an engine.
template <class Make>
measurement crossing(setting const& at, char const* workload, char const* unit, Make const& make) {
    engine const there = strict(at);
    engine const here({.where = device::cpu, .threads = at.by.threads(), .server = "off"});
    std::int64_t const most = at.batch > 0 ? at.batch : min_rows << (2 * doublings);
    std::int64_t rows = std::min(min_rows, most);
    measurement result = start_of(at, workload, unit, most);
    for (;; rows = std::min(4 * rows, most)) {
        auto const call = make(rows);
        expect(call(there) == call(here), "the devices differ at " + std::to_string(rows) + " rows");
        double const budget = at.seconds / (2 * doublings);
        std::vector<double> const cores = sample(budget, [&] { static_cast<void>(call(here)); });
        result.seconds = sample(budget, [&] { static_cast<void>(call(there)); });
        result.ratios.emplace_back(std::to_string(rows), quantile(cores, 0.5) / quantile(result.seconds, 0.5));
        if (rows == most) {
            return result;
        }
    }
}

/// Wall seconds of this program with these arguments, its output discarded; nullopt where it does not exit with 0.
std::optional<double> seconds_of_program(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "optgap");
    std::vector<char*> words;
    for (std::string& each : arguments) {
        words.push_back(each.data());
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    auto const begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    int status = posix_spawn(&child, "/proc/self/exe", &files, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0 || waitpid(child, &status, 0) != child || status != 0) {
        return std::nullopt;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

measurement bench_crossover_generate(setting const& at) {
    return crossing(at, "crossover_generate", "instances", [&](std::int64_t rows) {
        return [specs = specs_of(at, rows)](engine const& by) { return by.generate(specs).blocks; };
    });
}

measurement bench_crossover_verify(setting const& at) {
    search_starts const from = greedy_starts(at, min_rows);
    expect(from.answers.rows() > 0, "no greedy answer");
    return crossing(at, "crossover_verify", "answers", [&](std::int64_t rows) {
        csr_words answers;
        std::vector<std::int32_t> of;
        for (std::int64_t r = 0; r < rows; ++r) {
            of.push_back(std::int32_t(r % from.answers.rows()));
            answers.append(from.answers.row(of.back()));
        }
        return [&from, answers = std::move(answers), of = std::move(of)](engine const& by) {
            return by.verify(from.instances.view(), answers.view(), of);
        };
    });
}

measurement bench_crossover_improve(setting const& at) {
    return crossing(at, "crossover_improve", "searches", [&](std::int64_t rows) {
        return [from = greedy_starts(at, rows), steps = at.steps](engine const& by) {
            return by.improve(from.instances.view(), from.answers.view(), steps).answers;
        };
    });
}

/// `process` runs without an engine, `engine` makes one. A sample is the latter.
measurement bench_start_up(setting const& at) {
    measurement result = start_of(at, "start_up", "processes", 1);
    result.task = "mixed";
    std::string where = at.by.where() == device::cuda ? "cuda" : "cpu";
    where += at.ordinal < 0 ? "" : ":" + std::to_string(at.ordinal);
    std::vector<double> bare;
    for (int round = 0; round < 5; ++round) {
        auto const process = seconds_of_program({"--version"});
        auto const whole = seconds_of_program({"info", "--device", where, "--quiet"});
        expect(process && whole, "this program does not run as a process of its own");
        bare.push_back(*process);
        result.seconds.push_back(*whole);
    }
    result.stages = {{"process", quantile(bare, 0.5)}, {"engine", quantile(result.seconds, 0.5)}};
    return result;
}

/// One instance: `made` is the engine, `first` its first call, for which a GPU loads the task's kernels once per
/// process, `next` another one.
measurement bench_first_call(setting const& at) {
    measurement result = start_of(at, "first_call", "calls", 1);
    std::vector<instance_spec> const one = specs_of(at, 1);
    auto const now = [] { return std::chrono::steady_clock::now(); };
    auto const begin = now();
    engine const fresh = strict(at);
    auto const made = now();
    csr_words const first = fresh.generate(one).blocks;
    auto const called = now();
    expect(first == at.by.generate(one).blocks, "the first call's instance");
    result.seconds = sample(at.seconds / 10, [&] { static_cast<void>(fresh.generate(one)); });
    auto const seconds = [](auto span) { return std::chrono::duration<double>(span).count(); };
    result.stages = {
        {"made", seconds(made - begin)}, {"first", seconds(called - made)}, {"next", quantile(result.seconds, 0.5)}};
    return result;
}

}  // namespace optgap::bench
