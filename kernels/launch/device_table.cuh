#pragma once
// Connects task code to launches: `device_table` is to a GPU what `task_kernels` is to the CPU. The executor sees only
// these plain functions and structures; launch.cuh fills the table.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// When the rows of a launch began and ended, in nanoseconds by the GPU's own clock, and how many there were. The time
/// that the launch waited before is not included. The clock lies in pinned host memory; the GPU writes the times.
struct launch_clock {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t rows = 0;
};

/// Where a launch runs. All memory but the clock is the device's.
struct launch_site {
    cudaStream_t stream = nullptr;
    device_limits limits;
    std::int32_t* scratch = nullptr;   ///< for launches whose scratch does not fit shared memory
    std::int64_t scratch_bytes = 0;    ///< enough for at least one row if such a launch is made
    std::int64_t rows_per_launch = 0;  ///< at most, but never less than one row for each warp that fits on the GPU
    double row_seconds = 0;            ///< seconds that a full GPU takes for each row of a list; 0: unknown
    launch_clock* clock = nullptr;     ///< for the first of the list's launches; nullptr: not wanted
};

/// What all launches of one list have in common.
struct launch_shape {
    launch_plan plan;
    std::int64_t rows_per_block = 0;  ///< rows that a block works on at the same time
    std::int64_t max_blocks = 0;      ///< blocks that fit on the GPU, each with scratch
    [[nodiscard]] std::int64_t rows_at_once() const { return max_blocks * rows_per_block; }
    [[nodiscard]] std::int32_t threads() const {
        return plan.block_per_row ? launch_policy::row_block_threads : std::int32_t(rows_per_block) * 32;
    }
};

/// Which entries of a list of rows are a task's.
struct row_bounds {
    std::int32_t begin = 0;
    std::int32_t end = 0;
};

/// The rows of one task in a slice of a batch, and the most scratch that any of them needs.
struct row_list {
    std::int32_t const* rows = nullptr;
    std::int64_t count = 0;
    std::int64_t scratch_words = 0;
    row_bounds const* bounds = nullptr;  ///< for `verify` and `improve`: only the GPU knows which of `rows` it has
    std::int64_t likely = 0;             ///< then: the expected number of rows, at most `count`
};

/// How a list is cut into launches, and launches into teams. Each team takes few enough rows that its block ends soon.
struct launch_cuts {
    std::int32_t rows_a_team;
    std::int64_t rows_a_block;
    std::int64_t rows_a_launch;  ///< at most

    /// A launch takes site.rows_per_launch rows, but at least as many as the GPU works on at the same time. Where
    /// blocks are counted, because each has scratch of its own or room is left for other work, a launch takes as many
    /// rows as all of them hold.
    launch_cuts(launch_site const& site, launch_shape const& shape, row_list const& list)
        : rows_a_team(launch_policy::rows_a_team(list.count, shape.rows_at_once(), site.row_seconds)),
          rows_a_block(shape.rows_per_block * rows_a_team),
          rows_a_launch(shape.max_blocks * rows_a_block) {
        if (!shape.plan.global_scratch && !site.limits.counts_blocks) {
            rows_a_launch = shape.rows_at_once() < site.rows_per_launch ? site.rows_per_launch : shape.rows_at_once();
        }
    }
};

/// How a list whose bounds only the GPU knows is cut into launches. It has blocks for launch_policy::teams_of_found,
/// all in one launch unless blocks are counted.
struct found_cuts {
    std::int64_t blocks;
    std::int64_t blocks_a_launch;

    found_cuts(launch_site const& site, launch_shape const& shape, row_list const& list)
        : blocks((launch_policy::teams_of_found(list.count, shape.rows_at_once(), list.likely) + shape.rows_per_block -
                  1) /
                 shape.rows_per_block),
          blocks_a_launch(shape.plan.global_scratch || site.limits.counts_blocks ? shape.max_blocks : blocks) {}
    [[nodiscard]] std::int64_t grid(std::int64_t first) const {
        return blocks - first < blocks_a_launch ? blocks - first : blocks_a_launch;
    }
};

/// CSR rows in device memory. Offsets count from `base`, so a slice of a longer batch needs no new offsets.
struct device_rows {
    std::int32_t const* words = nullptr;
    std::int64_t const* offsets = nullptr;
    std::int64_t base = 0;

    [[nodiscard]] OPTGAP_HD words_view operator[](std::int64_t r) const {
        return {words + (offsets[r] - base), offsets[r + 1] - offsets[r]};
    }
};

struct generated_item {
    draw source;
    difficulty level;
};

struct generate_batch {
    generated_item const* items;
    std::int64_t const* offsets;
    std::int64_t base;
    std::int32_t* words;
};

/// Answer rows and the instances they answer.
struct answer_rows {
    device_rows instances;
    device_rows answers;
    std::int32_t const* instance_of;
};

struct verify_batch {
    answer_rows in;
    verdict* out;
};

struct anchor_batch {
    device_rows instances;
    std::int64_t const* offsets;  ///< row r may write [offsets[r], offsets[r + 1]) of `words`
    std::int32_t* words;
    std::int64_t* sizes;  ///< words written
};

/// Steps [begin, end) of searches that began with in.answers and continue with `words`, `out` and `state`.
struct improve_batch {
    answer_rows in;
    std::int64_t const* offsets;
    std::int32_t* words;
    improve_result* out;
    std::int64_t const* state_offsets;  ///< multiples of 16
    std::int32_t* state;                ///< nullptr when this launch takes all the steps there are
    std::int64_t begin;
    std::int64_t end;
    draw source;
};

/// One task's launches. Each returns the first CUDA error. Work is queued on the site's stream; nothing waits.
struct device_table {
    std::int32_t version;  ///< the task's
    sense objective_sense;
    /// Makes the driver load the task's kernels. Otherwise it loads them at their first launch, which waits for the
    /// device.
    cudaError_t (*load)();
    std::int64_t (*instance_words)(draw, difficulty);  ///< on the host, like the next five
    std::int64_t (*generate_scratch_words)(draw, difficulty);
    std::int64_t (*scratch_words)(words_view instance);
    std::int64_t (*improve_scratch_words)(words_view instance);
    std::int64_t (*improve_state_words)(words_view instance);
    std::int64_t (*answer_words)(words_view instance);
    cudaError_t (*generate)(launch_site const&, row_list, generate_batch);
    cudaError_t (*verify)(launch_site const&, row_list, verify_batch);
    cudaError_t (*floor)(launch_site const&, row_list, anchor_batch);
    cudaError_t (*greedy)(launch_site const&, row_list, anchor_batch);
    /// For `improve`, which is queued many times over.
    cudaError_t (*improve_shape)(launch_site const&, row_list, launch_shape&);
    cudaError_t (*improve)(launch_site const&, launch_shape const&, row_list, improve_batch);
};

}  // namespace optgap
