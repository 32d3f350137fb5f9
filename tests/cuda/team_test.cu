// warp_team and block_team against plain loops: every collective, on every lane, round after round.

#include <cstdint>
#include <vector>

#include "host/cuda/cuda_try.hpp"
#include "kernels/launch/cuda_team.cuh"
#include "tests/cuda/team_rounds.cuh"
#include "tests/support/cuda_device.hpp"

namespace optgap::testing {
namespace {

/// Every warp of the block is a team of its own.
template <int Warps>
__global__ void warp_rounds_kernel(lane_input const* in, lane_output* out, std::int32_t rounds) {
    __shared__ std::int32_t mail[Warps][32];
    __shared__ std::uint32_t set[Warps][set_words];
    std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
    warp_team team;
    run_rounds(team, in + warp * rounds * 32, out + warp * rounds * 32, rounds, mail[warp], set[warp]);
}

template <int N>
__global__ void block_rounds_kernel(lane_input const* in, lane_output* out, std::int32_t rounds) {
    __shared__ std::int32_t mail[N];
    __shared__ std::uint32_t set[set_words];
    __shared__ typename block_team<N>::shared common;
    block_team<N> team(common);
    run_rounds(team, in, out, rounds, mail, set);
}

class cuda_teams : public on_cuda {
protected:
    /// Runs `teams` teams of `size` lanes in one block and checks every lane of every round.
    void check(void (*kernel)(lane_input const*, lane_output*, std::int32_t), std::int32_t teams, std::int32_t size) {
        constexpr std::int32_t rounds = 200;
        std::vector<lane_input> const in = random_lanes(std::int64_t(teams) * size * rounds);
        std::vector<lane_output> out(in.size());
        lane_input* device_in = nullptr;
        lane_output* device_out = nullptr;
        OPTGAP_CUDA_TRY(cudaMalloc(&device_in, in.size() * sizeof(lane_input)));
        OPTGAP_CUDA_TRY(cudaMalloc(&device_out, out.size() * sizeof(lane_output)));
        OPTGAP_CUDA_TRY(cudaMemcpy(device_in, in.data(), in.size() * sizeof(lane_input), cudaMemcpyHostToDevice));
        OPTGAP_CUDA_TRY(cudaMemset(device_out, 0xA5, out.size() * sizeof(lane_output)));
        kernel<<<1, unsigned(teams * size)>>>(device_in, device_out, rounds);
        OPTGAP_CUDA_TRY(cudaGetLastError());
        OPTGAP_CUDA_TRY(cudaMemcpy(out.data(), device_out, out.size() * sizeof(lane_output), cudaMemcpyDeviceToHost));
        OPTGAP_CUDA_TRY(cudaFree(device_in));
        OPTGAP_CUDA_TRY(cudaFree(device_out));
        for (std::int32_t team = 0; team < teams; ++team) {
            expect_team(in.data() + team * rounds * size, out.data() + team * rounds * size, size, rounds);
        }
    }
};

TEST_F(cuda_teams, a_warp_agrees_with_plain_loops) { check(warp_rounds_kernel<1>, 1, 32); }
TEST_F(cuda_teams, warps_of_one_block_do_not_disturb_each_other) { check(warp_rounds_kernel<4>, 4, 32); }
TEST_F(cuda_teams, a_block_of_one_warp_agrees_with_plain_loops) { check(block_rounds_kernel<32>, 1, 32); }
TEST_F(cuda_teams, a_block_agrees_with_plain_loops) { check(block_rounds_kernel<128>, 1, 128); }
TEST_F(cuda_teams, the_largest_block_agrees_with_plain_loops) { check(block_rounds_kernel<1024>, 1, 1024); }

}  // namespace
}  // namespace optgap::testing
