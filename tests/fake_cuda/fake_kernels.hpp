#pragma once
// A device_table whose launches run on the host, at once, as a team of one. Scratch is as large as a warp's would be
// and full of garbage, and lives where the launch plan puts it.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

#include "kernels/launch/device_table.cuh"
#include "kernels/launch/improve_row.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"

OPTGAP_KERNELS_BEGIN

template <class Task>
struct fake_launches {
    /// The call that shape_rows makes.
    static cudaError_t shape(launch_site const& site, launch_shape& out) {
        out.rows_per_block = out.plan.block_per_row ? 1 : launch_policy::warps_per_block;
        out.most_blocks = std::int64_t(site.limits.multiprocessors) * launch_policy::warps_wanted * 32 / out.threads();
        return fake::called("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    }
    /// The calls that queue_rows makes: every launch zeroes its ticket first.
    static cudaError_t queue(launch_site const& site, launch_shape const& shape, row_list list) {
        cudaError_t result = cudaSuccess;
        std::int64_t const rows_per_launch = std::max(shape.rows_at_once(), site.rows_per_launch);
        for (std::int64_t first = 0; first < list.count && result == cudaSuccess; first += rows_per_launch) {
            result = cudaMemsetAsync(site.ticket, 0, sizeof *site.ticket, site.stream);
            result = result == cudaSuccess ? fake::called("launch", site.stream) : result;
        }
        return result;
    }
    template <class Work>
    static cudaError_t rows(launch_site const& site, row_list list, Work const& work) {
        launch_shape found;
        found.plan = plan_launch(site.limits, list.scratch_words);
        cudaError_t const shaped = shape(site, found);
        return shaped != cudaSuccess ? shaped : rows(site, found, list, work);
    }
    template <class Work>
    static cudaError_t rows(launch_site const& site, launch_shape const& shape, row_list list, Work const& work) {
        cudaError_t const queued = queue(site, shape, list);
        if (queued != cudaSuccess) {
            return queued;
        }
        launch_plan const& plan = shape.plan;
        std::vector<std::int32_t> shared(std::size_t(plan.words_per_row));
        std::int32_t* const scratch = plan.global_scratch ? site.scratch : shared.data();
        std::int64_t const bytes = plan.words_per_row * std::int64_t(sizeof(std::int32_t));
        if (plan.global_scratch && site.scratch_bytes < bytes) {
            return cudaErrorMemoryAllocation;
        }
        for (std::int64_t k = 0; k < list.count; ++k) {
            std::fill_n(scratch, plan.words_per_row, std::int32_t(0xC3C3C3C3u));
            solo team;
            work(team, list.rows[k], scratch);
        }
        return cudaSuccess;
    }
    static cudaError_t load() { return fake::called("cudaFuncGetAttributes"); }
    static std::int64_t scratch_words(words_view instance) { return Task::scratch_words(instance); }
    static std::int64_t improve_state_words(words_view instance) { return Task::improve_state_words(instance); }
    static std::int64_t answer_words(words_view instance) { return Task::answer_words(instance); }
    static cudaError_t measure(launch_site const& site, row_list list, measure_batch batch) {
        return rows(site, list, [&](solo&, std::int32_t row, std::int32_t*) {
            generated_item const item = batch.items[row];
            batch.sizes[row] = {Task::instance_words(item.source, item.level),
                                Task::generate_scratch_words(item.source, item.level)};
        });
    }
    static cudaError_t generate(launch_site const& site, row_list list, generate_batch batch) {
        return rows(site, list, [&](solo& team, std::int32_t row, std::int32_t* scratch) {
            generated_item const item = batch.items[row];
            Task::generate(team, item.source, item.level, batch.words + (batch.offsets[row] - batch.base), scratch);
        });
    }
    static cudaError_t verify(launch_site const& site, row_list list, verify_batch batch) {
        return rows(site, list, [&](solo& team, std::int32_t row, std::int32_t* scratch) {
            batch.out[row] = Task::verify(team, batch.in.instances[batch.in.instance_of[row]],
                                          view_answer(batch.in.answers[row]), scratch);
        });
    }
    static cudaError_t floor(launch_site const& site, row_list list, anchor_batch batch) {
        return rows(site, list, [&](solo& team, std::int32_t row, std::int32_t* scratch) {
            batch.sizes[row] = Task::floor(team, batch.instances[row], batch.words + batch.offsets[row], scratch);
        });
    }
    static cudaError_t greedy(launch_site const& site, row_list list, anchor_batch batch) {
        return rows(site, list, [&](solo& team, std::int32_t row, std::int32_t* scratch) {
            batch.sizes[row] = Task::greedy(team, batch.instances[row], batch.words + batch.offsets[row], scratch);
        });
    }
    static cudaError_t improve_shape(launch_site const& site, row_list list, launch_shape& out) {
        out.plan = plan_search(site.limits, list.scratch_words);
        return shape(site, out);
    }
    static cudaError_t improve(launch_site const& site, launch_shape const& shape, row_list list, improve_batch batch) {
        return rows(site, shape, list, [&](solo& team, std::int32_t row, std::int32_t* scratch) {
            improve_row<Task>(team, row, batch, scratch);
        });
    }
};

template <class Task>
constexpr device_table fake_table_of() {
    using launches = fake_launches<Task>;
    return {Task::version,
            Task::objective_sense,
            launches::load,
            launches::scratch_words,
            improve_scratch_words<Task>,
            launches::improve_state_words,
            launches::answer_words,
            launches::measure,
            launches::generate,
            launches::verify,
            launches::floor,
            launches::greedy,
            launches::improve_shape,
            launches::improve};
}

OPTGAP_KERNELS_END
