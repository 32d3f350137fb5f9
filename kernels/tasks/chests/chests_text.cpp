// Texts of chests.

#include <algorithm>
#include <string>

#include "kernels/tasks/chests/chests.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::chests {
namespace {

using optgap::tasks::chests::room;
using optgap::tasks::chests::task;

constexpr symmetry relabels{
    .axes = {{.name = "chest", .count = "hardness"}},
    .fields = {{.name = "hardness", .rows = "chest"},
               {.name = "uses", .rows = "chest"},
               {.name = "damage", .rows = "chest", .columns = "chest"}},
    .answer = {.names = {"chest", "chest"}},
};

void append_list(std::string& text, std::int32_t const* values, std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
        text += i == 0 ? "" : " ";
        append_integer(text, values[i]);
    }
}
/// A line for each weapon, "3: 5 17 1 …".
void append_table(std::string& text, words_view on) {
    room const all(on);
    for (std::int32_t weapon = 0; weapon < all.n; ++weapon) {
        append_integer(text, weapon);
        text += ": ";
        append_list(text, all.table + std::int64_t(weapon) * all.n, all.n);
        text += "\n";
    }
}

struct words {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, on[0] - 1); }},
        {"hardness", [](std::string& text, words_view on) { append_list(text, room(on).hardness, on[0]); }},
        {"uses", [](std::string& text, words_view on) { append_list(text, room(on).uses, on[0]); }},
        {"damage", append_table},
        {"instance", [](std::string& text, words_view on) { text += layout_text(task::layout, on); }},
    };
    static constexpr answer_terms terms{
        .form = "[[weapon, chest], [-1, chest], ...]",
        .shape = "a list with a row [weapon, chest] for each hit",
        .low = [](words_view) { return -1; },
        .high = [](words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is a list of lists"},
                  {"wrong_length", "each row has two values"},
                  {"out_of_range", "the first value of a row is -1 or a weapon, the second a chest", "the value"}},
    };
    static constexpr symmetry const* twins = &relabels;
    static constexpr char const* family = "chests";
    static constexpr char const* reward = "forge";

    /// Draws a bar for each chest: its hardness, with the part that weapons remove in another colour.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        room const on(instance);
        answer_view const rows = view_answer(answer);
        double const pitch = std::max(3.0, 640.0 / on.n);
        constexpr double height = 160;
        std::int32_t const most = *std::max_element(on.hardness, on.hardness + on.n);
        svg out(10 + pitch * on.n, height + 10, title);
        for (std::int32_t chest = 0; chest < on.n; ++chest) {
            std::int64_t by_weapon = 0;
            for (std::int32_t row = 0; row < rows.row_count(); ++row) {
                std::int32_t const weapon = rows.values[2 * row];
                bool const sound = rows.row_lengths[row] == 2 && weapon >= 0 && weapon < on.n;
                by_weapon += sound && rows.values[2 * row + 1] == chest ? on.damage(weapon, chest) : 0;
            }
            double const whole = height * on.hardness[chest] / most;
            double const part = std::min(whole, height * double(by_weapon) / most);
            out.rectangle({5 + pitch * chest, 5 + height - whole}, pitch * 0.8, whole, svg_group(0));
            if (by_weapon > 0) {
                out.rectangle({5 + pitch * chest, 5 + height - part}, pitch * 0.8, part, svg_group(1));
            }
        }
        return out.finish();
    }
};

constexpr declarative_text says{
    .title = "Chests that hold weapons",
    .summary = "open all chests by as few hits as possible; each holds a weapon against the others",
    .category = "planning",
    .objective = "hardness of all chests minus hits plus one",
    .singular = "value",
    .plural = "values",
    .prompts =
        {"There are {n} locked chests, 0 to {last}. Each has a hardness, and opens when hits have brought it to 0 or "
         "below. In chest w lies weapon w, which can be used once its chest is open, and only a limited number of "
         "times. A hit is made by one weapon at one closed chest and lowers its hardness by the damage that this "
         "weapon "
         "does there; a hit by bare hands lowers any closed chest's by 1, as often as wanted.\n\nHardness of the "
         "chests:\n{hardness}\n\nUses of the weapons:\n{uses}\n\nDamage, a line for each weapon with a number for each "
         "chest:\n{damage}\nOpen all chests with as few hits as possible. Answer with the list of all hits in order, "
         "[weapon, chest] each, with -1 for bare hands.\n",
         "A locksmith faces {n} safes, numbered 0 to {last}. Safe s gives way after so much "
         "work:\n{hardness}\n\nInside "
         "each safe he finds a tool of the same number, good for so many strokes before it breaks:\n{uses}\n\nA stroke "
         "of tool t does this much work at safe s (line t, place s):\n{damage}\nWithout a tool a stroke does work 1. A "
         "tool is of use only after its safe has given way, and no stroke may go to a safe that has. Tell him every "
         "stroke in order as [tool, safe], the tool -1 for none, so that all safes give way after the fewest "
         "strokes.\n",
         "Scheduling with unlocked resources. n = {n}; h[c] = {hardness}; u[w] = {uses}; a[w][c], row by "
         "row:\n{damage}\nState: all h[c] > 0 are closed. A step (w, c) needs h[c] > 0 and either w = -1, or h[w] <= 0 "
         "and u[w] > 0; it decrements u[w] and subtracts a[w][c] from h[c] (for w = -1: 1). Reach h[c] <= 0 for all c "
         "in the fewest steps. Output the list of steps [w, c].\n",
         "{instance}\n\nIn this object `hardness` and `uses` have an entry for each of the boxes 0 to {last}, and "
         "`damage` a row for each. A box is open when strokes have taken its whole hardness. The tool in an open box w "
         "may take damage[w][c] from a closed box c, `uses` times at most; a bare fist, written -1, takes 1 from any "
         "closed box. List all strokes [tool or -1, box] in order until every box is open. Fewer strokes are "
         "better.\n"},
    .sentences = {"Hit {where} (the first is 0) is by a weapon whose chest is still closed.",
                  "Hit {where} (the first is 0) is by a weapon that has no use left.",
                  "Hit {where} (the first is 0) is at a chest that is already open.",
                  "Chests are left closed; {violation} of the whole hardness of {violation_max} are left."},
    .examples = {{R"({"hardness": [3, 2], "uses": [1, 1], "damage": [[1, 2], [1, 1]]})",
                  "[[-1, 0], [-1, 0], [-1, 0], [0, 1]]", "ok", 2},
                 {"", "[[-1, 1], [-1, 1], [1, 0], [-1, 0], [-1, 0]]", "ok", 1},
                 {"", "[[-1, 0], [-1, 1], [-1, 0], [-1, 0], [-1, 1]]", "ok", 1},
                 {"", "[[0, 1], [-1, 0], [-1, 0], [-1, 0]]", "weapon_closed"},
                 {"", "[[-1, 1], [-1, 1], [1, 0], [1, 0], [-1, 0]]", "weapon_broken"},
                 {"", "[[-1, 0], [-1, 0], [-1, 0], [-1, 0], [0, 1]]", "chest_open"},
                 {"", "[[-1, 0], [-1, 0], [-1, 0]]", "chest_left"},
                 {"", "[[-1, 0], [2, 1]]", "out_of_range"},
                 {"", "[[-1, 0], [-1, -1]]", "out_of_range"},
                 {"", "[[-2, 0]]", "out_of_range"},
                 {"", "[[-1, 0], [-1]]", "wrong_length"},
                 {"", "[-1, 0]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"hardness": [4, 9, 5], "uses": [2, 1, 1], "damage": [[1, 5, 2], [1, 1, 4], [1, 3, 1]]})",
                  "[[-1, 0], [-1, 0], [-1, 0], [-1, 0], [0, 1], [0, 1], [1, 2], [-1, 2]]", "ok", 11},
                 {R"({"hardness": [0], "uses": [1], "damage": [[1]]})", "hardness[0]", "refused"},
                 {R"({"hardness": [5], "uses": [21], "damage": [[1]]})", "uses[0]", "refused"},
                 {R"({"hardness": [5], "uses": [1], "damage": [[0]]})", "damage[0][0]", "refused"},
                 {R"({"hardness": [5, 6], "uses": [1], "damage": [[1, 1], [1, 1]]})", "uses", "refused"}},
    .tags = {"planning", "scheduling"},
    // Prompts of the easy level would fit (970 characters). Answers would not: some 700 hits, a row each, and 1,800 for
    // the constant policy. At the benchmark level both are longer than most contexts.
    .direct = false,
    .expensive_steps = 32,
};

std::string explain(words_view instance, words_view block, verdict const& found) {
    room const on(instance);
    answer_view const answer = view_answer(block);
    if (found.code == code_out_of_range) {
        return std::to_string(answer.values[found.where]) + " (position " + std::to_string(found.where) +
               ") is out of range: a row is [weapon, chest], with chests 0 to " + std::to_string(on.n - 1) +
               " and weapons likewise, or -1 for bare hands.";
    }
    return light_words<task, words, says>::explain(instance, block, found);
}

constexpr task_text made() {
    task_text own = declarative_task_text<task, words, says>();
    own.explain = explain;
    return own;
}

}  // namespace
}  // namespace optgap::text::chests

extern optgap::task_text const optgap_text_chests;
optgap::task_text const optgap_text_chests = optgap::text::chests::made();
