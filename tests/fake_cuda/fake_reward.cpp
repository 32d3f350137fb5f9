// kernels/reward/reward.cuh and ranks.cuh on host memory.

#include <algorithm>
#include <numeric>

#include "kernels/launch/cuda_calls.cuh"
#include "kernels/launch/pending_error.cuh"
#include "kernels/reward/device_estimators.hpp"
#include "kernels/reward/device_shapes.hpp"
#include "kernels/reward/ranks.cuh"
#include "kernels/reward/reward.cuh"
#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_streams.hpp"

namespace optgap {

namespace {

/// Their addresses identify the kernels.
char const rewards_kernel = 0;
char const advantages_kernel = 1;
char const ranks_kernel = 2;
fake::cub_sort const group_sort{};
char const group_select[2] = {};

}  // namespace

cudaError_t launch_rewards(cudaStream_t stream, device_limits const&, reward_batch const& batch,
                           reward_spec const& spec) {
    return fake::launch(&rewards_kernel, 0, stream, [=](fake::touches& told) {
        std::int64_t instances = 0;
        told.reads(batch.instance_of, batch.count);
        for (std::int64_t r = 0; r < batch.count; ++r) {
            instances = std::max<std::int64_t>(instances, batch.instance_of[r] + 1);
        }
        told.reads(batch.direction, instances);
        told.reads(batch.baselines, instances);
        told.reads(batch.verdicts, batch.count);
        told.reads(batch.format_code, batch.count);
        told.reads(batch.finished, batch.finished == nullptr ? 0 : batch.count);
        told.reads(batch.length, batch.length == nullptr ? 0 : batch.count);
        told.writes(batch.out, batch.count);
        told.reads(batch.task_of, batch.task_of == nullptr ? 0 : batch.count);
        for (std::int64_t r = 0; r < batch.count; ++r) {
            if (!batch.rewards(r)) {
                continue;
            }
            std::int32_t const i = batch.instance_of[r];
            finish const how = batch.finished == nullptr ? finish::unknown : batch.finished[r];
            std::int32_t const length = batch.length == nullptr ? 0 : batch.length[r];
            write_reward_by_shape(
                batch.out[r],
                {batch.verdicts[r], batch.format_code[r], how, length, batch.baselines[i], batch.direction[i]}, spec);
        }
    });
}

cudaError_t advantage_temporary_bytes(std::int32_t rows, std::int64_t& bytes) {
    bytes = fake::cub_sort::temporary_bytes(rows);
    return apart_from_pending_error(nullptr, [] { return fake::call_cub(); });
}

cudaError_t launch_advantages(cudaStream_t stream, device_limits const&, advantage_batch const& batch,
                              group_rule const& rule) {
    std::vector<void const*> library = group_sort.kernels(batch.count);
    library.insert(library.end(), {&group_select[0], &group_select[1]});
    return fake::launch_by_cub(&advantages_kernel, library, stream, [=](fake::touches& told) {
        told.reads(batch.rewards, batch.count);
        told.reads(batch.group, batch.count);
        for (std::int32_t* const column : {batch.row, batch.sorted_row, batch.sorted_group, batch.group_begin}) {
            told.writes(column, batch.count);
        }
        told.writes(batch.out, batch.count);
        told.writes(static_cast<unsigned char*>(batch.temporary), batch.temporary_bytes);
        std::iota(batch.row, batch.row + batch.count, 0);
        std::copy_n(batch.row, batch.count, batch.sorted_row);
        std::stable_sort(batch.sorted_row, batch.sorted_row + batch.count,
                         [&](std::int32_t a, std::int32_t b) { return batch.group[a] < batch.group[b]; });
        solo team;
        double partial[sum_lanes];
        for (std::int32_t begin = 0; begin < batch.count;) {
            std::int32_t end = begin;
            while (end < batch.count && batch.group[batch.sorted_row[end]] == batch.group[batch.sorted_row[begin]]) {
                ++end;
            }
            std::int32_t const* const rows = batch.sorted_row + begin;
            group_advantage_by_form(
                team, batch.rewards, std::int64_t(end) - begin, [rows](std::int64_t k) { return rows[k]; }, rule,
                partial, batch.out);
            begin = end;
        }
    });
}

cudaError_t launch_ranks(cudaStream_t stream, device_limits const&, rank_batch const& batch,
                         advantage_spec const& spec) {
    return fake::launch(&ranks_kernel, 0, stream, [=](fake::touches& told) {
        told.reads(batch.begin, batch.groups + 1);
        std::int64_t const rows = batch.begin[batch.groups] - batch.base;
        told.reads(batch.scores, rows * batch.columns);
        told.reads(batch.direction, batch.groups);
        told.writes(batch.column, rows);
        told.writes(batch.value, rows);
        told.writes(batch.out, rows);
        solo team;
        double partial[sum_lanes];
        for (std::int64_t g = 0; g < batch.groups; ++g) {
            std::int64_t const first = batch.begin[g] - batch.base;
            rank_room const room{batch.column + first, batch.value + first, partial};
            rank_scores_by_form(team,
                                {batch.scores + first * batch.columns, batch.begin[g + 1] - batch.begin[g],
                                 batch.columns, batch.direction[g], batch.out + first},
                                spec, room);
        }
    });
}

cudaError_t load_reward_kernels() { return load_kernels({&rewards_kernel, &advantages_kernel}); }
cudaError_t load_ranks_kernel() { return load_kernels({&ranks_kernel}); }

}  // namespace optgap
