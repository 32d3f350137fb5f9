#include "kernels/tasks/bin_packing/bin_packing.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::bin_packing {
std::vector<std::int32_t> read_bins(std::string_view text);
}

namespace optgap {
namespace {

using bpp_task = tasks::bin_packing::task;
using testing::wide_block;
using text::bin_packing::read_bins;

std::string const bpp = "6\n8\n5\n4\n4\n3\n2\n2\n";

TEST(bin_packing, files_of_bpplib_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<bpp_task>(read_bins, bpp), 3);
    EXPECT_EQ(read_bins(bpp), (wide_block{8, 6, 5, 4, 4, 3, 2, 2}));
    EXPECT_EQ(read_bins("6\r\n8\r\n5 4 4\r\n3 2 2\r\n"), read_bins(bpp));
    EXPECT_EQ(read_bins("6\n8\n\r \r\n5\n4\n4\n \r\t\n3\n2\n2\n"), read_bins(bpp));
    EXPECT_EQ(read_bins("6 8\n5\n4\n4\n3\n2\n2\n"), read_bins(bpp));
    EXPECT_EQ(read_bins("4\n8\n5 1\n4 2\n3 1\n2 2\n"), read_bins(bpp));  // each with its count
}

TEST(bin_packing, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_bins, bpp);
    testing::expect_no_nonsense<bpp_task>(read_bins, bpp);
    testing::expect_refused(read_bins, {{"", "line 1: the file is empty; expected the number of sizes"},
                                        {"six\n", "line 1: the number of sizes must be an integer, found 'six'"},
                                        {"0\n", "line 1: the number of sizes must be in 1 ... 5000"},
                                        {"6\n", "line 1: the file ended; expected the capacity"},
                                        {"6\n8 5\n", "line 2: the line of the capacity goes on behind it"},
                                        {"2\n8\n5\n", "line 3: the head says 2 sizes, but there are 1"},
                                        {"2\n8\n5\n5\n5\n", "line 5: the head says 2 sizes, but there are 3"},
                                        {"2\n8\n5\n9\n", "line 4: a size must be at most the capacity, 8"},
                                        {"2\n8\n5\n0\n", "line 4: a size must be in 1 ... "},
                                        {"2\n8\n5\n2.5\n", "line 4: a size must be an integer, found '2.5'"},
                                        {"2\n8\n5 1\n4 5000\n",
                                         "line 4: each size must be at most the capacity, 8, and there may be at most"},
                                        {"3\n8\n5 1\n4 2\n", "line 4: the head says 3 sizes, but there are 4"}});
}

}  // namespace
}  // namespace optgap
