// Which calls gain by a GPU: measured results (docs/performance.md), and costs computed for other sizes.

#include "host/executor/device_policy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "host/executor/executor.hpp"
#include "host/serve/policy.hpp"

namespace optgap::testing {
namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::int64_t tsp_bytes = 5'000;  ///< an instance of 50 cities

TEST(device_policy, is_what_was_measured) {
    EXPECT_TRUE(device_policy({.which = verb::improve, .rows = 256, .steps = 200, .bytes = 256 * tsp_bytes}));
    EXPECT_FALSE(device_policy({.which = verb::improve, .rows = 24, .steps = 200})) << "subset_sum took twice as long";
    EXPECT_TRUE(device_policy({.which = verb::generate, .rows = 4096}));
    for (verb const which : {verb::verify, verb::greedy, verb::floor, verb::rewards, verb::advantages, verb::ranks}) {
        EXPECT_FALSE(device_policy({.which = which, .rows = million})) << verb_names[std::size_t(which)];
    }
}

TEST(device_policy, asks_of_a_search_that_it_lasts_longer_than_its_way_there) {
    device_work work{.which = verb::improve, .rows = 4096, .steps = 2, .bytes = 4096 * tsp_bytes};
    EXPECT_FALSE(device_policy(work)) << "0.25 ms of steps, and 20 MB on the way";
    work.bytes = 4096 * 100;
    EXPECT_FALSE(device_policy(work));
    work.steps = 3;
    EXPECT_TRUE(device_policy(work));
    work.steps = 300;
    work.bytes = 4096 * tsp_bytes;
    EXPECT_TRUE(device_policy(work));
    work.rows = 255;
    EXPECT_FALSE(device_policy(work)) << "fewer were not measured";
}

TEST(device_policy, goes_where_the_data_lies) {
    device_work const here{.which = verb::verify, .rows = 1};
    device_work const there{.which = verb::verify, .rows = 1, .where = memory::device};
    EXPECT_FALSE(device_policy(here));
    EXPECT_TRUE(device_policy(there));
    EXPECT_TRUE(yields_to_others(here));
    EXPECT_FALSE(yields_to_others(there)) << "the CPU cannot read it";
    EXPECT_FALSE(yields_to_others({.which = verb::improve, .rows = 1}));
}

TEST(device_policy, knows_of_a_call_its_rows_steps_bytes_and_place) {
    std::vector<std::int32_t> const words(10);
    std::vector<std::int64_t> const offsets{0, 4, 7};
    csr_view const two{words.data(), offsets.data(), 2};
    instance_view const instances{.task = words.data(), .blocks = two};
    device_work const search = work_of(improve_call{instances, two, {}, 30, 1});
    EXPECT_EQ(search.which, verb::improve);
    EXPECT_EQ(search.rows, 2);
    EXPECT_EQ(search.steps, 30);
    EXPECT_EQ(search.bytes, 2 * (7 * 4 + 3 * 8));
    EXPECT_EQ(search.where, memory::host);
    csr_view resident = two;
    resident.offsets = nullptr;  // device memory, which is not read here
    resident.space = memory::device;
    device_work const check = work_of(verify_call{instances, resident, {}});
    EXPECT_EQ(check.where, memory::device);
    EXPECT_EQ(check.bytes, 7 * 4 + 3 * 8);
    EXPECT_EQ(check.steps, 0);
}

TEST(device_policy, is_the_daemon_s_too) {
    std::array<std::int64_t, serve::max_verbs> least{};
    serve::set_min_rows(least, true, false);
    for (verb const which : {verb::generate, verb::verify, verb::greedy, verb::improve}) {
        EXPECT_EQ(least[std::size_t(which)], min_gpu_rows(which)) << verb_names[std::size_t(which)];
    }
    EXPECT_EQ(least[std::size_t(verb::solve)], 1);
}

}  // namespace
}  // namespace optgap::testing
