#pragma once
// Rows whose completion is a program (docs/programs.md). They run only where the options name an isolation; else each
// is an error row.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "host/pay/program_pay.hpp"
#include "host/store/snapshot.hpp"
#include "tools/cli/pay/kinds/program_problems.hpp"
#include "tools/cli/pay/scored_row.hpp"
#include "tools/cli/rows/rollout.hpp"

namespace optgap::cli {

/// What a row says of its program.
struct program_claim {
    programs::program_row row;
    std::int32_t problem = -1;                   ///< of program_problems
    std::vector<std::optional<baseline>> given;  ///< per instance, as `baselines` says; empty: none
};

/// Reads `language`, `interface`, `input`, `limits`, `baselines`; throws field_error. Text, format and finish are the
/// rollout's.
program_claim read_program(json_row const& row, rollout const& roll, program_options const& options,
                           program_problems& problems);

/// One sandbox a language, and one for rows whose limits name steps, opened when the first row needs it.
class program_sandboxes {
public:
    explicit program_sandboxes(program_options const& options) : options_(options) {}
    /// Throws error with a sentence for users where none holds programs of the language; also the next time.
    programs::sandbox& of(programs::program_language language, bool steps);

private:
    struct place {
        std::unique_ptr<programs::sandbox> open;
        std::string refused;
    };
    program_options const& options_;
    place places_[programs::language_count][2];
};

/// What a scored program row shows beside the columns of all rows.
struct program_details {
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> objectives;  ///< no_objective where invalid
    std::vector<double> scores;            ///< NaN where invalid
    std::vector<baseline> baselines;
    double valid = 0;
    std::string hash;
    std::string rung;
    programs::program_language language = programs::program_language::python;
    bool masked = false;
};

class program_rows {
public:
    /// `known`: where baselines come from before they are solved; nullptr: nowhere.
    program_rows(context& ctx, program_options const& options, std::int64_t budget, store::snapshot* known);
    ~program_rows();

    /// Marks the rows that are paid here, and rejects all of them where nothing may run.
    static void claim(std::span<row_item> items, program_options const& options);
    /// Writes the entries of the rows that are marked and still sound. `group_of(i, name)` gives item i's group, where
    /// the row itself names none by `name`.
    void score(std::span<row_item> items, std::span<rollout const> rollouts, reward_rules const& reward, bool ranks,
               std::function<std::int32_t(std::size_t, std::string const&)> const& group_of, std::span<scored_row> out);

    [[nodiscard]] program_details const& details(scored_row const& row) const {
        return details_[std::size_t(row.program)];
    }
    /// Says on stderr what was masked, copied, repeated; sets the exit code of masked rows. With --estimate prints what
    /// the runs may cost.
    void report(bool json);

private:
    struct batch;
    void read_batch(std::span<row_item> items, std::span<rollout const> rollouts, batch& out);
    void solve(batch& in);
    /// Rows that need a baseline of a snapshot's row that changed.
    static void reject_damaged(batch const& in, std::span<row_item> items);
    void run_language(programs::program_language language, bool steps, batch const& in, std::span<row_item> items,
                      reward_rules const& reward, bool ranks,
                      std::function<std::int32_t(std::size_t, std::string const&)> const& group_of,
                      std::span<scored_row> out);
    void write_timings(programs::program_matrix const& found, std::span<std::int64_t const> line_of);
    void estimate(batch const& in);

    context& ctx_;
    program_options const& options_;
    std::int64_t budget_;
    store::snapshot* known_;
    program_sandboxes sandboxes_;
    std::FILE* timings_ = nullptr;
    std::vector<program_details> details_;
    std::map<std::pair<std::int32_t, std::string>, std::vector<store::found_baseline>> solved_;
    programs::batch_counts counts_;
    double changed_ranks_ = 0;
    std::int64_t ranked_cells_ = 0, cells_ = 0;
    struct {
        std::int64_t rows = 0, programs = 0, runs = 0;
        double run_ms = 0, compile_ms = 0;
        std::set<std::string> different;
    } estimated_;
};

}  // namespace optgap::cli
