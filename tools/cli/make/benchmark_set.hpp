#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "optgap/suites/suite.hpp"
#include "tools/cli/rows/instance_row.hpp"

namespace optgap::cli {

/// One instance of a benchmark set and the style its prompt is written in.
struct benchmark_row {
    instance_spec spec;
    std::int32_t style = 0;
    instance_hash hash;
    std::int64_t prompt_chars = 0;
};

/// One task's part of a benchmark set; entry r of everything belongs to row r.
struct benchmark_set {
    std::int32_t task = 0;
    std::vector<benchmark_row> rows;
    instance_batch instances;
    solved_batch solved;
    std::int64_t repeated = 0;    ///< seeds left out because they repeat an instance
    std::int64_t relabelled = 0;  ///< seeds left out because they repeat a problem under other labels
    std::string jsonl;
};

/// What to draw of a task: `count` different instances, spread evenly over the levels, from the first seeds of each at
/// or after `seed`.
struct benchmark_request {
    std::vector<difficulty> levels = {difficulty::benchmark()};
    split part = split::test;
    std::int64_t count = 100;
    std::uint64_t seed = 1;
    format_spec const* format = nullptr;
    bool keep_relabelled = false;  ///< instances that differ by labels alone count as different
};

/// What all requests ask for, in their order, no instance twice; all in the first one's format. Calls `step(n)` after
/// every n solved instances. Throws usage_error when a level has too few instances.
benchmark_set make_benchmark_set(context& ctx, std::int32_t task, std::span<benchmark_request const> wanted,
                                 std::function<void(std::int64_t)> const& step);

/// Generated instances and how, one spec each, with their plants solved in pieces, so that progress can be shown.
solved_batch solve_in_pieces(engine const& by, std::span<instance_spec const> specs, instance_batch const& instances,
                             std::function<void(std::int64_t)> const& step);

}  // namespace optgap::cli
