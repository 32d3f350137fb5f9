#pragma once
// The kernels, one template for each verb. A warp runs the task's code as a team of 32 on a few rows of the list, and
// ends; for large searches a block does. A block that ends makes room for other kernels that wait, above all the
// trainer's. Every result goes to its own row's place, so no byte depends on which team takes which row.
//
// Control flow around the task's code is the same for all lanes of a team, because the number of its first row is
// broadcast. nvcc 13.0 to 13.2 may miscompile nested divergence (CUDA 13.3 release notes, 2.4.1). All lanes therefore
// run the sequential code of a task alike, instead of one thread for each row.

#include "kernels/launch/card_clock.cuh"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/launch/device_table.cuh"
#include "kernels/launch/improve_row.hpp"

OPTGAP_KERNELS_BEGIN

/// The rows of a launch; the k-th team has rows_a_team of them from k * rows_a_team on.
struct shared_rows {
    std::int32_t const* rows;
    std::int32_t count;
    std::int32_t rows_a_team = 1;
    launch_clock* clock = nullptr;
    std::int32_t last_from =
        0;  ///< teams whose rows begin here or later record when they end: the last ones that fit on the GPU
    row_bounds const* bounds = nullptr;  ///< see row_list; only kernels that use found_rows read them
    std::int32_t teams = 0;              ///< then: number of teams in all launches of the list; otherwise 0
    std::int32_t first_team = 0;         ///< number of the first team of this launch

    [[nodiscard]] __device__ std::int32_t first_of(std::int32_t team) const { return team * rows_a_team; }
    /// The end of the rows of a team whose first row is `begin`.
    [[nodiscard]] __device__ std::int32_t end_of(std::int32_t begin) const {
        return begin + rows_a_team < count ? begin + rows_a_team : count;
    }
    /// The distance from one row of a team to its next.
    [[nodiscard]] __device__ static constexpr std::int32_t step() { return 1; }
};

/// The rows of a launch whose list may have bounds that only the GPU knows. In that case a team has every `teams`-th
/// row.
struct found_rows : shared_rows {
    __device__ explicit found_rows(shared_rows const& list) : shared_rows(list) {
        if (bounds != nullptr) {
            rows += bounds->begin;
            count = bounds->end - bounds->begin;
        }
    }
    [[nodiscard]] __device__ std::int32_t first_of(std::int32_t team) const {
        return (first_team + team) * rows_a_team;
    }
    [[nodiscard]] __device__ std::int32_t end_of(std::int32_t begin) const {
        return teams == 0 ? shared_rows::end_of(begin) : count;
    }
    [[nodiscard]] __device__ std::int32_t step() const { return teams == 0 ? 1 : teams; }
};

/// Where a launch's scratch lives. A kernel is compiled for one place. If it chose at run time, every access would look
/// up its address space (generic loads), which costs more than an access to shared memory.
enum class scratch_in { shared, global };

/// Each row's private words: a part of `global`, or of dynamic shared memory if `global` is nullptr. Never zeroed.
struct scratch_space {
    std::int32_t* global;
    std::int64_t words_per_row;

    /// The scratch of a row that this warp works on.
    template <scratch_in Place>
    [[nodiscard]] __device__ std::int32_t* of_warp() const {
        std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
        if constexpr (Place == scratch_in::global) {
            std::int64_t const warps_per_block = std::int32_t(blockDim.x) / 32;
            return global + (std::int64_t(blockIdx.x) * warps_per_block + warp) * words_per_row;
        } else {
            extern __shared__ __align__(64) std::int32_t shared_scratch[];
            return shared_scratch + warp * words_per_row;
        }
    }
    /// The scratch of a row that this whole block works on; shared memory begins with what its team needs.
    template <int Threads, scratch_in Place>
    [[nodiscard]] __device__ std::int32_t* of_block() const {
        if constexpr (Place == scratch_in::global) {
            return global + std::int64_t(blockIdx.x) * words_per_row;
        } else {
            extern __shared__ __align__(64) std::int32_t shared_scratch[];
            constexpr std::int64_t team_words =
                launch_policy::collective_bytes(Threads) / std::int64_t(sizeof(std::int32_t));
            return shared_scratch + team_words;
        }
    }
    template <int Threads>
    [[nodiscard]] static __device__ typename block_team<Threads>::shared& of_team() {
        extern __shared__ __align__(64) std::int32_t shared_scratch[];
        static_assert(sizeof(typename block_team<Threads>::shared) <= launch_policy::collective_bytes(Threads));
        return *reinterpret_cast<typename block_team<Threads>::shared*>(shared_scratch);
    }
};

/// The kernels' launch bounds name one block a multiprocessor: without a number, ptxas 13.0 spills to fit more blocks.
/// Searches, which are not bound by memory, name as many blocks as fit without a spill.
inline constexpr int row_kernel_threads = launch_policy::warps_per_block * 32;

/// The number of this warp among all warps of the launch.
__device__ inline std::int32_t warp_number() {
    return std::int32_t(blockIdx.x) * (std::int32_t(blockDim.x) / 32) + std::int32_t(threadIdx.x) / 32;
}

/// Runs `work(team, row)` on the rows of the team with this number. The barriers order one row's use of scratch before
/// the next row's.
template <class Team, class Rows, class Work>
__device__ void for_each_own_row(Team& team, std::int32_t number, Rows const& list, Work const& work) {
    std::int32_t const begin = team.broadcast(list.first_of(number));
    std::int32_t const end = list.end_of(begin);
    if (begin >= end) {
        return;
    }
    bool const times = list.clock != nullptr && team.rank() == 0;
    if (times && begin == 0) {
        note_time(&list.clock->begin);
    }
    for (std::int32_t k = begin; k < end; k += list.step()) {
        work(team, list.rows[k]);
        team.sync();
    }
    if (times && begin >= list.last_from) {
        note_time(&list.clock->end);
    }
}
template <class Rows, class Work>
__device__ void for_each_own_row(Rows const& list, Work const& work) {
    warp_team team;
    for_each_own_row(team, warp_number(), list, work);
}

template <class Task, scratch_in Place>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    generate_kernel(shared_rows list, scratch_space scratch, generate_batch batch) {
    std::int32_t* const mine = scratch.of_warp<Place>();
    for_each_own_row(list, [&](warp_team& team, std::int32_t row) {
        generated_item const item = batch.items[row];
        Task::generate(team, item.source, item.level, batch.words + (batch.offsets[row] - batch.base), mine);
    });
}

template <class Task, scratch_in Place>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    verify_kernel(shared_rows list, scratch_space scratch, verify_batch batch) {
    std::int32_t* const mine = scratch.of_warp<Place>();
    for_each_own_row(found_rows(list), [&](warp_team& team, std::int32_t row) {
        verdict const found =
            Task::verify(team, batch.in.instances[batch.in.instance_of[row]], view_answer(batch.in.answers[row]), mine);
        if (team.rank() == 0) {
            batch.out[row] = found;
        }
    });
}

template <class Task, scratch_in Place>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    floor_kernel(shared_rows list, scratch_space scratch, anchor_batch batch) {
    std::int32_t* const mine = scratch.of_warp<Place>();
    for_each_own_row(list, [&](warp_team& team, std::int32_t row) {
        std::int64_t const size = Task::floor(team, batch.instances[row], batch.words + batch.offsets[row], mine);
        if (team.rank() == 0) {
            batch.sizes[row] = size;
        }
    });
}

template <class Task, scratch_in Place>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    greedy_kernel(shared_rows list, scratch_space scratch, anchor_batch batch) {
    std::int32_t* const mine = scratch.of_warp<Place>();
    for_each_own_row(list, [&](warp_team& team, std::int32_t row) {
        std::int64_t const size = Task::greedy(team, batch.instances[row], batch.words + batch.offsets[row], mine);
        if (team.rank() == 0) {
            batch.sizes[row] = size;
        }
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, launch_policy::search_threads / row_kernel_threads)
    improve_kernel(shared_rows list, scratch_space scratch, improve_batch batch) {
    searching_warp team;
    // A search whose scratch does not fit runs in a block for each row instead (plan_search).
    std::int32_t* const mine = scratch.of_warp<scratch_in::shared>();
    for_each_own_row(team, warp_number(), found_rows(list),
                     [&](searching_warp& all, std::int32_t row) { improve_row<Task>(all, row, batch, mine); });
}

/// Launched with blocks of `Threads` threads.
template <class Task, int Threads, scratch_in Place>
__global__ void __launch_bounds__(Threads, launch_policy::search_threads / Threads)
    improve_block_kernel(shared_rows list, scratch_space scratch, improve_batch batch) {
    using block = block_team<Threads>;
    block team(scratch_space::of_team<Threads>());
    std::int32_t* const mine = scratch.of_block<Threads, Place>();
    for_each_own_row(team, std::int32_t(blockIdx.x), found_rows(list),
                     [&](block& all, std::int32_t row) { improve_row<Task>(all, row, batch, mine); });
}

OPTGAP_KERNELS_END
