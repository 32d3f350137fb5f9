#include "kernels/tasks/max_cut/max_cut.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::max_cut {
std::vector<std::int32_t> read_rudy(std::string_view text);
}

namespace optgap {
namespace {

using rudy_task = tasks::max_cut::task;
using testing::wide_block;
using text::max_cut::read_rudy;

std::string const signed_edges = "4 5\n1 2 3\n2 3 -2\n3 4 4\n4 1 -1\n1 3 2\n";

TEST(max_cut, files_of_weights_of_either_sign_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<rudy_task>(read_rudy, signed_edges), 9);
    EXPECT_EQ(read_rudy("2 1\n1 2\n"), (wide_block{2, 0, 1, 1, 0}));  // a missing weight is 1
    EXPECT_EQ(read_rudy("3 0\n"), (wide_block{3, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(read_rudy("2 1\r\n 2 1 0 \r\n\r\n"), (wide_block{2, 0, 0, 0, 0}));
}

TEST(max_cut, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_rudy, signed_edges);
    testing::expect_no_nonsense<rudy_task>(read_rudy, signed_edges);
    testing::expect_refused(read_rudy, {{"", "line 1: the file is empty"},
                                        {"p edge 4 5\n", "line 1: expected 2 numbers in the line, found 4"},
                                        {"0 0\n", "line 1: the number of vertices must be in 1 ... 5000"},
                                        {"5001 0\n", "line 1: the number of vertices must be in 1 ... 5000"},
                                        {"3 2\n1 2 1\n", "line 2: the head says 2 edges, but there are 1"},
                                        {"3 1\n1 2 1\n2 3 1\n", "line 3: there are more edges than the 1"},
                                        {"3 1\n0 2 1\n", "line 2: a vertex must be in 1 ... 3"},
                                        {"3 1\n1 4 1\n", "line 2: a vertex must be in 1 ... 3"},
                                        {"3 1\n2 2 1\n", "line 2: an edge must join two different vertices"},
                                        {"3 2\n1 2 1\n2 1 1\n", "line 3: there is a second edge between 2 and 1"},
                                        {"3 2\n1 2 1\n2 3\n", "line 3: expected u v weight"},
                                        {"3 1\n1 2 1 1\n", "line 2: expected u v weight"},
                                        {"3 1\n1 2 0.5\n", "line 2: a weight must be an integer, found '0.5'"},
                                        {"3 1\n1 2 -2147483648\n", "line 2: a weight must be in -2147483647"}});
}

}  // namespace
}  // namespace optgap
