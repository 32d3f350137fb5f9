#pragma once
// What the law tests run on: every task of the registry, its oracle, and instances and answers of many kinds.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/registry/registry.hpp"
#include "kernels/text/number_text.hpp"
#include "optgap/optgap.hpp"
#include "tests/support/oracles.hpp"

namespace optgap::testing {

using words = std::vector<std::int32_t>;

/// Why a comparison of instruction sets is skipped.
inline constexpr char const* one_instruction_set =
    "this build and processor have one instruction set: nothing to compare";

/// One engine on the CPU for all tests, one thread.
engine const& cpu_engine();

/// `count` seeds of one level, from the `test` split.
instance_batch instances_of(std::int32_t task, difficulty level, std::int64_t count, std::uint64_t first_seed = 0);
/// Small instances, for laws that are costly: the ladder's first steps and the easy level.
instance_batch small_instances(std::int32_t task, std::int64_t count_per_level);

/// Answers worth verifying for one instance: anchors, greedy, improved, optimal, and `mutations` spoiled ones, from one
/// changed value to hostile shapes.
std::vector<words> answers_for(engine const& by, std::int32_t task, std::span<std::int32_t const> instance,
                               std::int64_t mutations, std::mt19937_64& random);
/// By the one engine for all tests.
std::vector<words> answers_for(std::int32_t task, std::span<std::int32_t const> instance, std::int64_t mutations,
                               std::mt19937_64& random);

/// Such answers for every instance of a batch, none of more than `longest` words; the rows of an instance do not stand
/// together.
struct mixed_answers {
    csr_words rows;
    std::vector<std::int32_t> instance_of;
};
mixed_answers mixed_answers_for(instance_batch const& instances, std::int64_t mutations, std::size_t longest,
                                std::mt19937_64& random);

/// One feasible answer per instance to start local search from: greedy, else the first feasible one of eight noisy
/// ones, else the optimum. The instances are all of one task.
csr_words feasible_starts(instance_batch const& instances, solved_batch const& solved);

/// What a prompt says; of a task that is not direct what engine::prompt would write if it did not refuse.
std::string prompt_text(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                        format_spec const& format);

/// What the task says it can: laws ask it.
abilities abilities_of(std::int32_t task);

/// Test parameters: task indices, printed by name.
std::vector<std::int32_t> all_tasks();
std::vector<std::int32_t> tasks_that(bool abilities::*can);
std::string task_name(::testing::TestParamInfo<std::int32_t> const& info);

}  // namespace optgap::testing
