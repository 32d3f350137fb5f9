// Texts of euclid_game.

#include "kernels/families/exact/exact_text.hpp"
#include "kernels/tasks/euclid_game/euclid_game.hpp"

namespace euclid_game_text {

using optgap::tasks::euclid_game::task;

/// One line for each pair: `before`, its number, `between`, (a, b).
void append_pairs(std::string& text, optgap::words_view on, char const* before, char const* between,
                  char const* comma) {
    for (std::int32_t i = 0; i < on[0]; ++i) {
        text += before;
        optgap::append_integer(text, i + 1);
        text += between;
        optgap::append_integer(text, task::pair(on, i)[0]);
        text += comma;
        optgap::append_integer(text, task::pair(on, i)[1]);
        text += '\n';
    }
}
void append_numbered(std::string& text, optgap::words_view on) { append_pairs(text, on, "", ": ", ", "); }
void append_stones(std::string& text, optgap::words_view on) { append_pairs(text, on, "table ", ": ", " and "); }
void append_n(std::string& text, optgap::words_view on) { optgap::append_integer(text, on[0]); }

struct words : optgap::families::exact_text<task> {
    static constexpr optgap::answer_terms terms = optgap::families::exact_list<task>(
        "[g_1, ..., g_n, p, k]", "one flat list, a value for each pair and the two numbers of the move,",
        "it has a value for each pair and two numbers more", "each is 0 to 1000000000");
};

constexpr optgap::declarative_text says{
    .title = "Euclid's game",
    .summary = "Grundy values of pairs of numbers in Euclid's game, and the winning move",
    .category = "games",
    .objective = "number of entries that are right, counted from the first one",
    .singular = "entry",
    .plural = "entries",
    .prompts =
        {"Two players play on {n} pairs of numbers and move in turn. A move chooses one pair and subtracts the lesser "
         "number from the greater one once or several times, never below 0 (of two equal numbers either). A pair with "
         "a "
         "0 is finished; who cannot move has lost. The Grundy value of a pair is the least number 0, 1, 2, ... that is "
         "not the value of any pair that one move makes of it; a finished pair has value 0. The pairs:\n\n{numbered}\n"
         "Answer with one list: the Grundy values of all pairs in order, then the number p of a pair and how often, k, "
         "to subtract there so that the bitwise exclusive or of all values becomes 0. If several moves do that, take "
         "the least p; if it is 0 already, write 0, 0. Entries count from the first one up to the first wrong one.\n",
         "On each of {n} tables lie two heaps of stones:\n\n{stones}\nPlayers alternate. Whoever is to move goes to "
         "one "
         "table whose heaps are both non-empty, and takes from the larger heap a positive multiple of the smaller "
         "heap's size. Whoever finds no such table loses. Write a list with one entry for each table, its "
         "Sprague-Grundy value when it is played alone (mex of the values after one move, 0 where no move is left), "
         "followed by the winning first move: table p, counted from 1, and the multiple k. The least such p is asked "
         "for; 0, 0 if the first player cannot win. The list is read until an entry is wrong.\n",
         "A position is a list of pairs (a, b) of natural numbers. A move replaces one pair by (a - k b, b) with "
         "1 <= k <= a / b, b > 0, or by (a, b - k a) with 1 <= k <= b / a, a > 0. Last player to move wins. Define "
         "g(a, b) = mex of g over the pairs one move away. For the pairs\n\n{numbered}\nreturn [g_1, ..., g_{n}, p, "
         "k], "
         "where (p, k) is the move at pair p with factor k that makes the nim-sum of all g zero, with the least p, and "
         "p = k = 0 if the nim-sum is zero. The score is the length of the correct prefix.\n",
         "def g(a, b):\n    if a < b: a, b = b, a\n    if b == 0: return 0\n    after = {{g(a - k * b, b) for k in "
         "range(1, a // b + 1)}\n    return min(v for v in range(a) if v not in after) if len(after) < a else a\n\n"
         "pairs:\n{numbered}\nGive g for each of the {n} pairs. Let x be the xor of these values. Then give p and k: "
         "the "
         "first pair p (counted from 1) with a k >= 1 so that subtracting the lesser number k times from the greater "
         "one leaves a pair with g equal to the old g xor x; 0 and 0 if x is 0. All in one list; what comes before the "
         "first error counts.\n",
         "{instance}\n\nEach entry of `pairs` above is a component of Euclid's game: on a turn a player picks one "
         "component with two positive numbers and lowers the greater number by a positive multiple of the lesser one, "
         "not below zero; who has no turn left loses. Return one list: the nimber of each component, then the number "
         "(from 1) of the first component with a winning move and the multiple used there, or 0 and 0 when the player "
         "to move loses. Positions score from the front up to the first error.\n"},
    .sentences = {},
    .examples = {{R"({"pairs": [[7, 3], [4, 1]]})", "[1, 4, 2, 3]", "ok", 4},
                 {"", "[1, 4, 2, 2]", "ok", 3},
                 {"", "[1, 4, 1, 3]", "ok", 2},
                 {"", "[2, 4, 2, 3]", "ok", 0},
                 {"", "[1, 2]", "wrong_length"},
                 {"", "[1, 2, 2, -1]", "out_of_range"},
                 {"", "[[1, 2], [2, 1]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"pairs": [[4, 4], [9, 9]]})", "[1, 1, 0, 0]", "ok", 4},
                 {R"({"pairs": [[3, 2]]})", "[0, 0, 0]", "ok", 3},
                 {R"({"pairs": [[6, 1]]})", "[6, 1, 6]", "ok", 3},
                 {R"({"pairs": [[0, 3]]})", "pairs[0][0]", "refused"},
                 {R"({"pairs": [[1, 2, 3]]})", "pairs[0]", "refused"}},
    .fillers = {{"n", append_n}, {"numbered", append_numbered}, {"stones", append_stones}},
    .tags = {"games", "numbers"},
    .rlve = {"EuclidGame"},
};

}  // namespace euclid_game_text

extern optgap::task_text const optgap_text_euclid_game;
optgap::task_text const optgap_text_euclid_game =
    optgap::families::exact_task_text<euclid_game_text::task, euclid_game_text::words, euclid_game_text::says>();
