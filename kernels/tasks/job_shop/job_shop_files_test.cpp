#include "kernels/tasks/job_shop/job_shop.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::job_shop {
std::vector<std::int32_t> read_shop(std::string_view text);
}

namespace optgap {
namespace {

using jsp_task = tasks::job_shop::task;
using text::job_shop::read_shop;

std::string const jsplib = "# a comment\n3 3\n0 3 1 2 2 2\n0 2 2 1 1 4\n1 4 2 3 0 1\n";
std::string const taillard_jobs =
    "Nb of jobs, Nb of Machines, Time seed, Machine seed, Upper bound, Lower bound\n3 3 1 2 11 11\nTimes\n3 2 2\n"
    "2 1 4\n4 3 1\nMachines\n1 2 3\n1 3 2\n2 3 1\n";

TEST(job_shop, files_of_jsplib_and_taillard_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<jsp_task>(read_shop, jsplib), 11);
    EXPECT_EQ(testing::optimum_of_file<jsp_task>(read_shop, taillard_jobs), 11);
    EXPECT_EQ(read_shop(jsplib), read_shop(taillard_jobs));
    EXPECT_EQ(read_shop(" instance ft\n\n +++++\n Some words\n 3 3\n0 3 1 2 2 2\n0 2 2 1 1 4\n1 4 2 3 0 1\n"),
              read_shop(jsplib));
}

TEST(job_shop, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_shop, jsplib);
    testing::expect_cuts_refused(read_shop, taillard_jobs);
    testing::expect_no_nonsense<jsp_task>(read_shop, jsplib);
    testing::expect_no_nonsense<jsp_task>(read_shop, taillard_jobs);
    testing::expect_refused(
        read_shop,
        {{"", "line 1: there is no line with the numbers of jobs and of machines"},
         {"hello\n", "line 1: there is no line with the numbers"},
         {"3\n", "line 1: expected a line with the numbers of jobs and of machines"},
         {"0 3\n", "line 1: the number of jobs must be in 1 ... 100"},
         {"3 101\n", "line 1: the number of machines must be in 1 ... 100"},
         {"2 2\n0 1 1 1\n", "line 2: the file ended; expected 2 lines of machines and times, one a job"},
         {"1 2\n0 1 1 1\n1 1 0 1\n", "line 3: there is a line behind the last times"},
         {"1 2\n0 1 1\n", "line 2: expected 4 numbers in the line, found 3"},
         {"1 2\n1 1 2 1\n", "line 2: a machine must be in 0 ... 1"},
         {"1 2\n0 1 1 0\n", "line 2: a time must be in 1 ... 1000000"},
         {"1 2\n0 1 1 -3\n", "line 2: a machine or a time must be in 0 ... 1000000"},
         {"1 2\n0 1 1 x\n", "line 2: a machine or a time must be an integer, found 'x'"},
         {"1 2 3\n5 5\n", "line 2: expected the heading 'Times', found '5 5'"},
         {taillard_jobs + taillard_jobs, "line 11: there is a line behind the last times; a file holds one instance"},
         {"1 2 1 1 1 1\nTimes\n3 4\nMachines\n1 3\n", "line 5: an entry must be in 1 ... 2"}});
}

}  // namespace
}  // namespace optgap
