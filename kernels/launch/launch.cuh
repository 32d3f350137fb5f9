#pragma once
// Launches a task's kernels, and defines `device_table_of`, by which OPTGAP_DEFINE_TASK fills its table under nvcc.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/device_table.cuh"
#include "kernels/launch/launch_plan.hpp"
#include "kernels/launch/row_kernels.cuh"

OPTGAP_KERNELS_BEGIN

/// Computes how `kernel` runs over the list: the block, and how many blocks fit on the GPU. The caller sets
/// `shape.plan`.
template <class Batch>
cudaError_t shape_rows(void (*kernel)(shared_rows, scratch_space, Batch), launch_site const& site,
                       launch_shape& shape) {
    launch_plan const& plan = shape.plan;
    shape.rows_per_block = plan.block_per_row ? 1 : launch_policy::warps_per_block;
    std::int64_t rows_with_scratch = INT64_MAX;
    if (plan.global_scratch) {
        rows_with_scratch = site.scratch_bytes / (plan.words_per_row * std::int64_t(sizeof(std::int32_t)));
        shape.rows_per_block = rows_with_scratch < shape.rows_per_block ? 1 : shape.rows_per_block;
    }
    if (rows_with_scratch < 1) {
        return cudaErrorMemoryAllocation;
    }
    int per_multiprocessor = 0;
    cudaError_t const known = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &per_multiprocessor, kernel, int(shape.threads()), std::size_t(plan.shared_bytes));
    if (known != cudaSuccess) {
        return known;
    }
    std::int64_t const resident = std::int64_t(per_multiprocessor) * site.limits.multiprocessors;
    std::int64_t const with_scratch = rows_with_scratch / shape.rows_per_block;
    shape.max_blocks = resident < with_scratch ? resident : with_scratch;
    return shape.max_blocks < 1 ? cudaErrorLaunchOutOfResources : cudaSuccess;
}

/// Queues `kernel` over a list whose bounds only the GPU knows.
template <class Batch>
cudaError_t queue_found_rows(void (*kernel)(shared_rows, scratch_space, Batch), launch_site const& site,
                             launch_shape const& shape, row_list list, Batch const& batch) {
    found_cuts const cuts(site, shape, list);
    scratch_space const scratch{shape.plan.global_scratch ? site.scratch : nullptr, shape.plan.words_per_row};
    cudaError_t result = cudaSuccess;
    for (std::int64_t first = 0; first < cuts.blocks && result == cudaSuccess; first += cuts.blocks_a_launch) {
        shared_rows shared{list.rows, 0};
        shared.bounds = list.bounds;
        shared.teams = std::int32_t(cuts.blocks * shape.rows_per_block);
        shared.first_team = std::int32_t(first * shape.rows_per_block);
        result = launch_kernel(kernel, {cuts.grid(first), shape.threads(), shape.plan.shared_bytes, site.stream},
                               shared, scratch, batch);
    }
    return result;
}

/// Queues `kernel` over the list, in the launches that launch_cuts computes.
template <class Batch>
cudaError_t queue_rows(void (*kernel)(shared_rows, scratch_space, Batch), launch_site const& site,
                       launch_shape const& shape, row_list list, Batch const& batch) {
    if (list.bounds != nullptr) {
        return queue_found_rows(kernel, site, shape, list, batch);
    }
    launch_cuts const cuts(site, shape, list);
    scratch_space const scratch{shape.plan.global_scratch ? site.scratch : nullptr, shape.plan.words_per_row};
    for (std::int64_t first = 0; first < list.count; first += cuts.rows_a_launch) {
        std::int64_t const rows = list.count - first < cuts.rows_a_launch ? list.count - first : cuts.rows_a_launch;
        launch_clock* const clock = first == 0 ? site.clock : nullptr;
        if (clock != nullptr) {
            *clock = {0, 0, rows};
        }
        std::int64_t const last_from = rows - shape.rows_at_once() * cuts.rows_a_team;
        shared_rows const shared{list.rows + first, std::int32_t(rows), cuts.rows_a_team, clock,
                                 std::int32_t(last_from < 0 ? 0 : last_from)};
        std::int64_t const grid = (rows + cuts.rows_a_block - 1) / cuts.rows_a_block;
        cudaError_t const launched = launch_kernel(
            kernel, {grid, shape.threads(), shape.plan.shared_bytes, site.stream}, shared, scratch, batch);
        if (launched != cudaSuccess) {
            return launched;
        }
    }
    return cudaSuccess;
}

/// A row kernel, compiled once for each place of its scratch.
template <class Batch>
struct row_kernel {
    void (*shared)(shared_rows, scratch_space, Batch);
    void (*global)(shared_rows, scratch_space, Batch);
};

template <class Batch>
cudaError_t launch_rows(row_kernel<Batch> const& kernels, launch_site const& site, row_list list, Batch const& batch) {
    launch_shape shape;
    shape.plan = plan_launch(site.limits, list.scratch_words);
    auto* const kernel = shape.plan.global_scratch ? kernels.global : kernels.shared;
    cudaError_t const shaped = shape_rows(kernel, site, shape);
    return shaped != cudaSuccess ? shaped : queue_rows(kernel, site, shape, list, batch);
}

/// The launches of `improve`, whose kernels are the most expensive to compile: a task may have them in a file of its
/// own (OPTGAP_SEARCH_APART). This is why the members are defined outside of the class.
template <class Task>
struct search_launches {
    static cudaError_t load();
    static cudaError_t shape(launch_site const& site, row_list list, launch_shape& shape);
    static cudaError_t improve(launch_site const& site, launch_shape const& shape, row_list list, improve_batch batch);
};

template <class Task>
constexpr auto improve_by(launch_plan const& plan) {
    constexpr int threads = launch_policy::row_block_threads;
    return !plan.block_per_row   ? &improve_kernel<Task>
           : plan.global_scratch ? &improve_block_kernel<Task, threads, scratch_in::global>
                                 : &improve_block_kernel<Task, threads, scratch_in::shared>;
}

template <class Task>
cudaError_t search_launches<Task>::load() {
    constexpr int threads = launch_policy::row_block_threads;
    return load_kernels({reinterpret_cast<void const*>(&improve_kernel<Task>),
                         reinterpret_cast<void const*>(&improve_block_kernel<Task, threads, scratch_in::shared>),
                         reinterpret_cast<void const*>(&improve_block_kernel<Task, threads, scratch_in::global>)});
}

template <class Task>
cudaError_t search_launches<Task>::shape(launch_site const& site, row_list list, launch_shape& shape) {
    shape.plan = plan_search(site.limits, list.scratch_words);
    return shape_rows(improve_by<Task>(shape.plan), site, shape);
}

template <class Task>
cudaError_t search_launches<Task>::improve(launch_site const& site, launch_shape const& shape, row_list list,
                                           improve_batch batch) {
    return queue_rows(improve_by<Task>(shape.plan), site, shape, list, batch);
}

/// Stands in for a search in a task that has none: every start stays unchanged (kernels/launch/no_search.cu).
struct no_search {
    template <class Team>
    OPTGAP_HD static improve_result improve(Team&, words_view, std::int32_t*, improve_result result, search_slice, draw,
                                            std::int32_t*) {
        return result;
    }
};

template <class Task, class Search>
struct task_launches {
    static constexpr row_kernel<generate_batch> generating{generate_kernel<Task, scratch_in::shared>,
                                                           generate_kernel<Task, scratch_in::global>};
    static constexpr row_kernel<verify_batch> verifying{verify_kernel<Task, scratch_in::shared>,
                                                        verify_kernel<Task, scratch_in::global>};
    static constexpr row_kernel<anchor_batch> to_floor{floor_kernel<Task, scratch_in::shared>,
                                                       floor_kernel<Task, scratch_in::global>};
    static constexpr row_kernel<anchor_batch> to_greedy{greedy_kernel<Task, scratch_in::shared>,
                                                        greedy_kernel<Task, scratch_in::global>};

    template <class Batch>
    static cudaError_t load_both(row_kernel<Batch> const& kernels) {
        return load_kernels(
            {reinterpret_cast<void const*>(kernels.shared), reinterpret_cast<void const*>(kernels.global)});
    }
    static cudaError_t load() {
        cudaError_t result = load_both(generating);
        result = result != cudaSuccess ? result : load_both(verifying);
        result = result != cudaSuccess ? result : load_both(to_floor);
        result = result != cudaSuccess ? result : load_both(to_greedy);
        return result != cudaSuccess ? result : search_launches<Search>::load();
    }
    static std::int64_t instance_words(draw source, difficulty level) { return Task::instance_words(source, level); }
    static std::int64_t generate_scratch_words(draw source, difficulty level) {
        return Task::generate_scratch_words(source, level);
    }
    static std::int64_t scratch_words(words_view instance) { return Task::scratch_words(instance); }
    static std::int64_t improve_state_words(words_view instance) { return Task::improve_state_words(instance); }
    static std::int64_t answer_words(words_view instance) { return Task::answer_words(instance); }
    static cudaError_t generate(launch_site const& site, row_list list, generate_batch batch) {
        return launch_rows(generating, site, list, batch);
    }
    static cudaError_t verify(launch_site const& site, row_list list, verify_batch batch) {
        return launch_rows(verifying, site, list, batch);
    }
    static cudaError_t floor(launch_site const& site, row_list list, anchor_batch batch) {
        return launch_rows(to_floor, site, list, batch);
    }
    static cudaError_t greedy(launch_site const& site, row_list list, anchor_batch batch) {
        return launch_rows(to_greedy, site, list, batch);
    }
};

/// The launch table of one task.
template <class Task, class Search = Task>
constexpr device_table device_table_of() {
    using launches = task_launches<Task, Search>;
    return {Task::version,
            Task::objective_sense,
            launches::load,
            launches::instance_words,
            launches::generate_scratch_words,
            launches::scratch_words,
            improve_scratch_words<Task>,
            launches::improve_state_words,
            launches::answer_words,
            launches::generate,
            launches::verify,
            launches::floor,
            launches::greedy,
            search_launches<Search>::shape,
            search_launches<Search>::improve};
}

OPTGAP_KERNELS_END
