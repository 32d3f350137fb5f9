#pragma once
// The kernels, one template per verb: a warp draws a row's ticket, runs the task's code on it as a team of 32 and draws
// the next; for large searches a block does. Who takes which row is chance; every result goes to its row's own place,
// so no byte depends on it.
//
// Control flow around the task's code is the same for all lanes of a team: the row comes out of a broadcast. nvcc 13.0
// to 13.2 may miscompile nested divergence (CUDA 13.3 release notes, 2.4.1), so sequential code of a task is run by all
// lanes alike rather than by one thread per row.

#include "kernels/launch/card_clock.cuh"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/launch/device_table.cuh"
#include "kernels/launch/improve_row.hpp"

OPTGAP_KERNELS_BEGIN

struct ticket_rows {
    std::int32_t const* rows;
    std::int32_t count;
    std::int32_t* ticket;          ///< zero before the launch
    std::int32_t rows_a_draw = 1;  ///< more where rows are many: the ticket is one address for all teams of the card
    launch_clock* clock = nullptr;
    row_bounds const* bounds = nullptr;  ///< row_list's; only kernels that ask for `found` read them
    std::int32_t first = 0;              ///< rows that earlier launches of the list took

    /// What this launch takes of a list that the card alone knows the bounds of.
    [[nodiscard]] __device__ ticket_rows found() const {
        ticket_rows own = *this;
        if (bounds != nullptr) {
            std::int32_t const left = bounds->end - bounds->begin - first;
            own.rows += bounds->begin;
            own.count = left < count ? left : count;
        }
        return own;
    }
};

/// Each row's private words: a part of `global`, or of dynamic shared memory when that is nullptr. Never zeroed.
struct scratch_space {
    std::int32_t* global;
    std::int64_t words_per_row;

    /// For a row that this warp works on.
    [[nodiscard]] __device__ std::int32_t* of_warp() const {
        extern __shared__ __align__(64) std::int32_t shared_scratch[];
        std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
        std::int64_t const warps_per_block = std::int32_t(blockDim.x) / 32;
        return global == nullptr ? shared_scratch + warp * words_per_row
                                 : global + (std::int64_t(blockIdx.x) * warps_per_block + warp) * words_per_row;
    }
    /// For a row of a search that this warp works on: a block takes the row where that does not fit (plan_search).
    [[nodiscard]] __device__ std::int32_t* of_searching_warp() const {
        extern __shared__ __align__(64) std::int32_t shared_scratch[];
        return shared_scratch + std::int32_t(threadIdx.x) / 32 * words_per_row;
    }
    /// For a row that this whole block works on; shared memory begins with what its team needs.
    template <int Threads>
    [[nodiscard]] __device__ std::int32_t* of_block() const {
        extern __shared__ __align__(64) std::int32_t shared_scratch[];
        constexpr std::int64_t team_words =
            launch_policy::collective_bytes(Threads) / std::int64_t(sizeof(std::int32_t));
        return global == nullptr ? shared_scratch + team_words : global + std::int64_t(blockIdx.x) * words_per_row;
    }
    template <int Threads>
    [[nodiscard]] static __device__ typename block_team<Threads>::shared& of_team() {
        extern __shared__ __align__(64) std::int32_t shared_scratch[];
        static_assert(sizeof(typename block_team<Threads>::shared) <= launch_policy::collective_bytes(Threads));
        return *reinterpret_cast<typename block_team<Threads>::shared*>(shared_scratch);
    }
};

/// The kernels' bounds name one block a multiprocessor: without a number, ptxas 13.0 spills to fit more blocks.
/// Searches, which are not bound by memory, name as many as they can without a spill.
inline constexpr int row_kernel_threads = launch_policy::warps_per_block * 32;

/// Runs `work(team, row)` on the rows this team draws. The barriers order one row's use of scratch before the next's.
template <class Team, class Work>
__device__ void for_each_drawn_row(Team& team, ticket_rows const& list, Work const& work) {
    for (;;) {
        std::int32_t drawn = 0;
        if (team.rank() == 0) {
            drawn = atomicAdd(list.ticket, list.rows_a_draw);
        }
        std::int32_t const begin = team.broadcast(drawn);
        if (list.clock != nullptr && team.rank() == 0) {  // the first team to draw, and in turn all that find nothing
            if (begin == 0) {
                note_time(&list.clock->begin);
            } else if (begin >= list.count) {
                note_time(&list.clock->end);
            }
        }
        if (begin >= list.count) {
            return;
        }
        std::int32_t const end = begin + list.rows_a_draw < list.count ? begin + list.rows_a_draw : list.count;
        for (std::int32_t ticket = begin; ticket < end; ++ticket) {
            work(team, list.rows[ticket]);
            team.sync();
        }
    }
}
template <class Work>
__device__ void for_each_drawn_row(ticket_rows const& list, Work const& work) {
    warp_team team;
    for_each_drawn_row(team, list, work);
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    measure_kernel(ticket_rows list, scratch_space, measure_batch batch) {
    for_each_drawn_row(list, [&](warp_team& team, std::int32_t row) {
        generated_item const item = batch.items[row];
        generated_size const size{Task::instance_words(item.source, item.level),
                                  Task::generate_scratch_words(item.source, item.level)};
        if (team.rank() == 0) {
            batch.sizes[row] = size;
        }
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    generate_kernel(ticket_rows list, scratch_space scratch, generate_batch batch) {
    std::int32_t* const mine = scratch.of_warp();
    for_each_drawn_row(list, [&](warp_team& team, std::int32_t row) {
        generated_item const item = batch.items[row];
        Task::generate(team, item.source, item.level, batch.words + (batch.offsets[row] - batch.base), mine);
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    verify_kernel(ticket_rows list, scratch_space scratch, verify_batch batch) {
    std::int32_t* const mine = scratch.of_warp();
    for_each_drawn_row(list.found(), [&](warp_team& team, std::int32_t row) {
        verdict const found =
            Task::verify(team, batch.in.instances[batch.in.instance_of[row]], view_answer(batch.in.answers[row]), mine);
        if (team.rank() == 0) {
            batch.out[row] = found;
        }
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    floor_kernel(ticket_rows list, scratch_space scratch, anchor_batch batch) {
    std::int32_t* const mine = scratch.of_warp();
    for_each_drawn_row(list, [&](warp_team& team, std::int32_t row) {
        std::int64_t const size = Task::floor(team, batch.instances[row], batch.words + batch.offsets[row], mine);
        if (team.rank() == 0) {
            batch.sizes[row] = size;
        }
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, 1)
    greedy_kernel(ticket_rows list, scratch_space scratch, anchor_batch batch) {
    std::int32_t* const mine = scratch.of_warp();
    for_each_drawn_row(list, [&](warp_team& team, std::int32_t row) {
        std::int64_t const size = Task::greedy(team, batch.instances[row], batch.words + batch.offsets[row], mine);
        if (team.rank() == 0) {
            batch.sizes[row] = size;
        }
    });
}

template <class Task>
__global__ void __launch_bounds__(row_kernel_threads, launch_policy::search_threads / row_kernel_threads)
    improve_kernel(ticket_rows list, scratch_space scratch, improve_batch batch) {
    searching_warp team;
    std::int32_t* const mine = scratch.of_searching_warp();
    for_each_drawn_row(team, list,
                       [&](searching_warp& all, std::int32_t row) { improve_row<Task>(all, row, batch, mine); });
}

/// Launched with blocks of `Threads` threads.
template <class Task, int Threads>
__global__ void __launch_bounds__(Threads, launch_policy::search_threads / Threads)
    improve_block_kernel(ticket_rows list, scratch_space scratch, improve_batch batch) {
    using block = block_team<Threads>;
    block team(scratch_space::of_team<Threads>());
    std::int32_t* const mine = scratch.of_block<Threads>();
    for_each_drawn_row(team, list, [&](block& all, std::int32_t row) { improve_row<Task>(all, row, batch, mine); });
}

OPTGAP_KERNELS_END
