// Texts of pairs.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/tasks/pairs/pairs.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::pairs {
namespace {

using optgap::tasks::pairs::deal;
using optgap::tasks::pairs::op_down;
using optgap::tasks::pairs::op_left;
using optgap::tasks::pairs::op_put;
using optgap::tasks::pairs::op_right;
using optgap::tasks::pairs::op_take;
using optgap::tasks::pairs::op_up;
using optgap::tasks::pairs::operations;
using optgap::tasks::pairs::task;

/// A line for each row of the grid.
void append_grid(std::string& text, words_view instance) {
    deal const on(instance);
    for (std::int32_t cell = 0; cell < on.cells(); ++cell) {
        append_integer(text, on.cards[cell]);
        text += (cell + 1) % on.n == 0 ? "\n" : " ";
    }
}

struct words {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"cells", [](std::string& text, words_view on) { append_integer(text, deal(on).cells()); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, deal(on).cells() / 2 - 1); }},
        {"limit", [](std::string& text, words_view on) { append_integer(text, deal(on).max_operations()); }},
        {"grid", append_grid},
        {"instance", [](std::string& text, words_view on) { text += layout_text(task::layout, on); }},
    };
    static constexpr answer_terms terms{
        .form = "abc...",
        .shape = "one word of operations, or their flat list,",
        .low = [](words_view) { return 0; },
        .high = [](words_view) { return operations - 1; },
        .rules = {{"unparsable", "the answer is a list of operations, not a word of another kind"},
                  {"empty", nullptr},
                  {"bad_depth", "it is one flat list"},
                  {"out_of_range", "its operations are known ones", "the operation"}},
    };
    static constexpr symmetry const* twins = &no_symmetry;
    static constexpr char const* family = "pairs";
    static constexpr char const* reward = "forge";

    /// The grid with its cards, and the way of the answer as long as it stays on the grid; cells where it takes a card
    /// are filled.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        deal const on(instance);
        answer_view const plan = view_answer(answer);
        double const side = on.n > 14 ? 26 : 32;
        svg out(side * on.n + 4, side * on.n + 4, title);
        std::vector<bool> taken(std::size_t(on.cells()));
        std::int32_t row = 0, column = 0;
        std::vector<point> way{{2 + side / 2, 2 + side / 2}};
        for (std::int64_t i = 0; i < plan.count; ++i) {
            std::int32_t const operation = plan.values[i];
            row += operation == op_down ? 1 : operation == op_up ? -1 : 0;
            column += operation == op_right ? 1 : operation == op_left ? -1 : 0;
            if (row < 0 || row >= on.n || column < 0 || column >= on.n) {
                break;
            }
            if (operation < op_take) {
                way.push_back({2 + side * column + side / 2, 2 + side * row + side / 2});
            } else if (operation < operations) {
                taken[std::size_t(row * on.n + column)] = operation == op_take;
            }
        }
        for (std::int32_t cell = 0; cell < on.cells(); ++cell) {
            point const corner{2 + side * (cell % on.n), 2 + side * (cell / on.n)};
            bool const filled = taken[std::size_t(cell)];
            out.rectangle({corner.x + 1, corner.y + 1}, side - 2, side - 2, filled ? "chosen" : "vertex");
            out.text({corner.x + side / 2, corner.y + side / 2 + 4}, std::to_string(on.cards[cell]),
                     filled ? "on" : "inside", text_anchor::middle);
        }
        for (std::size_t i = 1; i < way.size(); ++i) {
            out.line(way[i - 1], way[i], "edge");
        }
        return out.finish();
    }
};

constexpr declarative_text says{
    .title = "Pairs by a deck",
    .summary = "take cards from a grid to one deck, where equal neighbours vanish, in as few moves as possible",
    .category = "planning",
    .objective = "value of the run",
    .singular = "operation",
    .plural = "operations",
    .prompts =
        {"On a grid of {n} by {n} cells lie {cells} cards, each of the numbers 0 to {last} on two of "
         "them:\n{grid}\nYou "
         "stand on the top left cell with an empty deck. U, D, L and R move you one cell up, down, left or right, "
         "never "
         "off the grid. Z takes the card of the cell where you stand and lays it on top of your deck; when the two top "
         "cards of the deck are equal, both vanish. X puts the top card of the deck down on the cell where you stand, "
         "which must have no card. Make all cards vanish with as few moves U, D, L, R as possible; Z and X are free, "
         "but "
         "you have at most {limit} operations altogether. While cards are left, only the number of vanished cards "
         "counts. Answer with the operations in order, as one word of the letters U, D, L, R, Z, X.\n",
         "A warehouse of {n} x {n} bays holds {cells} crates with labels, every label twice:\n{grid}\nA cart starts in "
         "the top left bay and drives U, D, L or R to the next bay of the warehouse. It carries crates in one stack. Z "
         "loads the crate of this bay on top; two crates of one label that meet on top of the stack are shipped at "
         "once. X unloads the top crate into this bay, if it is empty. Ship all crates, driving over as few bays as "
         "you "
         "can, in no more than {limit} steps U, D, L, R, Z and X together. A plan that leaves crates is worth no more "
         "than the crates it ships. Write the steps as one word.\n",
         "Stack routing. Grid a, {n} rows of {n}:\n{grid}\nState: position (r, c), at first (0, 0), and a stack S, at "
         "first empty. Operations: U r-1, D r+1, L c-1, R c+1 (within 0..n-1); Z: push a[r][c], which becomes empty, "
         "then pop two if the top two are equal; X: pop into a[r][c], which must be empty. At most {limit} operations. "
         "If grid and stack end empty the value is {cells} + {limit} - (operations U, D, L, R), else the number of "
         "values popped in twos. Maximise it. Output the word of operations.\n",
         "{instance}\n\n`cards` holds the number on the card of each square of a board, row by row; each number is "
         "there twice. A collector begins at the first square of the first row with nothing in hand. He walks U, D, L, "
         "R "
         "from square to square, picks the card of his square up onto the pile in his hand by Z, and drops the pile's "
         "top card on a bare square by X. Two equal cards on top of the pile are gone at once. All cards are to go, "
         "and "
         "he is to walk as little as possible; more than {limit} letters are not allowed. Say what he does as one word "
         "of U, D, L, R, Z, X.\n"},
    .sentences = {"There are more than {where} operations.", "Operation {where} (the first is 0) leads off the grid.",
                  "Operation {where} (the first is 0) takes a card where none lies.",
                  "Operation {where} (the first is 0) puts a card down, but the deck is empty.",
                  "Operation {where} (the first is 0) puts a card down where one lies."},
    .examples = {{R"({"cards": [[0, 0], [1, 1]]})", "ZRZDZLZ", "ok", 17},
                 {"", "[4, 3, 4, 1, 4, 2, 4]", "ok", 17},
                 {"", "ZRZ", "ok", 2},
                 {"", "[]", "ok", 0},
                 {"", "ZDZRUZ", "ok", 0},
                 {"", "ZRLRLRLRLRLRLRLR", "ok", 0},
                 {"", "ZRLRLRLRLRLRLRLRL", "too_long"},
                 {"", "ZRR", "off_grid"},
                 {"", "U", "off_grid"},
                 {"", "ZZ", "no_card"},
                 {"", "X", "empty_deck"},
                 {"", "ZRX", "occupied"},
                 {"", "[4, 6]", "out_of_range"},
                 {"", "[4, -1]", "out_of_range"},
                 {"", "[[4, 3]]", "bad_depth"},
                 {R"({"cards": [[0, 1], [1, 0]]})", "ZDZURZDZ", "ok", 16},
                 {"", "ZRZLXRDZLZUZ", "ok", 14},
                 {R"({"cards": [[0, 1, 0, 2], [1, 2, 3, 3], [4, 4, 5, 6], [7, 7, 6, 5]]})", "ZRZDLZ", "ok", 2},
                 {R"({"cards": [[0, 0], [1, 2]]})", "instance", "refused"},
                 {R"({"cards": [[0, 0], [0, 1]]})", "instance", "refused"},
                 {R"({"cards": [[0, 0, 1], [1, 2, 2], [3, 3, 4]]})", "instance", "refused"},
                 {R"({"cards": [[0, 0], [1, 1, 1]]})", "cards[1]", "refused"}},
    .tags = {"planning", "routing", "grid"},
    .alphabet = "UDLRZX",
};

}  // namespace
}  // namespace optgap::text::pairs

extern optgap::task_text const optgap_text_pairs;
optgap::task_text const optgap_text_pairs =
    optgap::declarative_task_text<optgap::tasks::pairs::task, optgap::text::pairs::words, optgap::text::pairs::says>();
