#include "kernels/tasks/max_sat/max_sat.hpp"
#include "tests/support/file_cases.hpp"

namespace optgap::text::max_sat {
std::vector<std::int32_t> read_clauses(std::string_view text);
}

namespace optgap {
namespace {

using max_sat_file_task = tasks::max_sat::task;
using testing::wide_block;
using text::max_sat::read_clauses;

std::string const old_wcnf = "p wcnf 3 6 15\n15 1 2 0\n15 -3 -1 0\n3 1 0\n2 -1 2 0\n4 -2 0\n1 3 0\n";
std::string const new_wcnf = "h 1 2 0\nh -3 -1 0\n3 1 0\n2 -1 2 0\n4 -2 0\n1 3 0\n";

TEST(max_sat, files_with_and_without_weights_are_proven) {
    EXPECT_EQ(testing::optimum_of_file<max_sat_file_task>(read_clauses, old_wcnf), 7);
    EXPECT_EQ(testing::optimum_of_file<max_sat_file_task>(read_clauses, new_wcnf), 7);
    EXPECT_EQ(read_clauses(old_wcnf), read_clauses(new_wcnf));
    EXPECT_EQ(read_clauses("c before 2022\n" + new_wcnf), read_clauses(new_wcnf));
    EXPECT_EQ(
        testing::optimum_of_file<max_sat_file_task>(read_clauses, "p cnf 3 5\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n3 0\n"),
        4);
    // Without a top weight no clause is hard; a top weight may exceed 2^63.
    EXPECT_EQ(read_clauses("p wcnf 1 2\n5 1 0\n7 -1 0\n"), (wide_block{1, 2, 1, 1, -1, 5, 7}));
    EXPECT_EQ(read_clauses("p wcnf 1 2 18446744073709551615\n18446744073709551615 1 0\n7 -1 0\n"),
              (wide_block{1, 2, 1, 1, -1, 1, 7, 1, 0}));
    EXPECT_EQ(read_clauses("4 1 0\n2 -1 -3 0\n"), (wide_block{3, 2, 2, 1, 0, -1, -3, 4, 2}));
}

TEST(max_sat, cut_surplus_and_foreign_files_are_refused) {
    testing::expect_cuts_refused(read_clauses, old_wcnf);
    testing::expect_no_nonsense<max_sat_file_task>(read_clauses, old_wcnf);
    testing::expect_no_nonsense<max_sat_file_task>(read_clauses, new_wcnf);
    testing::expect_refused(
        read_clauses,
        {{"", "line 1: there are no clauses; expected a problem line, p cnf n m, and m clauses, or clauses with"},
         {"p wcnf 3 2 9\n9 1 0\n", "line 2: the problem line says 2 clauses, but there are 1"},
         {"p wcnf 3 1 9\n9 1 0\n2 1 0\n", "line 3: the problem line says 1 clauses, but there are 2"},
         {"p wcnf 3 1 9\n0 1 0\n", "line 2: a weight must be in 1 ... 1000000, or the top weight for a hard clause"},
         {"p wcnf 3 1 9\n-1 1 0\n", "line 2: a weight must be a whole number from 1 on, found '-1'"},
         {"p wcnf 3 1 9000000\n1000001 1 0\n", "line 2: a weight must be in 1 ... 1000000"},
         {"p wcnf 3 1 9\nh 1 0\n", "line 2: a weight must be a whole number from 1 on, found 'h'"},
         {"p wcnf 3 1 9\n2.5 1 0\n", "line 2: a weight must be a whole number from 1 on, found '2.5'"},
         {"p wcnf 3 1 9\n2 4 0\n", "line 2: a literal must be in -3 ... 3"},
         {"p wcnf 3 1 0x\n2 1 0\n", "line 1: the top weight must be a whole number"},
         {"h 1 2\n", "line 1: the file ended within a clause"},
         {"h 1 0\nh 2 0\n", "the file: has hard clauses alone"},
         {"p wcnf 2 2 3\n3 1 0\n3 2 0\n", "the file: has hard clauses alone"},
         {"h 1 0\n0 2 0\n", "line 2: a weight must be in 1 ... 1000000, or h for a hard clause"},
         {"h 5001 0\n1 1 0\n", "line 1: a literal must be in -5000 ... 5000"},
         {"hello world\n", "line 1: expected a problem line, p cnf n m, before the clauses, or clauses that begin"},
         {"some words\n", "line 1: expected a problem line"}});
}

}  // namespace
}  // namespace optgap
