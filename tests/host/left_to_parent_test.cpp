// Objects of a parent's threads and processes, in a forked child.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "host/process/left_to_parent.hpp"
#include "host/programs/native/broker_client.hpp"
#include "tests/support/child.hpp"

namespace optgap::testing {
namespace {

TEST(left_to_parent, destroys_the_object_in_the_process_that_made_it_alone) {
    struct noted {
        bool& gone;
        ~noted() { gone = true; }
    };
    bool gone = false;
    auto held = left_to_parent(std::shared_ptr<noted>(new noted{gone}));
    EXPECT_EQ(exit_code_of_child([&] {
                  held.reset();
                  child_expects(!gone);
              }),
              0);
    held.reset();
    EXPECT_TRUE(gone);
}

TEST(left_to_parent, a_child_does_not_wait_for_the_thread_of_its_parents_client) {
    auto client =
        left_to_parent(std::make_shared<programs::broker_client>("/nowhere/broker", std::vector<std::string>{}));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until its thread waits for a message
    EXPECT_EQ(exit_code_of_child([&] { client.reset(); }), 0);
}

}  // namespace
}  // namespace optgap::testing
