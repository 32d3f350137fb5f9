// Texts of sat.

#include "kernels/families/labels/clauses_text.hpp"
#include "kernels/tasks/sat/sat.hpp"

namespace optgap::text::sat {
std::vector<std::int32_t> read_cnf(std::string_view text);  // sat_files.cpp
}

namespace sat_text {

using optgap::tasks::sat::task;

constexpr optgap::file_format files[] = {
    {".cnf", optgap::text::sat::read_cnf}, {".dimacs", optgap::text::sat::read_cnf}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Boolean satisfiability",
    .summary = "truth values that satisfy all clauses, or as many as can be",
    .category = "logic",
    .objective = "number of satisfied clauses",
    .singular = "truth value",
    .plural = "truth values",
    .prompts =
        {"A propositional formula has the variables x1 to x{n}, each true or false. It is the conjunction of the {m} "
         "clauses below, one a line, where | is or and ~ is not. A clause is satisfied if at least one of its literals "
         "is true.\n\n{logic}\nFind truth values that satisfy every clause, or else as many clauses as you can. Answer "
         "with one list of {n} numbers, 1 for true and 0 for false: that of x1 first, that of x{n} last.\n",
         "A host plans a party and decides for each of {n} people, numbered 1 to {n}, whether to invite them. Each of "
         "{m} friends has sent a line of wishes: +a asks that person a be invited, -a that person a not be. A friend "
         "is happy if at least one wish of the line comes true.\n\n{signed}\nMake all friends happy, or as many as is "
         "possible. List 1 (invited) or 0 (not invited) for person 1 to person {n}.\n",
         "{n} switches, numbered from 1, are each on (1) or off (0). Of each of the {m} conditions below at least one "
         "part must hold, where a number alone says that the switch is on, and 'not' before it that it is off:\n\n"
         "{words}\nSet the switches so that as many conditions as possible hold, at best all. Write the {n} positions, "
         "0 or 1, as one list in the order of the switches.\n",
         "SAT in DIMACS CNF. The score is the number of satisfied clauses, at most {m}.\n\np cnf {n} {m}\n{dimacs}\n"
         "Return the assignment as a list of {n} values 0 or 1, variable 1 first.\n",
         "Given is a list of {m} sets of literals over the variables 1 to {n}; +v is true when v has the value 1, and "
         "-v when it has the value 0.\n\n{signed}\nChoose a 0/1 value for every variable to maximise the number of "
         "sets with a true literal. If you can, leave no set without one. Write the values in the order of the "
         "variables.\n",
         "{instance}\n\nIn the object above each entry of `clauses` is a clause over the variables 1 to n, in which v "
         "stands for 'variable v is 1' and -v for 'variable v is 0'; it is satisfied if one of these is so. Return a "
         "list of n values 0 or 1, that of variable 1 first, that satisfies all clauses or as many as possible.\n"},
    .sentences = {},
    .examples = {{R"({"n": 3, "clauses": [[1, -2], [2, 3], [-1, -3]]})", "[1, 1, 0]", "ok", 3},
                 {"", "[0, 0, 1]", "ok", 3},
                 {"", "[1, 1, 1]", "ok", 2},
                 {"", "[0, 0, 0]", "ok", 2},
                 {"", "[1, 2, 0]", "out_of_range"},
                 {"", "[1, -2, 0]", "out_of_range"},
                 {"", "[1, 1]", "wrong_length"},
                 {"", "[1, 1, 0, 0]", "wrong_length"},
                 {"", "[[1, 1, 0]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"n": 2, "clauses": [[1, 2], [-1, -1], [1, -2]]})", "[0, 0]", "ok", 2},
                 {R"({"n": 1, "clauses": [[1, -1]]})", "[0]", "ok", 1},
                 {R"({"n": 2, "clauses": [[1, 3]]})", "clauses[0][1]", "refused"},
                 {R"({"n": 2, "clauses": [[1, 2], [-1], []]})", "[0, 1]", "ok", 2},
                 {R"({"n": 2, "clauses": [[1, 0]]})", "clauses[0][1]", "refused"},
                 {R"({"n": 2, "clauses": []})", "clauses", "refused"}},
    .tags = {"logic", "constraints"},
    .rlve = {"SAT", "TwoSAT"},
    .reward = "power",
    .files = files,
};

}  // namespace sat_text

extern optgap::task_text const optgap_text_sat;
optgap::task_text const optgap_text_sat =
    optgap::declarative_task_text<sat_text::task, optgap::families::clauses_text<sat_text::task>, sat_text::says>();
