#pragma once
// What optgap demo --hash hashes: bytes that depend on a task's version alone.

#include <cstdint>
#include <functional>
#include <string>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

inline constexpr std::int64_t hashed_instances = 100;  ///< of a task's benchmark set
inline constexpr std::int64_t hashed_verdicts = 8192;  ///< of a task

/// XXH3-128 of the task's file of `optgap bench-set`, as its index.json has it.
std::string benchmark_hash(context& ctx, std::int32_t task, std::function<void(std::int64_t)> const& step);

/// XXH3-128 over a line a verdict. Instances of four levels, from seed 1 of the test split; answers of the noisy greedy
/// policy as texts, three of four spoiled: a digit changed, the last number dropped, cut off.
std::string verdicts_hash(context& ctx, std::int32_t task, std::function<void(std::int64_t)> const& step);

}  // namespace optgap::cli
