#include "kernels/tasks/set_cover/set_cover.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::set_cover {
std::vector<std::int32_t> read_or_library(std::string_view text);
}

namespace optgap {
namespace {

using scp_task = tasks::set_cover::task;
using testing::wide_block;
using text::set_cover::read_or_library;

std::string const by_elements = " 4 5\n 4 3 5 2 1\n 3\n 1 3 5\n 2\n 1 2\n 2\n 2 3\n 2\n 3 4\n";
std::string const by_sets = " 4 5\n 4 2 1 2\n 3 2 2 3\n 5 3 1 3 4\n 2 1 4\n 1 1 1\n";

TEST(set_cover, files_of_costs_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<scp_task>(read_or_library, by_elements), 6);
    EXPECT_EQ(read_or_library(by_sets), read_or_library(by_elements));
    EXPECT_EQ(read_or_library("3 2\n1 1\n1\n2\n2\n1 2\n0\n"), (wide_block{3, 2, 0b010, 0b011}));  // no costs
    EXPECT_EQ(read_or_library("3 2\n1 4\n1\n2\n2\n1 2\n0\n"), (wide_block{3, 2, 0b010, 0b011, 1, 4}));
}

TEST(set_cover, cut_surplus_and_foreign_files_of_costs_are_refused) {
    testing::expect_cuts_refused(read_or_library, by_elements);
    testing::expect_cuts_refused(read_or_library, by_sets);
    testing::expect_no_nonsense<scp_task>(read_or_library, by_elements);
    testing::expect_no_nonsense<scp_task>(read_or_library, by_sets);
    testing::expect_refused(
        read_or_library, {{"", "line 1: the number of elements must be an integer"},
                          {"hello\n", "line 1: the number of elements must be an integer, found 'hello'"},
                          {"0 1", "line 1: the number of elements must be in 1"},
                          {"1000000 1000000", "line 1: the number of sets times"},
                          {"1 2\n1 0\n1 1", "line 2: a cost must be in 1 ... 1000000"},
                          {"1 2\n1 1\n3 1 2 1", "line 3: a number of sets must be in 0 ... 2"},
                          {"1 2\n1 1\n2 1 1", "line 3: set 1 holds element 1 already"},
                          {"1 2\n1 1\n1 0", "line 3: a set must be in 1 ... 2"},
                          {"1 2\n1 1\n2 1", "line 3: a set must be an integer, found 'the end"},
                          {"1 2\n1 1\n1 1\n1", "line 4: the file must end"},
                          {"2 2\n5 1 1\n5 1 3\n", "line 3: an element must be in 1 ... 2"},
                          {"2 2\n5 1 1\n0 1 2\n", "line 3: a cost must be in 1 ... 1000000"},
                          {"2 2\n5 1 1\n5 2 2 2\n", "line 3: set 2 holds element 2 already"},
                          {"2 3\n5 1 1\n5 1 2\n", "line 3: the head says 3 sets, but there are lines of 2"},
                          {"2 1\n5 1 1\n5 1 2\n", "line 3: there are more lines than the 1 sets that the head says"}});
}

}  // namespace
}  // namespace optgap
