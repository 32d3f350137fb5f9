// The cost of a run beside the program's own work (docs/sandbox.md): processor time of all processes, in the sandbox
// and without it, in turns.

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "bench/programs/held.hpp"
#include "host/programs/native/toolchains.hpp"

namespace optgap::bench {
namespace {

using programs::program_language;

constexpr std::int64_t runs_a_sample = 50;
constexpr std::int64_t runs_a_call = 10;  ///< as for a program's instances; a module has one process for them
constexpr char const* python_source = "print(1)\n";
constexpr char const* module_source = R"wat((module
    (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1) (data (i32.const 8) "1\n")
    (func (export "_start") (i32.store (i32.const 0) (i32.const 8)) (i32.store (i32.const 4) (i32.const 2))
        (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))))))wat";
double clock_now(clockid_t clock) {
    timespec now{};
    return clock_gettime(clock, &now) == 0 ? double(now.tv_sec) + double(now.tv_nsec) * 1e-9 : 0.0;
}

/// Processor seconds of this process and of its running children, such as the broker, without the runs in it.
double own_cpu_now() {
    double sum = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    std::error_code failed;
    for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task", failed)) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) {
            clockid_t clock{};
            sum += clock_getcpuclockid(child, &clock) == 0 ? clock_now(clock) : 0.0;
        }
    }
    return sum;
}

/// Processor time of runs that print a line, in the sandbox and without it, in turns. Modules are compared with native
/// C++.
measurement cost_of_runs(setting const& at, char const* workload, std::string const& isolation,
                         program_language language, char const* source) {
    measurement made = row_of_programs(workload, "runs a processor second", at.batch > 0 ? at.batch : runs_a_sample);
    held_program const held(isolation, 1, language, source);
    programs::python_toolchain const python = programs::find_python();
    if (!held.why_not.empty() || python.path.empty()) {
        made.why_none = held.why_not.empty() ? python.trouble : held.why_not;
        return made;
    }
    scratch_folder const folder;
    shown_program const same = shown_without(language, source, python.path, folder);
    static_cast<void>(held.run(1));
    std::vector<double> own;
    std::vector<std::vector<double>> others(ways_without_sandbox().size());
    double const begin = wall_now();
    while (made.seconds.size() < std::size_t(fewest_rounds) || wall_now() - begin < at.seconds) {
        double const before = own_cpu_now();
        own.push_back(0);
        for (std::int64_t done = 0; done < made.batch; done += runs_a_call) {
            own.back() += sum_of(held.run(std::min(runs_a_call, made.batch - done)), &programs::run_result::cpu_ms);
        }
        made.seconds.push_back(own_cpu_now() - before + own.back());
        for (std::size_t k = 0; k < others.size(); ++k) {
            others[k].push_back(time_of(ways_without_sandbox()[k], python.path, same, made.batch).cpu);
        }
    }
    double const count = double(made.batch);
    double const ours = quantile(made.seconds, 0.5);
    made.stages = {{"a run", ours / count}, {"of it the program's process", quantile(own, 0.5) / count}};
    for (std::size_t k = 0; k < others.size(); ++k) {
        double const theirs = quantile(others[k], 0.5);
        made.stages.emplace_back(ways_without_sandbox()[k], theirs / count);
        made.ratios.emplace_back("of " + ways_without_sandbox()[k], ours / theirs);
    }
    return made;
}

}  // namespace

measurement bench_program_cpp(setting const& at) {
    return cost_of_runs(at, "program_cpp", "jail", program_language::cpp, line_in_cpp);
}

measurement bench_program_python(setting const& at) {
    return cost_of_runs(at, "program_python", "jail", program_language::python, python_source);
}

measurement bench_program_module(setting const& at) {
    return cost_of_runs(at, "program_module", "wasm", program_language::wasm, module_source);
}

}  // namespace optgap::bench
