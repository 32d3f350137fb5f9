// The processors of a sandbox's slots: cores first, a reserve where there is room, none where there is not.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "host/programs/slots/processors.hpp"

namespace optgap::programs {
namespace {

using numbers = std::vector<std::int32_t>;

/// `cores` cores with `threads` processors each, numbered as in Linux: the first ones of all cores, then the second
/// ones.
processor_set machine_of(std::int32_t cores, std::int32_t threads) {
    processor_set out;
    for (std::int32_t k = 0; k < cores * threads; ++k) {
        out.usable.push_back({k, k % cores});
    }
    out.capacity = cores * threads;
    return out;
}

numbers slots_on(processor_set const& all, std::int32_t slots) {
    numbers out = processors_for(all, slots);
    out.resize(std::min(out.size(), std::size_t(slots)));
    return out;
}

TEST(slot_processors, are_cores_from_the_highest_down_and_leave_a_reserve) {
    EXPECT_EQ(slots_on(machine_of(2, 1), 1), (numbers{1}));
    EXPECT_EQ(slots_on(machine_of(8, 1), 6), (numbers{7, 6, 5, 4, 3, 2}));
    EXPECT_EQ(processors_for(machine_of(8, 1), 3), (numbers{7, 6, 5, 4, 3, 2}));  // processors of others are skipped
    EXPECT_EQ(slots_on(machine_of(8, 1), 8), (numbers{7, 6, 5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(slots_on(machine_of(1, 1), 1), (numbers{0}));
}

TEST(slot_processors, are_siblings_only_when_cores_run_out) {
    EXPECT_EQ(slots_on(machine_of(4, 2), 4), (numbers{7, 6, 5, 4}));
    EXPECT_EQ(slots_on(machine_of(4, 2), 6), (numbers{7, 6, 5, 4, 3, 2}));
    processor_set some = machine_of(4, 2);
    some.usable = {{2, 2}, {3, 3}, {6, 2}};  // an affinity mask
    some.capacity = 3;
    EXPECT_EQ(slots_on(some, 2), (numbers{6, 3}));
    EXPECT_EQ(slots_on(some, 3), (numbers{6, 3, 2}));
}

TEST(slot_processors, are_none_where_slots_outnumber_them_or_what_a_quota_rewards) {
    EXPECT_TRUE(processors_for(machine_of(2, 1), 3).empty());
    processor_set few = machine_of(16, 1);
    few.capacity = 4;
    EXPECT_TRUE(processors_for(few, 5).empty());
    EXPECT_EQ(slots_on(few, 4), (numbers{15, 14, 13, 12}));
    EXPECT_TRUE(processors_for({}, 2).empty());
}

TEST(slot_processors, of_this_process_are_what_it_may_run_on) {
    processor_set const own = own_processors();
    ASSERT_FALSE(own.usable.empty());
    EXPECT_LE(own.capacity, std::int32_t(own.usable.size()));
    EXPECT_GE(own.reserve(), 1);
}

TEST(slot_processors, claimed_by_one_process_are_no_other_s) {
    std::string folder = (std::filesystem::temp_directory_path() / "optgap-claims-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    processor_set const all = machine_of(8, 1);
    {
        processor_claims const first(folder, all, 4);
        EXPECT_EQ(first.processors(), (numbers{7, 6, 5, 4}));
        EXPECT_EQ(first.of(1), 6);
        EXPECT_EQ(first.of(4), -1);
        EXPECT_EQ(processor_claims(folder, all, 2).processors(), (numbers{7, 6}));  // in the same process
        // In another process: a fork has its parent's locks open, but does not count them as its own.
        pid_t const child = fork();
        if (child == 0) {
            processor_claims const two(folder, all, 2);
            processor_claims const three(folder, all, 3);
            _exit(two.processors() == numbers{3, 2} && three.processors().empty() && three.of(0) == -1 &&
                          three.why_none().find("left 2") != std::string::npos
                      ? 0
                      : 1);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(processor_claims(folder, all, 1).processors(), (numbers{7}));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace optgap::programs
