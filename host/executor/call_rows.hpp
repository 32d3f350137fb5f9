#pragma once
// The work of both executors on a call's rows before they run, and on their results after.

#include <cstdint>
#include <span>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/executor/row_runner.hpp"
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

/// The version of the task's code that an executor runs; the executor's registry may hold no other build of the task.
using version_of_task = std::int32_t (*)(task_entry const& task);

std::vector<generation> sources_of(std::span<instance_spec const> specs, version_of_task version_of);
std::int32_t version_on_host(task_entry const& task);

/// The size of a generated item, in words.
struct generated_size {
    std::int64_t instance;
    std::int64_t scratch;
};

/// The size of each item, by the task's code in `table_of(task)`, on the host wherever the words are made. Most tasks
/// take 20 ns for it; three draw what it depends on, up to 1.2 us (`optgap bench generate_sizes`).
template <class TableOf>
std::vector<generated_size> sizes_of(std::span<generation const> items, TableOf const& table_of,
                                     row_runner const& run) {
    constexpr std::int64_t grain = 64;
    std::vector<generated_size> sizes(items.size());
    run(std::int64_t(items.size()), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            generation const& item = items[std::size_t(r)];
            auto const& table = table_of(item.task);
            sizes[std::size_t(r)] = {table.instance_words(item.source, item.level),
                                     table.generate_scratch_words(item.source, item.level)};
        }
    });
    return sizes;
}

/// Every row of a search draws from {seed, hash of "improve"}: independent of its position.
[[nodiscard]] inline draw search_source(std::uint64_t seed) { return {seed, 0x696d7072}; }
[[nodiscard]] inline draw source_of(improve_call const& call) { return search_source(call.seed); }

/// Whether task code may take an answer block apart (kernels/core/words.hpp); `task_words`: how many words the task
/// has.
bool is_answer_block(std::span<std::int32_t const> block, std::size_t task_words);

/// The results of searches as columns, with their final blocks.
improved_batch columns_of(std::span<improve_result const> rows, csr_words answers);

}  // namespace optgap
