// Texts of countdown: {numbers}, {cards} (a number a line), {target}, {count}, {instance}.

#include <string>
#include <vector>

#include "kernels/tasks/countdown/countdown.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace countdown_text {

using optgap::words_view;
using optgap::tasks::countdown::task;

struct words {
    static constexpr optgap::filler fillers[] = {
        {"numbers",
         [](std::string& text, words_view on) {
             for (std::int32_t i = 0; i < on[0]; ++i) {
                 text += i > 0 ? ", " : "";
                 text += std::to_string(on[1 + i]);
             }
         }},
        {"cards",
         [](std::string& text, words_view on) {
             for (std::int32_t i = 0; i < on[0]; ++i) {
                 text += "card " + std::to_string(i + 1) + ": " + std::to_string(on[1 + i]) + "\n";
             }
         }},
        {"target", [](std::string& text, words_view on) { optgap::append_integer(text, task::view(on).target); }},
        {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    static constexpr optgap::answer_terms terms{
        .form = "(a + b) * c - d / e",
        .shape = "one expression, or its flat list in postfix order,",
        .low = [](words_view) { return optgap::sign_over; },
        .high = [](words_view) { return INT32_MAX; },
        .rules = {{"unparsable", "the answer is an expression, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is one flat list"}},
    };
    /// The order of the numbers changes neither an answer nor its verdict: there is nothing to rename.
    static constexpr optgap::symmetry const* twins = &optgap::no_symmetry;
    static constexpr char const* family = "numbers";
    static constexpr char const* reward = "forge";

    /// The numbers, with those of the answer filled, below them its calculations one by one, and the target.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        auto const on = task::view(instance);
        optgap::answer_view const postfix = optgap::view_answer(answer);
        std::int32_t const lines = std::int32_t(postfix.count / 2);
        optgap::svg out(62.0 * on.count + 8, 22.0 * lines + 76, title);
        std::uint32_t used = 0;
        for (std::int64_t k = 0; k < postfix.count; ++k) {
            for (std::int32_t i = 0; i < on.count; ++i) {
                if (postfix.values[k] == on.numbers[i] && (used >> i & 1u) == 0) {
                    used |= 1u << i;
                    break;
                }
            }
        }
        for (std::int32_t i = 0; i < on.count; ++i) {
            bool const taken = (used >> i & 1u) != 0;
            out.rectangle({8 + 62.0 * i, 6}, 54, 30, taken ? "chosen" : "vertex");
            out.text({35 + 62.0 * i, 26}, std::to_string(on.numbers[i]), taken ? "on" : "inside",
                     optgap::text_anchor::middle);
        }
        std::int32_t line = 0;
        std::vector<std::int32_t> stack;
        for (std::int64_t k = 0; k < postfix.count; ++k) {
            std::int32_t const value = postfix.values[k];
            if (value >= 0) {
                stack.push_back(value);
                continue;
            }
            std::int32_t const right = stack.back();
            stack.pop_back();
            constexpr char const* signs[] = {" + ", " - ", " × ", " ÷ "};
            std::int32_t const result = optgap::tasks::countdown::result_of(stack.back(), value, right);
            out.text({12, 58 + 22.0 * line++},
                     std::to_string(stack.back()) + signs[-1 - value] + std::to_string(right) + " = " +
                         std::to_string(result),
                     "label");
            stack.back() = result;
        }
        out.text({12, 22.0 * lines + 64}, "target: " + std::to_string(on.target), "note");
        return out.finish();
    }
};

constexpr optgap::declarative_text says{
    .title = "Countdown",
    .summary = "an arithmetic expression over given numbers whose value is as near a target as can be",
    .category = "numbers",
    .objective = "distance from the target plus one",
    .singular = "word of an expression",
    .plural = "words of an expression",
    .prompts =
        {"Make the number {target} out of these: {numbers}.\n\nWrite one arithmetic expression with +, -, *, / and "
         "brackets. Each of the numbers may be used once at most (twice where it stands there twice), and need not be "
         "used; no other number may stand in it, and no sign before a number. Every intermediate result must be a "
         "whole number of 1 to 2147483647: no difference may be zero or negative, and every division must come out "
         "even. If {target} cannot be made, come as near to it as you can; nearer is better, above or below.\n",
         "You are a candidate in a television show. On the table lie number cards:\n\n{cards}\nThe clock starts, and "
         "the wheel shows {target}. With addition, subtraction, multiplication and division you are to reach it; each "
         "card can be played once, and cards may stay on the table. As the host explains, on no line of the "
         "calculation may there be a fraction, a zero, a negative number or one above 2147483647. The candidate whose "
         "result is nearest the wheel's number wins. Give your calculation as one expression, with brackets where "
         "they are needed, such as (a + b) * c with cards in place of letters.\n",
         "Let N be the multiset {{{numbers}} and t = {target}. Find an expression E over the operators +, -, *, / "
         "whose operands are a sub-multiset of N, not empty, and in which each subexpression has an integer value v "
         "with 1 <= v <= 2147483647 (a / b is allowed where b divides a). Minimise |E - t|. Output E in infix "
         "notation, brackets allowed, without unary signs.\n",
         "A shop sells a control panel with keys for some numbers only: {numbers}. Each key breaks off after one "
         "press; a number that is listed twice has two keys. Beside them are +, -, x, / and brackets, which last. The "
         "panel is to show {target}, or a number that differs from it by as little as possible. Its chip fails when "
         "any "
         "part of the calculation is below 1, above 2147483647 or not whole. Which expression do you type? Not all "
         "keys must be pressed.\n",
         "{instance}\n\nUse entries of `numbers` in the object above, each entry once at most, with the operators + - "
         "* "
         "/ and brackets to write one expression whose value is as close to `target` as possible. The value of every "
         "part of the expression, and of the whole, must be a positive integer not above 2147483647, so divisions are "
         "exact and differences positive. Literals that are no entries, and signs before a literal, are not "
         "allowed.\n"},
    .sentences = {"The answer is no expression: in postfix order numbers from 0 on wait for their signs, -1 to -4, and "
                  "one value is left at the end.",
                  "{value} (position {where}) is not among the numbers, or is used more often than it is there; so are "
                  "{violation} in all.",
                  "The sign at position {where} of the postfix form has no result: it must be a whole number of 1 to "
                  "2147483647."},
    .examples = {{R"({"numbers": [2, 3, 25, 7], "target": 150})", "25 * 3 * 2", "ok", 1},
                 {"", "(25 - 3) * 7", "ok", 5},
                 {"", "\\frac{25 \\times 3 \\times 2}{1}", "number_not_given"},
                 {"", "7 × (25 − 3) = 154", "ok", 5},
                 {"", "[25, 3, -3, 2, -3]", "ok", 1},
                 {"", "25", "ok", 126},
                 {"", "[25, 3, -3, -3]", "not_expression"},
                 {"", "[25, 3]", "not_expression"},
                 {"", "[25, 3, -5]", "not_expression"},
                 {"", "25 * (3 + 3)", "number_not_given"},
                 {"", "50 * 3", "number_not_given"},
                 {"", "(3 - 7) * 25", "bad_result"},
                 {"", "25 / 2 * 3", "bad_result"},
                 {"", "[[25, 3, -3]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"numbers": [1000000, 1000000], "target": 9})", "1000000 * 1000000", "bad_result"},
                 {"", "1000000 / 1000000", "ok", 9},
                 {R"({"numbers": [], "target": 9})", "numbers", "refused"},
                 {R"({"numbers": [3, 0], "target": 9})", "numbers[1]", "refused"},
                 {R"({"numbers": [3, 4], "target": 0})", "target", "refused"}},
    .tags = {"numbers", "arithmetic", "expression"},
    .rlve = {"CountdownEqual", "CountdownClose"},
    .expressions = true,
};

}  // namespace countdown_text

extern optgap::task_text const optgap_text_countdown;
optgap::task_text const optgap_text_countdown =
    optgap::declarative_task_text<countdown_text::task, countdown_text::words, countdown_text::says>();
