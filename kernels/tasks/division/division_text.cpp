// Texts of division.

#include "kernels/families/exact/exact_text.hpp"
#include "kernels/tasks/division/division.hpp"
#include "optgap/format.hpp"

namespace division_text {

using optgap::tasks::division::task;

void append_a(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::a(on)); }
void append_b(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::b(on)); }

struct words : optgap::families::exact_text<task> {
    static constexpr optgap::answer_terms terms = optgap::families::exact_list<task>(
        "QUOTIENT R REMAINDER", "quotient and remainder as two numbers, or as a list of two lists of digits,",
        "it has two numbers, and each has a digit", "a digit is 0 to 9");
};

constexpr optgap::declarative_text says{
    .title = "Division",
    .summary = "quotient and remainder of two numbers of any length",
    .category = "arithmetic",
    .objective = "number of digits that are right, counted from the first of the quotient",
    .singular = "digit",
    .plural = "digits",
    .prompts =
        {"Divide {a} by {b}. Give the quotient, rounded down to a whole number, and behind an R the remainder, 0 where "
         "nothing is left. Digits count from the first one of the quotient up to the first that is wrong; those of a "
         "number with too many or too few digits do not count.\n",
         "Do this long division:\n\n  {a} : {b}\n\nHow often does the second number go into the first one, and what is "
         "left over? Write both numbers in this order with an R between them. Their digits are checked in this order, "
         "and what stands behind the first mistake is worth nothing; so is a number that has not the right number of "
         "digits.\n",
         "{a} marbles are put into boxes of {b} until fewer than a box's worth are left. State the number of full "
         "boxes, "
         "then R, then the number of marbles left, both exactly. The digits are judged from the first one of the boxes "
         "on until one is wrong; a number of another length is wrong from its start.\n",
         "q, r = divmod({a}, {b})\nprint(q, \"R\", r)\n\nWhat do these lines print, with integers of any length? The "
         "score is the number of digits before the first wrong one, and a number of another length is wrong from its "
         "start.\n",
         "Find the integers q and r with {a} = q * {b} + r and 0 <= r < {b}. Answer \"q R r\" with both in decimal "
         "digits. You score the digits of q from the front as far as they agree, none if yours has another length, and "
         "if all do, those of r likewise.\n",
         "{instance}\n\nThe lists `a` and `b` above hold the decimal digits of two whole numbers, the most significant "
         "one first. Return the quotient of a by b, rounded down, and the remainder, as two numbers with an R between "
         "them or as a list of two lists of digits like these. The digits score from the quotient's front up to the "
         "first error, where a number of another length is one from its start.\n"},
    .sentences = {},
    .examples = {{R"({"a": [1, 0, 0], "b": [7]})", "14 R 2", "ok", 3},
                 {"", "[[1, 4], [2]]", "ok", 3},
                 {"", "q = 14, r = 3", "ok", 2},
                 {"", "13 remainder 2", "ok", 1},
                 {"", "[[1, 4], [0, 2]]", "ok", 2},
                 {"", "[[0, 1, 4], [2]]", "ok", 0},
                 {"", "14", "wrong_length"},
                 {"", "[14, 2]", "bad_depth"},
                 {"", "[[1, 4], []]", "wrong_length"},
                 {"", "[[1, 14], [2]]", "out_of_range"},
                 {"", "[]", "empty"},
                 {R"({"a": [5], "b": [1, 2]})", "0 R 5", "ok", 2},
                 {R"({"a": [9, 6], "b": [1, 2]})", "8 R 0", "ok", 2},
                 {R"({"a": [9], "b": [0]})", "instance", "refused"},
                 {R"({"a": [0, 9], "b": [3]})", "instance", "refused"},
                 {R"({"a": [12], "b": [3]})", "a[0]", "refused"}},
    .fillers = {{"a", append_a}, {"b", append_b}},
    .tags = {"arithmetic", "numbers"},
    .rlve = {"Division"},
    .numbers = optgap::bare_number::digit_rows,
};

}  // namespace division_text

extern optgap::task_text const optgap_text_division;
optgap::task_text const optgap_text_division =
    optgap::families::exact_task_text<division_text::task, division_text::words, division_text::says>();
