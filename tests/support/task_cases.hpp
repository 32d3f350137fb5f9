#pragma once
// Data for the property tests: every task of the registry, its oracle, and instances and answers of many kinds.

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

/// One engine on the CPU for all tests, with one thread.
engine const& cpu_engine();

/// `count` seeds of one level, from the `test` split.
instance_batch instances_of(std::int32_t task, difficulty level, std::int64_t count, std::uint64_t first_seed = 0);
/// Small instances for expensive property tests: the first steps of the difficulty scale and the easy level.
instance_batch small_instances(std::int32_t task, std::int64_t count_per_level);

/// Interesting answers to one instance: anchors, greedy, improved, optimal, and `mutations` spoiled ones, from one
/// changed value to hostile shapes.
std::vector<words> answers_for(engine const& by, std::int32_t task, std::span<std::int32_t const> instance,
                               std::int64_t mutations, std::mt19937_64& random);
/// The same with cpu_engine().
std::vector<words> answers_for(std::int32_t task, std::span<std::int32_t const> instance, std::int64_t mutations,
                               std::mt19937_64& random);

/// Such answers for every instance of a batch, none of more than `longest` words. The rows of an instance are not
/// adjacent.
struct mixed_answers {
    csr_words rows;
    std::vector<std::int32_t> instance_of;
};
mixed_answers mixed_answers_for(instance_batch const& instances, std::int64_t mutations, std::size_t longest,
                                std::mt19937_64& random);

/// One feasible answer per instance as a start of local search: greedy, else the first feasible one of eight noisy
/// ones, else the optimum. All instances are of one task.
csr_words feasible_starts(instance_batch const& instances, solved_batch const& solved);

/// A prompt's text. For a task without direct prompts it is what engine::prompt would write if it did not refuse.
std::string prompt_text(std::int32_t task, std::span<std::int32_t const> instance, std::int32_t style,
                        format_spec const& format);

/// The abilities that the task declares, for property tests.
abilities abilities_of(std::int32_t task);

/// Test parameters: task indices, printed by name.
std::vector<std::int32_t> all_tasks();
std::vector<std::int32_t> tasks_that(bool abilities::*can);
std::string task_name(::testing::TestParamInfo<std::int32_t> const& info);

}  // namespace optgap::testing
