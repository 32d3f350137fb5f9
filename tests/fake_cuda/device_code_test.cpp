// The kernels' own code, lane by lane on host threads: warp_team and block_team against plain loops.

#include "tests/fake_cuda/fake_device_code.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "host/reward/ranking.hpp"
#include "kernels/launch/cuda_team.cuh"
#include "kernels/reward/device_estimators.hpp"
#include "tests/checks/rubric_rows.hpp"
#include "tests/cuda/team_rounds.cuh"
#include "tests/fake_cuda/row_kernels_property.hpp"

OPTGAP_KERNELS_BEGIN
alignas(64) std::int32_t shared_scratch[1 << 16];
OPTGAP_KERNELS_END

namespace optgap::testing {
namespace {

constexpr std::int32_t rounds = 12;

TEST(fake_device, a_warp_agrees_with_plain_loops) {
    constexpr std::int32_t warps = 2;
    std::vector<lane_input> const in = random_lanes(warps * 32 * rounds);
    std::vector<lane_output> out(in.size());
    std::int32_t mail[warps][32];
    std::uint32_t set[warps][set_words];
    fake::run_block(warps, [&] {
        std::int32_t const warp = std::int32_t(threadIdx.x) / 32;
        warp_team team;
        run_rounds(team, in.data() + warp * rounds * 32, out.data() + warp * rounds * 32, rounds, mail[warp],
                   set[warp]);
    });
    for (std::int32_t warp = 0; warp < warps; ++warp) {
        expect_team(in.data() + warp * rounds * 32, out.data() + warp * rounds * 32, 32, rounds);
    }
}

TEST(fake_device, a_block_agrees_with_plain_loops) {
    constexpr std::int32_t size = 96;
    std::vector<lane_input> const in = random_lanes(size * rounds);
    std::vector<lane_output> out(in.size());
    std::int32_t mail[size];
    std::uint32_t set[set_words];
    block_team<size>::shared common;
    fake::run_block(size / 32, [&] {
        block_team<size> team(common);
        run_rounds(team, in.data(), out.data(), rounds, mail, set);
    });
    expect_team(in.data(), out.data(), size, rounds);
}

TEST(fake_device, a_warp_ranks_as_the_plain_loops_do) {
    for (std::int64_t const count : {4, 16, 45}) {
        std::vector<double> scores;
        for (std::int64_t k = 0; k < 2 * count; ++k) {
            scores.push_back(k % 11 == 3 ? std::nan("") : double((k * 29) % 17) / 7.0);
        }
        std::vector<double> column(static_cast<std::size_t>(count));
        std::vector<double> value(column.size());
        std::vector<double> found(column.size());
        std::vector<double> expected(column.size());
        double partial[sum_lanes];
        ranking_scratch scratch;
        for (char const* const form : {"river", "rank_uniform", "instance_norm", "raw", "raw_binary"}) {
            advantage_spec const spec = parse_advantage_spec(form);
            rank_candidates({scores.data(), count, 2, sense::minimise, expected.data()}, spec, scratch);
            fake::run_block(1, [&] {
                warp_team team;
                rank_room const room{column.data(), value.data(), partial};
                rank_scores_by_form(team, {scores.data(), count, 2, sense::minimise, found.data()}, spec, room);
            });
            EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)), 0) << form;
        }
    }
}

TEST(fake_device, a_warp_scores_rows_of_rubrics_as_the_host_does) {
    expect_rows_of_the_host(15, [](auto const& work) {
        fake::run_block(1, [&] {
            warp_team team;
            work(team);
        });
    });
}

}  // namespace
}  // namespace optgap::testing
