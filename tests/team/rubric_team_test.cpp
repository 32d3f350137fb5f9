// A rubric's row computed by teams of any size gives the bytes of the host's fast paths. Under ThreadSanitizer this
// finds the races that a GPU would have.

#include "kernels/core/thread_team.hpp"
#include "tests/checks/rubric_rows.hpp"

namespace optgap::testing {
namespace {

TEST(rubric_team, a_team_of_one_says_what_the_fast_ways_say) {
    expect_rows_of_the_host(600, [](auto const& work) {
        solo team;
        work(team);
    });
}

TEST(rubric_team, several_threads_say_what_the_fast_ways_say) {
    expect_rows_of_the_host(45, [](auto const& work) { run_as_team<3>(work); });
    expect_rows_of_the_host(15, [](auto const& work) { run_as_team<8>(work); });
}

}  // namespace
}  // namespace optgap::testing
