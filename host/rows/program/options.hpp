#pragma once

#include "host/rows/read/options.hpp"

/// The options of rows whose completion is a program.
namespace optgap::rows::program_option {

inline constexpr option isolation{.name = "isolation",
                                  .help =
                                      "Run rows whose completion is a program, under auto or an isolation level of "
                                      "`optgap sandbox`; else each is an error row"};
inline constexpr option slots{.name = "slots",
                              .type = option_type::integer,
                              .help = "Programs at once; 0: the processors less a quarter",
                              .low = 0,
                              .high = 4096,
                              .shows_default = true};
inline constexpr option limits{
    .name = "limits", .help = "Limits of all programs, whatever rows say: train, river, ahc or an object as JSON"};
inline constexpr option matrix{.name = "matrix",
                               .type = option_type::flag,
                               .help = "Program rows: add scores and sense, as optgap advantages reads them",
                               .score_only = true};
inline constexpr option estimate{.name = "estimate",
                                 .type = option_type::flag,
                                 .help = "Print what the programs may cost, and run nothing",
                                 .score_only = true};
inline constexpr option repeat{
    .name = "repeat",
    .type = option_type::integer,
    .help = "Runs of every program and instance; the first counts, and stderr says how many ranks the others change",
    .number = 1,
    .low = 1,
    .high = 1000,
    .shows_default = true,
    .score_only = true};
inline constexpr option fail_fast{
    .name = "fail-fast",
    .type = option_type::flag,
    .help = "A program without a valid answer on its first three instances is not run on the others",
    .score_only = true};
inline constexpr option dedupe{
    .name = "dedupe",
    .help =
        "Equal programs run once for all their rows: deterministic (where the isolation level gives "
        "the same verdicts every time) or always",
    .fallback = "deterministic",
    .shows_default = true,
    .score_only = true};
inline constexpr option timings{
    .name = "timings", .help = "File for the times of all runs, as JSONL", .score_only = true, .names_file = true};
inline constexpr option all[] = {isolation, slots, limits, matrix, estimate, repeat, fail_fast, dedupe, timings};

}  // namespace optgap::rows::program_option
