// What division says.

#include "kernels/families/exact_text.hpp"
#include "kernels/tasks/division/division.hpp"

namespace {

using optgap::tasks::division::task;

void append_a(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::a(on)); }
void append_b(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::b(on)); }

struct words : optgap::families::exact_text<task> {
    static constexpr optgap::answer_terms terms = optgap::families::exact_list<task>(
        "[[q_1, q_2, ...], [r_1, r_2, ...]]", "a list of two lists of digits, the quotient's and the remainder's,",
        "it has two numbers, and each has a digit", "a digit is 0 to 9");
};

constexpr optgap::light_text says{
    .title = "Division",
    .summary = "quotient and remainder of two numbers of any length",
    .category = "arithmetic",
    .objective = "number of results that are right: the quotient, and with it the remainder",
    .singular = "digit",
    .plural = "digits",
    .prompts =
        {"Divide {a} by {b}. Give the quotient, rounded down to a whole number, and the remainder as two lists of "
         "digits, the first digit first, in one list; 0 is [0]. A right quotient counts, and with it a right "
         "remainder.\n",
         "Do this long division:\n\n  {a} : {b}\n\nHow often does the second number go into the first one, and what is "
         "left over? List the digits of both numbers in this order, a list for each, in one list. What is left over "
         "only counts if the first number is right.\n",
         "{a} marbles are put into boxes of {b} until fewer than a box's worth are left. State the number of full "
         "boxes "
         "and the number of marbles left exactly, as two lists of digits in one "
         "list. The number of boxes is judged first; if "
         "it is right, the marbles left are, too.\n",
         "print(list(divmod({a}, {b})))\n\nWhat does this line print, with integers of any length? Answer with one "
         "list of two, "
         "each the list of the digits of a printed number. The first entry "
         "scores if it is right, the second one if both are.\n",
         "Find the integers q and r with {a} = q * {b} + r and 0 <= r < {b}. Answer [Q, R] where Q and R are the "
         "lists of the decimal digits of q and r, the most significant first. You score "
         "1 for the right q alone and 2 for both.\n",
         "{instance}\n\nThe lists `a` and `b` above hold the decimal digits of two whole numbers, the most significant "
         "one first. Return [q, r] with the quotient q of a by b, rounded down, and the remainder r, each as a list of "
         "digits. r scores only behind a right q.\n"},
    .sentences = {},
    .examples = {{R"({"a": [1, 0, 0], "b": [7]})", "[[1, 4], [2]]", "ok", 2},
                 {"", "[[1, 4], [3]]", "ok", 1},
                 {"", "[[1, 3], [2]]", "ok", 0},
                 {"", "[[0, 1, 4], [2]]", "ok", 0},
                 {"", "[[1, 4]]", "wrong_length"},
                 {"", "[[1, 4], []]", "wrong_length"},
                 {"", "[[1, 14], [2]]", "out_of_range"},
                 {"", "[]", "empty"},
                 {R"({"a": [5], "b": [1, 2]})", "[[0], [5]]", "ok", 2},
                 {R"({"a": [9, 6], "b": [1, 2]})", "[[8], [0]]", "ok", 2},
                 {R"({"a": [9], "b": [0]})", "instance", "refused"},
                 {R"({"a": [0, 9], "b": [3]})", "instance", "refused"},
                 {R"({"a": [12], "b": [3]})", "a[0]", "refused"}},
    .fillers = {{"a", append_a}, {"b", append_b}},
    .tags = {"arithmetic", "numbers"},
    .rlve = {"Division"},
};

}  // namespace

extern optgap::task_text const optgap_text_division;
optgap::task_text const optgap_text_division = optgap::families::exact_task_text<task, words, says>();
