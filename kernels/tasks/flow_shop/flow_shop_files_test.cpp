#include "kernels/tasks/flow_shop/flow_shop.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::flow_shop {
std::vector<std::int32_t> read_flow(std::string_view text);
}

namespace optgap {
namespace {

using fsp_task = tasks::flow_shop::task;
using text::flow_shop::read_flow;

std::string const taillard_flow =
    "number of jobs, number of machines, initial seed, upper bound and lower bound :\n4 3 1 20 18\n"
    "processing times :\n5 1 4 2\n2 6 3 2\n3 2 3 6\n";

TEST(flow_shop, files_by_machines_and_by_jobs_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<fsp_task>(read_flow, taillard_flow), 18);
    EXPECT_EQ(read_flow("4 3\n0 5 1 2 2 3\n0 1 1 6 2 2\n0 4 1 3 2 3\n0 2 1 2 2 6\n"), read_flow(taillard_flow));
}

TEST(flow_shop, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_flow, taillard_flow);
    testing::expect_no_nonsense<fsp_task>(read_flow, taillard_flow);
    testing::expect_refused(
        read_flow,
        {{"", "line 1: there is no line with the numbers of jobs and of machines"},
         {"x\n", "line 1: there is no line with the numbers of jobs and of machines"},
         {"4\n", "line 1: expected a line with the numbers of jobs and of machines"},
         {"1001 1 1 1 1\n", "line 1: the number of jobs must be in 1 ... 1000"},
         {"4 3 1 20 18\n5 1 4 2\n", "line 2: expected the heading 'processing times', found '5 1 4 2'"},
         {"2 2 1 1 1\nprocessing times :\n1 2\n", "line 3: the file ended; expected 2 lines of times, one a machine"},
         {"2 1 1 1 1\nprocessing times :\n1 2\n3 4\n", "line 4: there is a line behind the last times"},
         {"2 1 1 1 1\nprocessing times :\n1 2 3\n", "line 3: expected 2 numbers in the line, found 3"},
         {"2 1 1 1 1\nprocessing times :\n1 -2\n", "line 3: a time must be in 0 ... 1000000"},
         {"1 2\n1 5 0 5\n", "line 2: a job's line must name the machines 0, 1, 2 and so on"},
         {"2 2\n0 1 1 5\n", "line 2: the file ended; expected 2 lines of machines and times, one a job"}});
}

}  // namespace
}  // namespace optgap
