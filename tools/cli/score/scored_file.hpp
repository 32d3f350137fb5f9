#pragma once
// Scoring files in two passes. Groups may be spread over all of a file, so the first pass keeps numbers only, and the
// second one reads the rows again to write them.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/rows/scorer.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// What score and rescore do alike, beside the scorer's own options.
struct scored_file_options {
    std::vector<std::string> files;
    score_options score;
    std::string stats;      ///< file for the statistics; empty: none
    double correct = 1.0;   ///< least quality that counts as correct there
    std::string_view name;  ///< of the command
};

/// What a command adds to scoring; the two functions may be empty.
struct scored_file_hooks {
    /// The rows as score reads them, one per item, good until the next call; rejected where they cannot be read.
    std::function<std::span<row_item>(std::span<row_item>, scorer const& by)> translate;
    /// More columns, before those of score; `posed` is what `translate` made of the row. Second pass.
    std::function<void(row_writer&, row_item const& posed, graded_row const&)> write;
    std::vector<std::string_view> added;  ///< names of those columns
};

/// Scores the files and writes their rows to stdout; returns the fingerprint they carry.
std::string score_files(context& ctx, scored_file_options const& options, scored_file_hooks const& hooks);

/// --stats and --correct.
void add_stats_options(command_entry command, scored_file_options& options);

}  // namespace optgap::cli
