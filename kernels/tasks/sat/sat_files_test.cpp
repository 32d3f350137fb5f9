#include "kernels/tasks/sat/sat.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::sat {
std::vector<std::int32_t> read_cnf(std::string_view text);
}

namespace optgap {
namespace {

using sat_task = tasks::sat::task;
using testing::wide_block;
using text::sat::read_cnf;

std::string const mixed_cnf = "c a comment\np cnf 4 6\n1 -2 0\n2 3 -4 0\n-1 0\n4 -3 2 1 0\n-2 -3 0\n3 4 0\n";

TEST(sat, files_of_clauses_of_any_length_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<sat_task>(read_cnf, mixed_cnf), 6);
    EXPECT_EQ(read_cnf(mixed_cnf + "%\n0\n"), read_cnf(mixed_cnf));
    EXPECT_EQ(read_cnf(mixed_cnf + "%\n0\n\n"), read_cnf(mixed_cnf));
    EXPECT_EQ(read_cnf(mixed_cnf),
              (wide_block{4, 6, 4, 1, -2, 0, 0, 2, 3, -4, 0, -1, 0, 0, 0, 4, -3, 2, 1, -2, -3, 0, 0, 3, 4, 0, 0}));
    // Clauses span lines and share lines, and comments stand between them.
    EXPECT_EQ(read_cnf("p  cnf 3 3 \r\n1\r\n -2 0 3\r\nc no clause\r\n 1 0 0\r\n"),
              (wide_block{3, 3, 2, 1, -2, 3, 1, 0, 0}));
}

TEST(sat, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_cnf, mixed_cnf);
    testing::expect_no_nonsense<sat_task>(read_cnf, mixed_cnf);
    testing::expect_refused(
        read_cnf, {{"", "line 1: there are no clauses; expected a problem line, p cnf n m"},
                   {"c alone\n", "line 1: there are no clauses"},
                   {"1 2 0\n", "line 1: expected a problem line, p cnf n m, before the clauses"},
                   {"hello world\n", "line 1: expected a problem line"},
                   {"p cnf 2 2\n1 0\n", "line 2: the problem line says 2 clauses, but there are 1"},
                   {"p cnf 2 1\n1 0\n2 0\n", "line 3: the problem line says 1 clauses, but there are 2"},
                   {"p cnf 2 1\n1 2\n", "line 2: the file ended within a clause"},
                   {"p cnf 2 1\n1 3 0\n", "line 2: a literal must be in -2 ... 2"},
                   {"p cnf 2 1\n1 x 0\n", "line 2: a literal must be an integer, found 'x'"},
                   {"p cnf 2 1\n1 99999999999999999999 0\n", "line 2: a literal must be an integer"},
                   {"p cnf 0 1\n0\n", "line 1: the number of variables must be in 1 ... 5000"},
                   {"p cnf 2 99999999\n", "line 1: the number of clauses must be in 1 ... 100000"},
                   {"p cnf 2\n", "line 1: the number of clauses must be an integer, found 'the end"},
                   {"p cnf 2 1 7\n1 0\n", "line 1: the problem line goes on"},
                   {"p cnf 2 1\np cnf 2 1\n1 0\n", "line 2: there is a second problem line"},
                   {"p col 2 1\ne 1 2\n", "line 1: the problem line must be p cnf n m"},
                   {"p wcnf 2 1 9\n9 1 0\n", "line 1: p wcnf gives clauses weights, which the task max_sat reads"},
                   {"p cnf 2 1\n0\n", "line 2: no clause has a literal"},
                   {"p cnf 2 1\n1 0\n%\n", "line 3: behind a line of %"},
                   {"p cnf 2 1\n1 0\n%\n0\n2 0\n", "line 5: behind a line of %"}});
    std::string long_clause = "p cnf 5000 1\n";
    for (std::int32_t v = 1; v <= 251; ++v) {
        long_clause += std::to_string(v) + " ";
    }
    testing::expect_refused(read_cnf, {{long_clause + "0\n", "line 2: a clause may have at most 250 literals"}});
}

}  // namespace
}  // namespace optgap
