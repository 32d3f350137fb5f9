#pragma once
// Rounds of collectives for a team on a device, and their expected results from plain loops.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernels/launch/cuda_team.cuh"

namespace optgap::testing {

inline constexpr std::int32_t set_words = 8;

struct lane_input {
    std::int64_t key;
    std::int32_t index;
    std::int32_t value;
};

struct wide {
    std::int64_t first;
    std::int32_t second;
    friend bool operator==(wide const&, wide const&) = default;
};

/// The results of one lane in one round.
struct lane_output {
    ranked least;
    ranked most;
    std::int64_t sum64;
    std::int32_t sum32;
    std::uint32_t sum_unsigned;
    std::int32_t all_even;
    std::int32_t any_negative;
    wide wide_broadcast;
    std::int32_t narrow_broadcast;
    std::int32_t neighbour;   ///< written by the next lane before a collective
    std::int32_t set_member;  ///< this lane's bit, read back after a sync
    std::int32_t rank;
    std::int32_t size;
};

/// All lanes of a team run all rounds; the team shares `mail` and `set`.
template <class Team>
__device__ void run_rounds(Team& team, lane_input const* in, lane_output* out, std::int32_t rounds, std::int32_t* mail,
                           std::uint32_t* set) {
    for (std::int32_t round = 0; round < rounds; ++round) {
        lane_input const mine = in[round * team.size() + team.rank()];
        lane_output& seen = out[round * team.size() + team.rank()];
        team.each(set_words, [&](std::int64_t w) { set[w] = 0; });
        mail[team.rank()] = mine.value;
        seen.sum64 = team.sum(mine.key);
        seen.neighbour = mail[(team.rank() + 1) % team.size()];
        seen.sum32 = team.sum(mine.value);
        seen.sum_unsigned = team.sum(std::uint32_t(mine.value));
        seen.least = team.min_by(mine.key, mine.index);
        seen.most = team.max_by(mine.key, mine.index);
        seen.all_even = team.all(mine.value % 2 == 0) ? 1 : 0;
        seen.any_negative = team.any(mine.value < 0) ? 1 : 0;
        std::int32_t const from = round % team.size();
        seen.wide_broadcast = team.broadcast(wide{mine.key, mine.index}, from);
        seen.narrow_broadcast = team.broadcast(mine.value % 2 == 0, from) ? 1 : 0;
        std::uint32_t const bit = std::uint32_t(mine.index) % (32 * set_words);
        team.fetch_or(&set[bit / 32], 1u << (bit % 32));
        team.sync();
        seen.set_member = (set[bit / 32] >> (bit % 32)) & 1u;
        seen.rank = team.rank();
        seen.size = team.size();
        team.sync();
    }
}

inline std::vector<lane_input> random_lanes(std::int64_t count) {
    std::mt19937_64 random(23);
    std::vector<lane_input> lanes(static_cast<std::size_t>(count));
    constexpr std::int64_t edges[] = {
        INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1, std::int64_t(1) << 32, -(std::int64_t(1) << 32)};
    for (lane_input& lane : lanes) {
        switch (random() % 4) {
            case 0: lane.key = edges[random() % 8]; break;
            case 1: lane.key = std::int64_t(random() % 5) - 2; break;
            case 2: lane.key = std::int64_t(random() % 3) << 32 | std::int64_t(random() % 3); break;
            default: lane.key = std::int64_t(random()); break;
        }
        lane.index = std::int32_t(random() % 1000) - 100;
        lane.value = random() % 8 == 0 ? std::int32_t(random()) : std::int32_t(random() % 64) * 2;
    }
    return lanes;
}

inline void expect_team(lane_input const* in, lane_output const* out, std::int32_t size, std::int32_t rounds) {
    for (std::int32_t round = 0; round < rounds; ++round, in += size, out += size) {
        ranked least{INT64_MAX, INT32_MAX};
        ranked most{INT64_MIN, INT32_MAX};
        std::uint64_t sum64 = 0;
        std::uint32_t sum32 = 0;
        bool all_even = true;
        bool any_negative = false;
        for (std::int32_t lane = 0; lane < size; ++lane) {
            least = smaller(least, {in[lane].key, in[lane].index});
            most = larger(most, {in[lane].key, in[lane].index});
            sum64 += std::uint64_t(in[lane].key);
            sum32 += std::uint32_t(in[lane].value);
            all_even = all_even && in[lane].value % 2 == 0;
            any_negative = any_negative || in[lane].value < 0;
        }
        lane_input const& chosen = in[round % size];
        for (std::int32_t lane = 0; lane < size; ++lane) {
            lane_output const& seen = out[lane];
            SCOPED_TRACE("round " + std::to_string(round) + " lane " + std::to_string(lane));
            ASSERT_EQ(seen.rank, lane);
            ASSERT_EQ(seen.size, size);
            ASSERT_EQ(seen.least.key, least.key);
            ASSERT_EQ(seen.least.index, least.index);
            ASSERT_EQ(seen.most.key, most.key);
            ASSERT_EQ(seen.most.index, most.index);
            ASSERT_EQ(std::uint64_t(seen.sum64), sum64);
            ASSERT_EQ(std::uint32_t(seen.sum32), sum32);
            ASSERT_EQ(seen.sum_unsigned, sum32);
            ASSERT_EQ(seen.all_even, all_even ? 1 : 0);
            ASSERT_EQ(seen.any_negative, any_negative ? 1 : 0);
            ASSERT_TRUE(seen.wide_broadcast == (wide{chosen.key, chosen.index}));
            ASSERT_EQ(seen.narrow_broadcast, chosen.value % 2 == 0 ? 1 : 0);
            ASSERT_EQ(seen.neighbour, in[(lane + 1) % size].value);
            ASSERT_EQ(seen.set_member, 1);
        }
    }
}

}  // namespace optgap::testing
