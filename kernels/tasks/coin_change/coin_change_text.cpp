// Texts of coin_change: {kinds}, {last}, {coins}, {priced} (a coin a line), {amount}, {instance}.

#include <algorithm>

#include "kernels/tasks/coin_change/coin_change.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace coin_change_text {

using optgap::words_view;
using optgap::tasks::coin_change::task;

struct words {
    static constexpr optgap::filler fillers[] = {
        {"kinds", [](std::string& text, words_view on) { optgap::append_integer(text, on[0]); }},
        {"last", [](std::string& text, words_view on) { optgap::append_integer(text, on[0] - 1); }},
        {"coins", [](std::string& text, words_view on) { optgap::append_list(text, on.data + 1, on[0]); }},
        {"priced",
         [](std::string& text, words_view on) {
             for (std::int32_t i = 0; i < on[0]; ++i) {
                 text += "stamp " + std::to_string(i) + ": " + std::to_string(on[1 + i]) + " cents\n";
             }
         }},
        {"amount", [](std::string& text, words_view on) { optgap::append_integer(text, task::view(on).amount); }},
        {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    static constexpr optgap::answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list with a number for each coin",
        .low = [](words_view) { return 0; },
        .high = [](words_view on) { return task::view(on).amount; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is one flat list"},
                  {"wrong_length", "it has a number for each coin"},
                  {"out_of_range", "its numbers are 0 to the amount", "the number"}},
    };
    /// Coins may be listed in another order.
    static constexpr optgap::symmetry relabels{
        .axes = {{.name = "coin", .count = "coins"}},
        .fields = {{.name = "coins", .rows = "coin"}},
        .answer = {.rows = "coin"},
    };
    static constexpr optgap::symmetry const* twins = &relabels;
    static constexpr char const* family = "numbers";
    static constexpr char const* reward = "forge";

    /// Draws a line for each coin, with a dot for each use, or the number of uses above twelve.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        constexpr std::int32_t max_dots = 12;
        auto const on = task::view(instance);
        optgap::answer_view const counts = optgap::view_answer(answer);
        optgap::svg out(330, 22.0 * on.kinds + 26, title);
        for (std::int32_t i = 0; i < on.kinds; ++i) {
            double const y = 14 + 22.0 * i;
            std::int32_t const used = counts.count == on.kinds ? counts.values[i] : 0;
            out.text({58, y + 4}, std::to_string(on.coins[i]), "label", optgap::text_anchor::end);
            for (std::int32_t k = 0; k < std::min(used, max_dots); ++k) {
                out.circle({74 + 18.0 * k, y}, 8, "chosen");
            }
            if (used > max_dots) {
                out.text({74 + 18.0 * max_dots, y + 4}, "x " + std::to_string(used), "label");
            }
        }
        out.text({8, 22.0 * on.kinds + 18}, "to pay: " + std::to_string(on.amount), "note");
        return out.finish();
    }
};

constexpr optgap::declarative_text says{
    .title = "Coin change",
    .summary = "the fewest coins that sum up to an amount exactly",
    .category = "packing",
    .objective = "number of coins",
    .singular = "number of coins",
    .plural = "numbers of coins",
    .prompts =
        {"Pay the amount {amount} exactly with as few coins as possible. There are coins of {kinds} values, as many "
         "of each as you like:\n\n{coins}\n\nAnswer with a list of {kinds} numbers: how often each coin is used, in "
         "this order, 0 for a coin that is not used. The values of the coins used must sum up to {amount}, neither "
         "less nor more; fewer coins in total are better.\n",
         "A letter needs postage of exactly {amount} cents. The post office sells these stamps and never runs "
         "out:\n\n{priced}\nUse as few stamps as you can. Write how many of each stamp go on the letter, from stamp "
         "0 to stamp {last}, as one list; the total has to be right to the cent.\n",
         "Change-making problem. Values: {coins}. Amount: {amount}.\n\nFind integers x[i] >= 0, one for each value "
         "and in the order of the values, with sum of x[i] * value[i] = {amount}, and minimise the sum of x[i]. "
         "Answer: the list of the x[i].\n",
         "A machine fills a channel of length {amount} with bars. It has bars of these lengths, in any number: "
         "{coins}. Bars are laid end to end and must fill the channel without a gap and without an overlap; each bar "
         "costs one operation. For each length in turn, from the first to the last, say how many bars of it are laid, "
         "0 included, so that the number of operations is least.\n",
         "{instance}\n\nIn the object above `coins` are values, each to be had without limit. Return a list as long as "
         "`coins`, the number of times each value is taken, such that the values taken sum to `amount` exactly. "
         "The sum of the list is to be as small as possible.\n"},
    .sentences = {"The coins do not sum up to the amount: what they miss or exceed it by, at most the amount, is "
                  "{violation}."},
    .examples = {{R"({"coins": [3, 4, 5], "amount": 7})", "[1, 1, 0]", "ok", 2},
                 {"", "[0, 0, 1]", "wrong_sum"},
                 {"", "[7, 7, 7]", "wrong_sum"},
                 {"", "[0, 0, 0]", "wrong_sum"},
                 {"", "[1, 1]", "wrong_length"},
                 {"", "[2, -1, 1]", "out_of_range"},
                 {"", "[8, 0, 0]", "out_of_range"},
                 {"", "[[1, 1, 0]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"coins": [2, 2], "amount": 6})", "[1, 2]", "ok", 3},
                 {R"({"coins": [4, 6], "amount": 9})", "[0, 1]", "wrong_sum"},
                 {R"({"coins": [], "amount": 7})", "coins", "refused"},
                 {R"({"coins": [5, 0], "amount": 7})", "coins[1]", "refused"},
                 {R"({"coins": [5, 2], "amount": 1000001})", "amount", "refused"}},
    .tags = {"numbers", "packing"},
    .expensive_steps = 64,
};

}  // namespace coin_change_text

extern optgap::task_text const optgap_text_coin_change;
optgap::task_text const optgap_text_coin_change =
    optgap::declarative_task_text<coin_change_text::task, coin_change_text::words, coin_change_text::says>();
