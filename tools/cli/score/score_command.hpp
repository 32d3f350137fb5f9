#pragma once
// What commands that score rows share.

#include <span>

#include "host/rows/scorer.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// Adds what holds for every kind of rows, but for --improved and --baselines.
void add_score_options(command_entry command, score_options& options);
/// Adds --kinds, and what the kinds of this build and of those packages declare; `of_score`: also what other commands
/// have no use for.
void add_kind_options(command_entry command, context const& ctx, score_options& options, bool of_score = false);
/// --kinds, which is read before any command is declared: `ctx.packages` has its names. Loads these packages, so that
/// specs may name their estimators and shapes.
void add_packages_option(command_entry command, context const& ctx);
void add_improved_option(command_entry command, score_options& options);
void add_baselines_option(command_entry command, score_options& options);

/// Opens the snapshot that the options name, which an engine made afterwards says to a daemon.
scorer make_scorer(context& ctx, score_options const& options);
/// Prints what the scorer reports of its run, and sets exit_rejected where rows were lost.
void print_report(context& ctx, scorer const& by, std::span<graded_row const> rows = {});

}  // namespace optgap::cli
