#pragma once
// What both executors make of a call's rows before they run, and of their results after.

#include <cstdint>
#include <span>
#include <vector>

#include "host/calls/calls.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/registry/registry.hpp"
#include "optgap/batch.hpp"
#include "optgap/difficulty.hpp"

namespace optgap {

/// One instance to generate: the task and where its random words come from.
struct generation {
    std::int32_t task;
    difficulty level;
    draw source;
};

/// The version that an executor's code of a task has; an executor's registry may hold no other build of it.
using version_of_task = std::int32_t (*)(task_entry const& task);

std::vector<generation> sources_of(std::span<instance_spec const> specs, version_of_task version_of);
std::int32_t version_on_host(task_entry const& task);

/// Every row of a search draws from {seed, hash of "improve"}: independent of its position.
[[nodiscard]] inline draw search_source(std::uint64_t seed) { return {seed, 0x696d7072}; }
[[nodiscard]] inline draw source_of(improve_call const& call) { return search_source(call.seed); }

/// Whether task code may take an answer block apart (kernels/core/words.hpp); `task_words`: how many words the task
/// has.
bool is_answer_block(std::span<std::int32_t const> block, std::size_t task_words);

/// Searches' results as columns, and the blocks they ended with.
improved_batch columns_of(std::span<improve_result const> rows, csr_words answers);

}  // namespace optgap
