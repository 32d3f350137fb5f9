// `rewards` and `advantages` on the GPU.

#include <algorithm>
#include <string>
#include <vector>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_slices.cuh"
#include "host/cuda/cuda_try.hpp"
#include "host/reward/advantage_groups.hpp"
#include "kernels/launch/library_rows.hpp"
#include "kernels/reward/reward.cuh"

namespace optgap {

void cuda_executor::run(rewards_call const& call) {
    cuda_device::call const turn(*device_);
    reward_inputs const& in = call.in;
    std::int64_t const row_bytes = sizeof(verdict) + 3 * sizeof(std::int32_t) + sizeof(finish) + sizeof(reward_row);
    row_slicer slicer(
        in.rollouts, in.instances, in.instance_of, device_->room(),
        [&](std::int64_t, std::int32_t) {
            return row_cost{row_bytes, 0};
        },
        [](std::int32_t) { return std::int64_t(sizeof(baseline) + sizeof(sense)); });
    for (row_slice slice; slicer.next(slice);) {
        device_->begin_slice();
        std::vector<sense> direction;
        std::vector<baseline> baselines;
        for (std::int32_t const i : slice.instances) {
            direction.push_back(cuda_device::table(in.task[i]).objective_sense);
            baselines.push_back(in.baselines[i]);
        }
        std::size_t const rows = std::size_t(slice.rows());
        reward_batch batch{};
        batch.instance_of = device_->put(std::span<std::int32_t const>(slice.instance_of));
        batch.direction = device_->put(std::span<sense const>(direction));
        batch.baselines = device_->put(std::span<baseline const>(baselines));
        batch.verdicts = device_->put(std::span(in.verdicts + slice.begin, rows));
        batch.format_code = device_->put(std::span(in.format_code + slice.begin, rows));
        batch.finished = in.finished == nullptr ? nullptr : device_->put(std::span(in.finished + slice.begin, rows));
        batch.length = in.length == nullptr ? nullptr : device_->put(std::span(in.length + slice.begin, rows));
        batch.out = device_->take<reward_row>(slice.rows());
        batch.count = slice.rows();
        OPTGAP_CUDA_TRY(launch_rewards(device_->stream(), device_->limits(), batch, call.spec));
        device_->get(batch.out, call.out.subspan(std::size_t(slice.begin), rows));
        device_->finish();
    }
}

/// Rows whose rewards, sorting and results fit a slice.
std::int64_t cuda_executor::max_advantages() const {
    constexpr std::int64_t row_bytes = 2 * sizeof(float) + 5 * sizeof(std::int32_t);
    std::int64_t rows = std::min(device_->room() / row_bytes, std::int64_t(1) << 30);
    for (;; rows = rows * 7 / 8) {
        std::int64_t temporary = 0;
        OPTGAP_CUDA_TRY(advantage_temporary_bytes(std::int32_t(rows), temporary));
        if (rows == 0 || temporary + rows * row_bytes <= device_->room()) {
            return rows;
        }
    }
}
void cuda_executor::advantages_of(advantages_call const& call) {
    std::int64_t const rows = call.rows();
    if (rows == 0) {
        return;
    }
    device_->begin_slice();
    advantage_batch batch{};
    batch.rewards = device_->put(call.rewards);
    batch.group = device_->put(call.group);
    batch.out = device_->take<float>(rows);
    batch.count = std::int32_t(rows);
    batch.sorted_group = device_->take<std::int32_t>(rows);
    batch.row = device_->take<std::int32_t>(rows);
    batch.sorted_row = device_->take<std::int32_t>(rows);
    batch.group_begin = device_->take<std::int32_t>(rows);
    batch.groups = device_->take<std::int32_t>(1);
    OPTGAP_CUDA_TRY(advantage_temporary_bytes(batch.count, batch.temporary_bytes));
    batch.temporary = device_->take<unsigned char>(batch.temporary_bytes);
    OPTGAP_CUDA_TRY(launch_advantages(device_->stream(), device_->limits(), batch, call.rule));
    device_->get(batch.out, call.out);
    device_->finish();
}

void cuda_executor::load_library_kernels() {
    for (std::int32_t const wanted : library_rows) {
        std::size_t const rows = std::size_t(std::clamp<std::int64_t>(max_advantages(), 1, wanted));
        std::vector<float> const rewards(rows);
        std::vector<std::int32_t> const group(rows);
        std::vector<float> out(rows);
        run(advantages_call{rewards, group, group_rule{}, out});
    }
}

/// A batch too large for the arena is cut between groups, never inside one.
void cuda_executor::run(advantages_call const& call) {
    cuda_device::call const turn(*device_);
    std::int64_t const most = max_advantages();
    if (call.rows() <= most) {
        advantages_of(call);
        return;
    }
    group_index const index = index_groups(call.group);
    std::vector<float> part_rewards;
    std::vector<std::int32_t> part_group;
    std::vector<float> part_out;
    for (std::int64_t g = 0; g < index.groups();) {
        std::int64_t const first = index.begin[std::size_t(g)];
        std::int64_t end = first;
        for (; g < index.groups() && index.begin[std::size_t(g) + 1] - first <= most; ++g) {
            end = index.begin[std::size_t(g) + 1];
        }
        if (end == first) {
            throw error(status::out_of_memory, "a group of " + std::to_string(index.begin[std::size_t(g) + 1] - first) +
                                                   " rollouts does not fit the device memory limit, which holds " +
                                                   std::to_string(most));
        }
        auto const row = [&](std::int64_t k) {
            return std::size_t(index.order.empty() ? k : index.order[std::size_t(k)]);
        };
        part_rewards.clear();
        part_group.clear();
        for (std::int64_t k = first; k < end; ++k) {
            part_rewards.push_back(call.rewards[row(k)]);
            part_group.push_back(call.group[row(k)]);
        }
        part_out.resize(part_rewards.size());
        advantages_of({part_rewards, part_group, call.rule, part_out});
        for (std::int64_t k = first; k < end; ++k) {
            call.out[row(k)] = part_out[std::size_t(k - first)];
        }
    }
}

}  // namespace optgap
