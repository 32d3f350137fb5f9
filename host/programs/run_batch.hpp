#pragma once
// Runs programs from completions on the hidden instances of their problems: extract, compile, run, read, verify. The
// result is a matrix of verdicts; host/program_runs turns it into rewards.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/programs/extract.hpp"
#include "host/programs/input_form.hpp"
#include "host/programs/instance_set.hpp"
#include "host/programs/limits.hpp"
#include "optgap/engine.hpp"

namespace optgap::programs {

/// The hidden instances of one problem: rows [first, first + count) of the batch's instances, all of one task.
struct problem_rows {
    std::int64_t first = 0;
    std::int32_t count = 0;
};

/// One completion. Text and format are borrowed for the call.
struct program_row {
    std::string_view completion;
    format_spec const* format = nullptr;
    finish finished = finish::unknown;
    program_language language = program_language::python;
    input_form input = input_form::json;
    program_limits limits;
    std::int32_t problem = 0;
    program_interface interface = program_interface::stdio;
};

/// When equal programs of one problem and language, under the same limits, run only once for all of their rows.
enum class dedupe_rule : std::int32_t {
    deterministic = 0,  ///< where the isolation level gives the same verdicts every time
    always,
};

struct batch_options {
    bool fail_fast = false;  ///< a program without a valid answer on its first three instances is not run on the others
    dedupe_rule dedupe = dedupe_rule::deterministic;
    std::int32_t repeats = 1;   ///< runs of every cell; the first one counts, the others show the noise
    std::stop_token stop = {};  ///< on a stop, waiting runs are dropped, current ones killed; their rows are masked
};

/// One program on one instance.
struct run_cell {
    verdict found;           ///< code: a verdict_code, a program_code or the task's
    std::int64_t steps = 0;  ///< only of deterministic isolation levels
};

/// The cost of one run. It is not part of a row, since it varies from run to run.
struct run_timing {
    std::int64_t row = 0;
    std::int32_t instance = 0, repeat = 0, slot = -1, tries = 1;
    double cpu_ms = 0, wall_ms = 0, wait_ms = 0;
    std::int64_t peak_kb = 0;
};

/// The result of one row beside its cells.
struct program_fate {
    std::int32_t code = code_ok;  ///< of the text or the compilation, which all its cells share; code_ok: it was run
    text_span span;               ///< place of the source in the completion
    std::string hash;             ///< of the source; empty when there is none
    std::string source;
    std::string compile_line;  ///< the compiler's first complaint
    std::string trouble;       ///< what failed, for infrastructure
    bool masked = false;       ///< a cell was lost to infrastructure, so the row gets no reward
};

struct batch_counts {
    std::int64_t programs = 0;  ///< rows with a program
    std::int64_t compiled = 0, compile_cached = 0;
    std::int64_t runs = 0, copied = 0;                    ///< copied: cells of a program whose equal had run
    std::int64_t left_out = 0;                            ///< not_run
    std::int64_t masked = 0, suspected = 0, retried = 0;  ///< rows; cells; runs
    std::int64_t changed = 0;                             ///< cells whose verdict differs in some repeat

    batch_counts& operator+=(batch_counts const& more);
};

struct program_matrix {
    std::vector<program_fate> rows;
    std::vector<std::int64_t> begin{0};  ///< the cells of row r are cells[begin[r], begin[r + 1])
    std::vector<run_cell> cells;
    std::vector<run_timing> timings;
    /// The repeats except the first, as [repeat - 1][cell]. `changed` and rank changes are counted from them.
    std::vector<std::vector<run_cell>> repeated;
    batch_counts counts;

    [[nodiscard]] std::span<run_cell const> of_row(std::int64_t row) const {
        return std::span(cells).subspan(std::size_t(begin[std::size_t(row)]),
                                        std::size_t(begin[std::size_t(row) + 1] - begin[std::size_t(row)]));
    }
};

/// Runs programs on the instances that their problems name. Faults of candidates become cells, faults of the machine
/// become masked rows. Throws only for misuse.
program_matrix run_programs(sandbox& in, instance_set& instances, std::span<problem_rows const> problems,
                            std::span<program_row const> rows, batch_options const& options = {});
/// The same with instances of an engine's tasks.
program_matrix run_programs(engine const& by, sandbox& in, instance_view instances,
                            std::span<problem_rows const> problems, std::span<program_row const> rows,
                            batch_options const& options = {});

/// The program_code (or code_ok) of a run's or a compilation's end.
[[nodiscard]] std::int32_t code_of(run_code ended);

}  // namespace optgap::programs
