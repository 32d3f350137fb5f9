// kernels/reward/reward.cuh and ranks.cuh on host memory, at once.

#include <algorithm>
#include <numeric>

#include "kernels/reward/advantage.hpp"
#include "kernels/reward/ranks.cuh"
#include "kernels/reward/ranks.hpp"
#include "kernels/reward/reward.cuh"
#include "kernels/reward/reward.hpp"
#include "tests/fake_cuda/fake_runtime.hpp"

namespace optgap {

cudaError_t launch_rewards(cudaStream_t stream, device_limits const&, reward_batch const& batch,
                           reward_spec const& spec) {
    if (cudaError_t const result = fake::called("launch", stream); result != cudaSuccess) {
        return result;
    }
    for (std::int64_t r = 0; r < batch.count; ++r) {
        std::int32_t const i = batch.instance_of[r];
        finish const how = batch.finished == nullptr ? finish::unknown : batch.finished[r];
        std::int32_t const length = batch.length == nullptr ? 0 : batch.length[r];
        batch.out[r] = reward_of(batch.verdicts[r], batch.format_code[r], how, length, batch.baselines[i],
                                 batch.direction[i], spec);
    }
    return cudaSuccess;
}

cudaError_t advantage_temporary_bytes(std::int32_t rows, std::int64_t& bytes) {
    bytes = 8 * std::int64_t(rows) + 4096;
    return fake::called("cub");
}

cudaError_t launch_advantages(cudaStream_t stream, device_limits const&, advantage_batch const& batch,
                              group_rule const& rule) {
    if (cudaError_t const result = fake::called("launch", stream); result != cudaSuccess) {
        return result;
    }
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
        group_advantage(
            team, batch.rewards, std::int64_t(end) - begin, [rows](std::int64_t k) { return rows[k]; }, rule, partial,
            batch.out);
        begin = end;
    }
    return cudaSuccess;
}

cudaError_t launch_ranks(cudaStream_t stream, device_limits const&, rank_batch const& batch,
                         advantage_spec const& spec) {
    if (cudaError_t const result = fake::called("launch", stream); result != cudaSuccess) {
        return result;
    }
    solo team;
    double partial[sum_lanes];
    for (std::int64_t g = 0; g < batch.groups; ++g) {
        std::int64_t const first = batch.begin[g] - batch.base;
        rank_room const room{batch.column + first, batch.value + first, partial};
        group_ranker(team, batch.scores + first * batch.columns, batch.begin[g + 1] - batch.begin[g], batch.columns,
                     batch.direction[g], spec, room, batch.out + first)
            .run();
    }
    return cudaSuccess;
}

cudaError_t load_reward_kernels() { return fake::called("cudaFuncGetAttributes"); }
cudaError_t load_ranks_kernel() { return fake::called("cudaFuncGetAttributes"); }

}  // namespace optgap
