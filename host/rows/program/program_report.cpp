// The run's report on programs: how long each ran, what was masked or repeated, and an estimate of the cost of runs.

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "host/rows/program/program.hpp"

namespace optgap::rows {

void program_kind::estimate(row_batch const& batch) {
    for (std::size_t const i : batch.mine) {
        program_claim const& claim = claims_[i];
        programs::program_row const& row = claim.row;
        programs::found_program const found = programs::extract_program(row.completion, *row.format, row.language,
                                                                        row.finished, row.limits.source_kb * 1024);
        ++estimated_.rows;
        if (found.code != code_ok) {
            continue;
        }
        std::int64_t const count = claim.own != nullptr ? std::int64_t(claim.seeds.size())
                                                        : problems_.all()[std::size_t(claim.problem)].rows.count;
        ++estimated_.programs;
        estimated_.runs += count * options_.repeats;
        estimated_.run_ms += double(count) * double(options_.repeats) * double(row.limits.run.cpu_ms);
        std::string const name = fmt::format("{} {}", name_of(row.language), programs::source_hash(found.source));
        if (estimated_.different.insert(name).second) {
            // The time of compiling with a precompiled header and of Python's own check of a file, as measured in
            // docs/sandbox.md.
            estimated_.compile_ms += row.language == programs::program_language::cpp ? 700.0 : 50.0;
        }
    }
}

void program_kind::write_timings(programs::program_matrix const& found, std::span<std::int64_t const> line_of) {
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
        throw error(status::internal, fmt::format("cannot write {}", options_.timings));
    }
}

void program_kind::tell(run_report& out) const {
    if (options_.estimate) {
        std::int32_t const threads = run_.by.threads();
        std::int32_t const slots =
            options_.slots > 0 ? options_.slots : std::max(1, threads - std::max(1, threads / 4));
        double const run_s = estimated_.run_ms / 1000, compile_s = estimated_.compile_ms / 1000;
        double const minutes = (run_s + compile_s) / double(slots) / 60;
        out.json = fmt::format(R"({{"rows":{},"programs":{},"different":{},"runs":{},"run_core_seconds":{:.3f},)"
                               R"("compile_core_seconds":{:.3f},"slots":{},"minutes":{:.3f}}})"
                               "\n",
                               estimated_.rows, estimated_.programs, estimated_.different.size(), estimated_.runs,
                               run_s, compile_s, slots, minutes);
        out.page = fmt::format(
            "{} rows hold {} programs, {} of them different: {} runs\n"
            "at most {:.1f} core-seconds of runs, about {:.1f} of compiling\n"
            "on {} slot{}: at most {:.2f} minutes\n",
            estimated_.rows, estimated_.programs, estimated_.different.size(), estimated_.runs, run_s, compile_s, slots,
            slots == 1 ? "" : "s", minutes);
        return;
    }
    if (cells_ == 0) {
        return;
    }
    if (counts_.masked > 0) {
        out.warn(fmt::format("{} row{} lost a run to the machine, not to the program: no reward, advantage 0",
                             counts_.masked, counts_.masked == 1 ? "" : "s"));
        out.lost = true;
    }
    if (counts_.suspected > 0) {
        out.note(
            fmt::format("{} run{} ended three times like a fault of the machine beside healthy ones, and count as "
                        "crashes of the program",
                        counts_.suspected, counts_.suspected == 1 ? "" : "s"));
    }
    if (options_.repeats > 1) {
        out.note(
            fmt::format("{} runs of each program and instance: the verdict changed for {:.2f} % of {} cells, the "
                        "rank within the group for {:.2f} %",
                        options_.repeats, 100.0 * double(counts_.changed) / double(cells_), cells_,
                        100.0 * changed_ranks_ / double(std::max<std::int64_t>(1, ranked_cells_))));
    }
}

}  // namespace optgap::rows
