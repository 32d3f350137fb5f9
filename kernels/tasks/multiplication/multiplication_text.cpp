// Texts of multiplication.

#include "kernels/families/exact/exact_text.hpp"
#include "kernels/tasks/multiplication/multiplication.hpp"
#include "optgap/format.hpp"

namespace multiplication_text {

using optgap::tasks::multiplication::task;

void append_a(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::a(on)); }
void append_b(std::string& text, optgap::words_view on) { optgap::families::append_digits(text, task::b(on)); }

/// The numbers as on paper, flush right, one below the other.
void append_columns(std::string& text, optgap::words_view on) {
    std::int64_t const width = std::max(task::a(on).count, task::b(on).count) + 2;
    text.append(std::size_t(width - task::a(on).count), ' ');
    append_a(text, on);
    text += "\nx";
    text.append(std::size_t(width - 1 - task::b(on).count), ' ');
    append_b(text, on);
    text += '\n';
    text.append(std::size_t(width), '-');
    text += '\n';
}

struct words : optgap::families::exact_text<task> {
    static constexpr optgap::answer_terms terms =
        optgap::families::exact_list<task>("PRODUCT", "the product as one number, or as one flat list of its digits,",
                                           "it has as many digits as the product", "each is a digit, 0 to 9");
};

constexpr optgap::declarative_text says{
    .title = "Multiplication",
    .summary = "the product of two numbers of any length, to the last digit",
    .category = "arithmetic",
    .objective = "number of digits that are right, counted from the last one",
    .singular = "digit",
    .plural = "digits",
    .prompts =
        {"What is {a} x {b}? Write the exact product. Its digits are counted from the last one on, up to the first "
         "that "
         "is wrong.\n",
         "Multiply as on paper:\n\n{columns}\nWork column by column from the right and mind what you carry. Answer "
         "with "
         "the number below the line; those of its digits on the right that are correct are counted up to the first "
         "mistake.\n",
         "A press stamps {b} coins a minute and is to run for {a} minutes. How many coins does it stamp? Give the "
         "exact "
         "count: its digits are judged from the units upwards, until one is wrong.\n",
         "a = {a}\nb = {b}\nprint(a * b)\n\nWhat does this program print, with integers of any length? The last digits "
         "count, as many as are right without a gap, in an answer of the right length.\n",
         "Compute the product p = a b for\n\n  a = {a}\n  b = {b}\n\nand state p in decimal digits. The score is the "
         "largest k for which p and your number agree modulo 10^k, for one as long as p.\n",
         "{instance}\n\nThe lists `a` and `b` above hold the decimal digits of two whole numbers, the most significant "
         "one first. Return the product of the two numbers, as a number or as a list of digits like these. The digits "
         "score from the least significant one up to the first error.\n"},
    .sentences = {},
    .examples = {{R"({"a": [1, 2], "b": [3, 4]})", "408", "ok", 3},
                 {"", "[4, 0, 8]", "ok", 3},
                 {"", "508", "ok", 2},
                 {"", "407", "ok", 0},
                 {"", "48", "wrong_length"},
                 {"", "[4, 0, 10]", "out_of_range"},
                 {"", "[[4, 0, 8]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"a": [9, 9, 9], "b": [9, 9]})", "98,901", "ok", 5},
                 {"", "99901", "ok", 3},
                 {R"({"a": [0], "b": [7]})", "[0]", "ok", 1},
                 {R"({"a": [0, 7], "b": [3]})", "instance", "refused"},
                 {R"({"a": [10], "b": [3]})", "a[0]", "refused"},
                 {R"({"a": [1], "b": []})", "b", "refused"}},
    .fillers = {{"a", append_a}, {"b", append_b}, {"columns", append_columns}},
    .tags = {"arithmetic", "numbers"},
    .rlve = {"Multiplication"},
    .numbers = optgap::bare_number::digits,
};

}  // namespace multiplication_text

extern optgap::task_text const optgap_text_multiplication;
optgap::task_text const optgap_text_multiplication =
    optgap::families::exact_task_text<multiplication_text::task, multiplication_text::words,
                                      multiplication_text::says>();
