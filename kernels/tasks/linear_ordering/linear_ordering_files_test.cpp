#include "kernels/tasks/linear_ordering/linear_ordering.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::linear_ordering {
std::vector<std::int32_t> read_matrix(std::string_view text);
}

namespace optgap {
namespace {

using lop_task = tasks::linear_ordering::task;
using text::linear_ordering::read_matrix;

std::string const lop = "4\n0 5 1 4\n2 0 6 3\n7 2 0 1\n3 4 5 0\n";

TEST(linear_ordering, files_of_lolib_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<lop_task>(read_matrix, lop), 27);
    EXPECT_EQ(read_matrix("a table of inputs (1975)\n" + lop), read_matrix(lop));
    EXPECT_EQ(read_matrix(" 4\r\n0 5\r\n1 4 2 0 6 3\r\n7 2 0 1 3 4 5\r\n0"), read_matrix(lop));
}

TEST(linear_ordering, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_matrix, lop);
    testing::expect_no_nonsense<lop_task>(read_matrix, lop);
    testing::expect_refused(read_matrix,
                            {{"", "line 1: the file ended; expected n, the number of items"},
                             {"name\n", "line 1: the file ended; expected n, the number of items"},
                             {"name\nmore\n4\n", "line 2: n, the number of items, must be an integer, found 'more'"},
                             {"1\n0\n", "line 1: n, the number of items, must be in 2 ... 1000"},
                             {"2\n0 1\n2\n", "line 3: the file ended after 3 of n * n = 4 entries"},
                             {"2\n0 1\n2 0\n7\n", "line 4: there are more than n * n = 4 entries"},
                             {"2\n0 1\n-2 0\n", "line 3: an entry must be in 0 ... 1000000"},
                             {"2\n0 1\n2.5 0\n", "line 3: an entry must be an integer, found '2.5'"}});
}

}  // namespace
}  // namespace optgap
