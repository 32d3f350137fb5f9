// `ranks` on the GPU.

#include <string>
#include <vector>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_try.hpp"
#include "host/reward/ranking.hpp"
#include "kernels/reward/ranks.cuh"

namespace optgap {

namespace {

constexpr std::int64_t max_counted = 1024;
/// Comparisons of one launch, which the trainer's kernels may wait for; a group is never cut.
constexpr std::int64_t max_compared = std::int64_t(1) << 30;

std::int64_t rows_of(rank_inputs const& in, std::int64_t group) {
    return in.begin[std::size_t(group) + 1] - in.begin[std::size_t(group)];
}

/// Groups [first, end), which fit the arena together.
void slice_on(cuda_device& device, rank_inputs const& in, std::int64_t first, std::int64_t end,
              advantage_spec const& spec, std::span<double> out) {
    std::int64_t const base = in.begin[std::size_t(first)];
    std::int64_t const rows = in.begin[std::size_t(end)] - base;
    device.begin_slice();
    rank_batch batch{};
    batch.scores = device.put(in.scores.subspan(std::size_t(base * in.columns), std::size_t(rows * in.columns)));
    batch.columns = in.columns;
    batch.begin = device.put(in.begin.subspan(std::size_t(first), std::size_t(end - first + 1)));
    batch.base = base;
    batch.groups = end - first;
    batch.direction = device.put(in.direction.subspan(std::size_t(first), std::size_t(end - first)));
    batch.column = device.take<double>(rows);
    batch.value = device.take<double>(rows);
    batch.out = device.take<double>(rows);
    OPTGAP_CUDA_TRY(launch_ranks(device.stream(), device.limits(), batch, spec));
    device.get(batch.out, out.subspan(std::size_t(base), std::size_t(rows)));
    device.finish();
}

}  // namespace

void cuda_executor::run(ranks_call const& call) {
    cuda_device::call const turn(*device_);
    rank_inputs const& in = call.in;
    std::int64_t const row_bytes = (in.columns + 3) * std::int64_t(sizeof(double));
    std::int64_t const group_bytes = sizeof(std::int64_t) + sizeof(sense);
    std::int64_t const groups = std::int64_t(in.begin.size()) - 1;
    ranking_scratch scratch;
    for (std::int64_t g = 0; g < groups;) {
        if (rows_of(in, g) > max_counted) {
            rank_group(in, g, call.spec, scratch, call.out);
            ++g;
            continue;
        }
        std::int64_t const first = g;
        std::int64_t bytes = 0;
        std::int64_t compared = 0;
        for (; g < groups && rows_of(in, g) <= max_counted; ++g) {
            std::int64_t const more = rows_of(in, g) * row_bytes + group_bytes;
            compared += rows_of(in, g) * rows_of(in, g) * in.columns;
            if (bytes + more > device_->room() || (g > first && compared > max_compared)) {
                break;
            }
            bytes += more;
        }
        if (g == first) {
            throw error(status::out_of_memory, "a group of " + std::to_string(rows_of(in, g)) + " rows with " +
                                                   std::to_string(in.columns) +
                                                   " scores each does not fit the device memory limit, which leaves " +
                                                   std::to_string(device_->room()) + " bytes");
        }
        if (in.begin[std::size_t(g)] > in.begin[std::size_t(first)]) {
            slice_on(*device_, in, first, g, call.spec, call.out);
        }
    }
}

}  // namespace optgap
