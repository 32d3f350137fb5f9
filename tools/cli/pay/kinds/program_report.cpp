// What a command says of programs beside their rows: how long each ran, what was masked or repeated, what runs may
// cost.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "tools/cli/pay/kinds/program_rows.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

void program_rows::write_timings(programs::program_matrix const& found, std::span<std::int64_t const> line_of) {
    if (timings_ == nullptr) {
        return;
    }
    for (programs::run_timing const& one : found.timings) {
        fmt::print(timings_,
                   R"({{"row":{},"instance":{},"repeat":{},"cpu_ms":{:.3f},"wall_ms":{:.3f},"wait_ms":{:.3f},)"
                   R"("peak_kb":{},"slot":{},"tries":{}}})"
                   "\n",
                   line_of[std::size_t(one.row)], one.instance, one.repeat, one.cpu_ms, one.wall_ms, one.wait_ms,
                   one.peak_kb, one.slot, one.tries);
    }
    if (std::fflush(timings_) != 0) {
        throw io_error(fmt::format("cannot write {}", options_.timings));
    }
}

void program_rows::report(bool json) {
    if (options_.estimate) {
        std::int32_t const threads = ctx_.get_engine().threads();
        std::int32_t const slots =
            options_.slots > 0 ? options_.slots : std::max(1, threads - std::max(1, threads / 4));
        double const run_s = estimated_.run_ms / 1000, compile_s = estimated_.compile_ms / 1000;
        double const minutes = (run_s + compile_s) / double(slots) / 60;
        if (json) {
            write_stdout(fmt::format(R"({{"rows":{},"programs":{},"different":{},"runs":{},"run_core_seconds":{:.3f},)"
                                     R"("compile_core_seconds":{:.3f},"slots":{},"minutes":{:.3f}}})"
                                     "\n",
                                     estimated_.rows, estimated_.programs, estimated_.different.size(), estimated_.runs,
                                     run_s, compile_s, slots, minutes));
        } else {
            write_stdout(
                fmt::format("{} rows hold {} programs, {} of them different: {} runs\n"
                            "at most {:.1f} core-seconds of runs, about {:.1f} of compiling\n"
                            "on {} slot{}: at most {:.2f} minutes\n",
                            estimated_.rows, estimated_.programs, estimated_.different.size(), estimated_.runs, run_s,
                            compile_s, slots, slots == 1 ? "" : "s", minutes));
        }
        return;
    }
    if (cells_ == 0) {
        return;
    }
    if (counts_.masked > 0) {
        ctx_.warn(fmt::format("{} row{} lost a run to the machine, not to the program: no reward, advantage 0",
                              counts_.masked, counts_.masked == 1 ? "" : "s"));
        ctx_.end_with(exit_rejected);
    }
    if (counts_.suspected > 0) {
        ctx_.note(
            fmt::format("{} run{} ended three times like a fault of the machine beside healthy ones, and count as "
                        "crashes of the program",
                        counts_.suspected, counts_.suspected == 1 ? "" : "s"));
    }
    if (options_.repeats > 1) {
        ctx_.note(
            fmt::format("{} runs of each program and instance: the verdict changed for {:.2f} % of {} cells, the "
                        "rank within the group for {:.2f} %",
                        options_.repeats, 100.0 * double(counts_.changed) / double(cells_), cells_,
                        100.0 * changed_ranks_ / double(std::max<std::int64_t>(1, ranked_cells_))));
    }
}

}  // namespace optgap::cli
