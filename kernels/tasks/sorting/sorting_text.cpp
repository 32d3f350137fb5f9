// Texts of sorting.

#include "kernels/families/exact/exact_text.hpp"
#include "kernels/tasks/sorting/sorting.hpp"

namespace sorting_text {

using optgap::tasks::sorting::task;

void append_values(std::string& text, optgap::words_view on) {
    optgap::append_list(text, task::values(on).data, task::values(on).count);
}
void append_lines(std::string& text, optgap::words_view on) {
    for (std::int64_t i = 0; i < task::values(on).count; ++i) {
        text += "card ";
        optgap::append_integer(text, i + 1);
        text += ": ";
        optgap::append_integer(text, task::values(on)[i]);
        text += '\n';
    }
}
void append_n(std::string& text, optgap::words_view on) { optgap::append_integer(text, task::values(on).count); }

struct words : optgap::families::exact_text<task> {
    static constexpr optgap::answer_terms terms =
        optgap::families::exact_list<task>("[a, b, c, ...]", "one flat list of the same integers",
                                           "it has as many integers as the instance", "each is 0 to 1000000");
    static constexpr char const* reward = "power";
};

constexpr optgap::declarative_text says{
    .title = "Sorting",
    .summary = "a list of integers in rising order",
    .category = "arithmetic",
    .objective = "number of places that are right, counted from the first one",
    .singular = "integer",
    .plural = "integers",
    .prompts =
        {"Sort these {n} integers in ascending order, the least first:\n\n{values}\n\nAn integer that is there several "
         "times stays there as often. Answer with the sorted list; its places count from the first one up to the first "
         "wrong one.\n",
         "{n} cards lie on a table, each with a number:\n\n{lines}\nLay them in a row so that no number is followed by "
         "a "
         "lesser one. Write down the numbers of the row from left to right, all {n} of them. The row is read from the "
         "left until a card is wrong.\n",
         "v = {values}\nprint(sorted(v))\n\nWhat is printed? Entries count from the beginning of the list, until one "
         "differs.\n",
         "Let v be the sequence {values}. Find the sequence w that is a permutation of v with w[i] <= w[i + 1] for all "
         "i, and state it as a list of {n} integers. The score is the length of the longest prefix of your list that "
         "is "
         "a prefix of w.\n",
         "{n} rods lie in a heap, of these lengths in millimetres:\n\n{values}\n\nList all of them from the shortest "
         "to the longest, "
         "repeated ones as often as they were measured. What comes before the first misplaced one is counted.\n",
         "{instance}\n\nReturn the entries of `values` above in non-decreasing order, as one list that keeps every "
         "entry. Positions score from the front up to the first error.\n"},
    .sentences = {},
    .examples = {{R"({"values": [3, 1, 2]})", "[1, 2, 3]", "ok", 3},
                 {"", "[1, 3, 2]", "ok", 1},
                 {"", "[2, 1, 3]", "ok", 0},
                 {"", "[1, 2]", "wrong_length"},
                 {"", "[1, 2, 2000000]", "out_of_range"},
                 {"", "[[1, 2, 3]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"values": [5, 4, 5, 4]})", "[4, 4, 5, 5]", "ok", 4},
                 {"", "[4, 5, 4, 5]", "ok", 1},
                 {R"({"values": [7]})", "[7]", "ok", 1},
                 {R"({"values": []})", "values", "refused"},
                 {R"({"values": [1000001]})", "values[0]", "refused"}},
    .fillers = {{"n", append_n}, {"values", append_values}, {"lines", append_lines}},
    .tags = {"lists"},
    .rlve = {"Sorting"},
};

}  // namespace sorting_text

extern optgap::task_text const optgap_text_sorting;
optgap::task_text const optgap_text_sorting =
    optgap::families::exact_task_text<sorting_text::task, sorting_text::words, sorting_text::says>();
