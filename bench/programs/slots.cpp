// Throughput of slots beside other ways to run programs, and a trainer's loss beside busy slots, in wall time.

#include <algorithm>

#include "bench/interference.hpp"
#include "bench/programs/held.hpp"
#include "host/programs/native/toolchains.hpp"

namespace optgap::bench {
namespace {

using programs::program_language;

constexpr std::int64_t max_slot_runs = 20;

}  // namespace

measurement bench_program_slots(setting const& at) {
    std::int64_t const runs = at.batch > 0 ? std::min(at.batch, max_slot_runs) : max_slot_runs;
    measurement made = row_of_programs("program_slots", "runs of 50 ms on one slot", runs);
    held_program const held("jail", 1, program_language::python, busy_python);
    programs::python_toolchain const python = programs::find_python();
    if (!held.why_not.empty()) {
        made.why_none = held.why_not;
        return made;
    }
    scratch_folder const folder;
    shown_program const same = shown_without(program_language::python, busy_python, python.path, folder);
    std::vector<double> busy;
    std::vector<std::vector<double>> others(ways_without_sandbox().size());
    double const begin = wall_now();
    while (made.seconds.size() < std::size_t(fewest_rounds) || wall_now() - begin < at.seconds) {
        double const before = wall_now();
        std::vector<programs::run_result> const ran = held.run(made.batch);
        made.seconds.push_back(wall_now() - before);
        busy.push_back(sum_of(ran, &programs::run_result::wall_ms) / made.seconds.back());
        for (std::size_t k = 0; k < others.size(); ++k) {
            others[k].push_back(time_of(ways_without_sandbox()[k], python.path, same, made.batch).wall);
        }
    }
    made.ratios = {{"slots busy", quantile(busy, 0.5)}};
    for (std::size_t k = 0; k < others.size(); ++k) {
        made.ratios.emplace_back("speed of " + ways_without_sandbox()[k],
                                 quantile(others[k], 0.5) / quantile(made.seconds, 0.5));
    }
    return made;
}

measurement bench_program_beside(setting const& at) {
    held_program const held("jail", 0, program_language::python, busy_python);
    measurement made =
        row_of_programs("program_beside", "runs of 50 ms beside a trainer's loop", held.in ? 2 * held.in->slots() : 0);
    if (!held.why_not.empty()) {
        made.why_none = held.why_not;
        return made;
    }
    auto const call = [&] { static_cast<void>(held.run(made.batch)); };
    std::vector<trainer_loop> const loops = cpu_loops();
    double const window = at.seconds / (3.0 * fewest_rounds * double(loops.size()));
    for (trainer_loop const& loop : loops) {
        std::vector<double> slower, kept;
        for (int round = 0; round < fewest_rounds; ++round) {
            interference_round const one = measure_round(loop, call, made.batch, window, round % 2 == 1);
            slower.push_back(one.slowdown());
            kept.push_back(one.kept());
            made.seconds.push_back(made.items / one.engine_beside);
        }
        made.ratios.emplace_back(loop.name + " slower", quantile(slower, 0.5));
        made.ratios.emplace_back(loop.name + " slower, p90", quantile(slower, 0.9));
        made.ratios.emplace_back("programs keep beside " + loop.name, quantile(kept, 0.5));
    }
    return made;
}

}  // namespace optgap::bench
