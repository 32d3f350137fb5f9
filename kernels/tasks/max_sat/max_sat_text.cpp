// Texts of max_sat.

#include "kernels/families/labels/clauses_text.hpp"
#include "kernels/tasks/max_sat/max_sat.hpp"

namespace optgap::text::max_sat {
std::vector<std::int32_t> read_clauses(std::string_view text);  // max_sat_files.cpp
}

namespace max_sat_text {

using optgap::words_view;
using optgap::tasks::max_sat::task;

/// The additional sentence of a prompt if some clauses are hard; generated instances have none.
void append_where_hard(std::string& text, words_view on, char const* sentence) {
    text += task::clauses(on).hard != nullptr ? sentence : "";
}

constexpr optgap::file_format files[] = {
    {".wcnf", optgap::text::max_sat::read_clauses}, {".cnf", optgap::text::max_sat::read_clauses}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Maximum satisfiability",
    .summary = "truth values that satisfy the most weight of clauses which cannot all hold",
    .category = "logic",
    .objective = "weight of the satisfied clauses",
    .singular = "truth value",
    .plural = "truth values",
    .prompts =
        {"The variables x1 to x{n} are each true or false. Below are {m} weighted clauses, one a line: the weight, "
         "then "
         "the clause, where | is or and ~ is not. A clause is satisfied if at least one of its literals is true. The "
         "clauses cannot be expected to be satisfied all at once.\n\n{logic}\nFind truth values for which the "
         "satisfied "
         "clauses have the largest total weight.{hard} Answer with one list of {n} numbers, 1 for true and 0 for "
         "false: that "
         "of x1 first, that of x{n} last.\n",
         "A town council votes on {n} proposals, numbered from 1; each is accepted (1) or rejected (0). Each line "
         "below is a group of voters: its size, then what would please it, where +a stands for proposal a accepted and "
         "-a for proposal a rejected. A group is pleased as soon as one of these comes true, and no more by "
         "several.\n\n{signed}\nPlease as many voters as possible.{hard} List the decisions, 0 or 1, on proposals 1 to "
         "{n}.\n",
         "{n} switches, numbered from 1, are each on (1) or off (0). Each line below promises a prize, the number "
         "before the colon, if at least one of the parts after it holds: a number alone says that the switch is on, "
         "'not' before it that it is off.\n\n{words}\nSet the switches so that the sum of the prizes won is as large "
         "as possible.{hard} Write the {n} positions, 0 or 1, as one list in the order of the switches.\n",
         "Weighted MAX-SAT, {n} variables, {m} {softness}. Each line is a weight, the clause in DIMACS "
         "signs, and 0 for its end. Maximise the total weight of satisfied clauses.\n\n{dimacs}\nReturn the "
         "assignment as a list of {n} values 0 or 1, variable 1 first.\n",
         "A game has {n} coins, 1 to {n}, which you lay with head (1) or tail (0) up. A line 'w: ...' pays w points "
         "when at least one coin of the line lies as it is said there, +c for coin c with its head up, -c for coin c "
         "with its tail up.\n\n{signed}\nWhat is the best way to lay the coins? List 0 or 1 for coin 1 to coin {n}; "
         "the more points in total, the better.{hard}\n",
         "{instance}\n\nIn the object above each entry of `clauses` is a clause over the variables 1 to n, in which v "
         "stands for 'variable v is 1' and -v for 'variable v is 0'; it is satisfied if one of these is so, and is "
         "then worth the entry of `weights` at its place.{marked} Return a list of n values 0 or 1, that of variable 1 "
         "first, "
         "for which the satisfied clauses are worth as much as possible together.\n"},
    .sentences = {"{violation} of {violation_max} hard clauses are false."},
    .examples = {{R"({"n": 2, "clauses": [[1, 1], [-1, -1], [1, 2]], "weights": [3, 2, 1]})", "[1, 0]", "ok", 4},
                 {"", "[1, 1]", "ok", 4},
                 {"", "[0, 1]", "ok", 3},
                 {"", "[0, 0]", "ok", 2},
                 {"", "[0, 2]", "out_of_range"},
                 {"", "[-1, 0]", "out_of_range"},
                 {"", "[1]", "wrong_length"},
                 {"", "[1, 0, 0]", "wrong_length"},
                 {"", "[[1, 0]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"n": 1, "clauses": [[1, -1]], "weights": [9]})", "[0]", "ok", 9},
                 {R"({"n": 2, "clauses": [[1, 2], [-1], [-2]], "weights": [1, 2, 5], "hard": [1, 0, 0]})", "[1, 0]",
                  "ok", 5},
                 {"", "[0, 1]", "ok", 2},
                 {"", "[0, 0]", "hard_clause"},
                 {R"({"n": 2, "clauses": [[1, -3]], "weights": [1]})", "clauses[0][1]", "refused"},
                 {R"({"n": 2, "clauses": [[0, 1]], "weights": [1]})", "clauses[0][0]", "refused"},
                 {R"({"n": 2, "clauses": [[1]], "weights": [1], "hard": [1]})", "instance", "refused"},
                 {R"({"n": 2, "clauses": [[1], [2]], "weights": [2, 1], "hard": [1, 0]})", "instance", "refused"},
                 {R"({"n": 2, "clauses": [[1, 2]], "weights": [0]})", "weights[0]", "refused"},
                 {R"({"n": 2, "clauses": [[1, 2]], "weights": [1, 1]})", "weights", "refused"}},
    .fillers = {{"hard",
                 [](std::string& text, words_view on) {
                     append_where_hard(text, on,
                                       " What a line with 'hard' in place of a number says must hold in any case, and "
                                       "counts nothing.");
                 }},
                {"softness",
                 [](std::string& text, words_view on) {
                     text += task::clauses(on).hard == nullptr
                                 ? "soft clauses, none hard"
                                 : "clauses, of which those with the weight 'hard' must be "
                                   "satisfied and the others are soft";
                 }},
                {"marked",
                 [](std::string& text, words_view on) {
                     append_where_hard(
                         text, on, " A clause with a 1 at its place of `hard` must be satisfied and is worth nothing.");
                 }}},
    .tags = {"logic", "weighted"},
    .expensive_steps = 16,
    .files = files,
};

}  // namespace max_sat_text

extern optgap::task_text const optgap_text_max_sat;
optgap::task_text const optgap_text_max_sat =
    optgap::declarative_task_text<max_sat_text::task, optgap::families::clauses_text<max_sat_text::task>,
                                  max_sat_text::says>();
