// Texts of apples. Its JSON form has whole prices; the words keep them in two parts.

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/tasks/apples/apples.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/json_fields.hpp"
#include "kernels/text/layout_json.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::apples {
namespace {

using optgap::tasks::apples::ledger;
using optgap::tasks::apples::orchard;
using optgap::tasks::apples::price_unit;
using optgap::tasks::apples::task;

constexpr std::int64_t max_price = 10'000 * price_unit - 1;

json to_json(words_view instance) {
    orchard const on(instance);
    json prices = json::array();
    for (std::int32_t kind = 0; kind < on.kinds; ++kind) {
        json row = json::array();
        for (std::int32_t level = 0; level < on.levels; ++level) {
            row.push_back(on.price(level * on.kinds + kind));
        }
        prices.push_back(std::move(row));
    }
    return {{"turns", on.turns},
            {"stock", on.stock},
            {"rates", std::vector<std::int32_t>(on.rates, on.rates + on.kinds)},
            {"prices", std::move(prices)}};
}

template <class Value>
std::int64_t price_of(Value const& value, std::size_t kind, std::size_t level) {
    std::int64_t const price = integer_of(value).value_or(0);
    if (price < 1 || price > max_price) {
        throw field_error(entry_name("prices", kind, level), integer_rule(1, max_price));
    }
    return price;
}

/// Appends all prices, kind by kind. Checks that there are equally many rates.
template <class Value>
std::vector<std::int64_t> read_prices(Value const& rates, Value const& prices) {
    if (!rates.is_array() || rates.empty() || rates.size() > 50) {
        throw field_error("rates", "must be a list of 1 to 50 rates, one for each kind");
    }
    if (!prices.is_array() || prices.size() != rates.size()) {
        throw field_error("prices", "must be a list of as many lists as there are rates, one for each kind");
    }
    Value const& first = prices[0];
    std::size_t const levels = first.is_array() ? first.size() : 0;
    std::vector<std::int64_t> out;
    for (std::size_t kind = 0; Value const& row : prices) {
        bool const sound = row.is_array() && levels >= 1 && levels <= std::size_t(tasks::apples::max_levels);
        if (!sound || row.size() != levels) {
            throw field_error(entry_name("prices", kind), "must be a list of 1 to 4 prices, as many for each kind");
        }
        for (std::size_t level = 0; Value const& price : row) {
            out.push_back(price_of(price, kind, level++));
        }
        ++kind;
    }
    return out;
}

/// Reads a number in the range that the layout gives the field, or the entries of a list. `where()` returns the name.
template <class Value, class Where>
std::int32_t read_within(Value const& value, field const& own, Where const& where) {
    auto const found = integer_within(value, own.low.plus, own.high.plus);
    if (!found) {
        throw field_error(where(), integer_rule(own.low.plus, own.high.plus));
    }
    return *found;
}

template <class Value>
std::vector<std::int32_t> read_orchard(Value const& instance) {
    require_fields(instance, {"turns", "stock", "rates", "prices"});
    Value const& rates = instance["rates"];
    std::vector<std::int64_t> const prices = read_prices<Value>(rates, instance["prices"]);
    std::size_t const kinds = rates.size();
    std::size_t const levels = prices.size() / kinds;
    std::vector<std::int32_t> words;
    for (std::size_t const f : {std::size_t(0), std::size_t(1)}) {
        field const& own = task::layout[f];
        words.push_back(read_within<Value>(instance[own.name], own, [&own] { return std::string(own.name); }));
    }
    words.push_back(std::int32_t(kinds));
    words.push_back(std::int32_t(levels));
    for (std::size_t kind = 0; Value const& rate : rates) {
        words.push_back(read_within(rate, task::layout[4], [&] { return entry_name("rates", kind); }));
        ++kind;
    }
    for (bool const high : {true, false}) {
        for (std::size_t machine = 0; machine < prices.size(); ++machine) {
            std::int64_t const price = prices[machine % kinds * levels + machine / kinds];
            words.push_back(std::int32_t(high ? price / price_unit : price % price_unit));
        }
    }
    return words;
}

constexpr json_rule json_fields[] = {
    {"turns", 0, "how many turns there are"},
    {"stock", 0, "the units in stock before the first turn"},
    {"rates", 1,
     "for each kind of machine, from 0 on, the units that one of its machines of level 0 makes by its power"},
    {"prices", 2, "for each kind, from 0 on, the price of each level, from 0 on"},
};
constexpr symmetry relabels{
    .axes = {{.name = "kind"}},
    .fields = {{.name = "rates", .rows = "kind"}, {.name = "prices", .rows = "kind"}},
    .answer = {.names = {"", "kind"}},
};

/// A line for each level, "3: 125000000 52000 …".
void append_prices(std::string& text, words_view on) {
    orchard const all(on);
    for (std::int32_t level = 0; level < all.levels; ++level) {
        text += "level " + std::to_string(level) + ":";
        for (std::int32_t kind = 0; kind < all.kinds; ++kind) {
            text += " " + std::to_string(all.price(level * all.kinds + kind));
        }
        text += "\n";
    }
}
/// A line for each kind: its number, its rate, and its prices from level 0 on.
void append_kinds(std::string& text, words_view on) {
    orchard const all(on);
    for (std::int32_t kind = 0; kind < all.kinds; ++kind) {
        text += std::to_string(kind) + ": rate " + std::to_string(all.rates[kind]) + ", prices";
        for (std::int32_t level = 0; level < all.levels; ++level) {
            text += " " + std::to_string(all.price(level * all.kinds + kind));
        }
        text += "\n";
    }
}
void append_rates(std::string& text, words_view on) {
    orchard const all(on);
    for (std::int32_t kind = 0; kind < all.kinds; ++kind) {
        text += (kind == 0 ? "" : " ") + std::to_string(all.rates[kind]);
    }
}

struct words {
    static constexpr filler fillers[] = {
        {"turns", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"stock", [](std::string& text, words_view on) { append_integer(text, on[1]); }},
        {"n", [](std::string& text, words_view on) { append_integer(text, on[2]); }},
        {"last", [](std::string& text, words_view on) { append_integer(text, on[2] - 1); }},
        {"levels", [](std::string& text, words_view on) { append_integer(text, on[3]); }},
        {"top", [](std::string& text, words_view on) { append_integer(text, on[3] - 1); }},
        {"instance", [](std::string& text, words_view on) { text += to_json(on).dump(); }},
    };
    static constexpr answer_terms terms{
        .form = "[[level, kind], [-1], ...]",
        .shape = "a list with a row for each turn, [level, kind] or [-1],",
        .low = [](words_view) { return -1; },
        .high = [](words_view on) { return std::max(on[2], on[3]) - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is a list of lists"},
                  {"wrong_length", "it has a row for each turn, of one value or of two"},
                  {"out_of_range", "a single value is -1, of two the first is a level and the second a kind",
                   "the value"}},
    };
    static constexpr symmetry const* twins = &relabels;
    static constexpr char const* family = "apples";
    static constexpr char const* reward = "forge";

    /// Draws the purchases, a row for each level and a column for each turn, and below them the number of digits of the
    /// stock.
    static std::string picture(char const* title, words_view instance, words_view answer) {
        orchard const on(instance);
        answer_view const rows = view_answer(answer);
        double const pitch = std::max(1.5, 640.0 / on.turns);
        constexpr double line = 22;
        svg out(60 + pitch * on.turns, 10 + line * on.levels, title);
        for (std::int32_t level = 0; level < on.levels; ++level) {
            out.text({50, 20 + line * (on.levels - 1 - level)}, "level " + std::to_string(level), "label",
                     text_anchor::end);
        }
        std::int32_t const* next = rows.values;
        for (std::int32_t turn = 0; turn < rows.row_count() && turn < on.turns; next += rows.row_lengths[turn++]) {
            bool const buys = rows.row_lengths[turn] == 2 && next[0] >= 0 && next[0] < on.levels && next[1] >= 0;
            if (buys) {
                out.rectangle({55 + pitch * turn, 5 + line * (on.levels - 1 - next[0])}, pitch, line - 4,
                              svg_group(next[1]));
            }
        }
        return out.finish();
    }
};

constexpr declarative_text says{
    .title = "Machines that make machines",
    .summary = "spend what machines make on more of them, for as much as possible after the last turn",
    .category = "planning",
    .objective = "scaled logarithm of the final stock",
    .singular = "value",
    .plural = "values",
    .prompts =
        {"A workshop counts in units. It has {n} kinds of machines, 0 to {last}, and each kind comes in {levels} "
         "levels, "
         "0 to {top}. At the start there are {stock} units, one machine of every kind and level, and every one of them "
         "has power 0.\n\nThere are {turns} turns. In a turn you first may raise the power of one level of one kind "
         "by 1: when its power is p before, this costs its price times (p + 1), paid at once from the stock. Then "
         "production runs, level by level. Level 0 of kind j adds rate[j] times its number of machines times its "
         "power to the stock. After that, for level 1, then 2, and so on: level i of kind j adds its number of "
         "machines times its power to the number of machines of level i - 1 of that kind.\n\nThe rates of the kinds "
         "are:\n{rates}\n\nThe prices, a row for each level and in it a number for each kind:\n{prices}\nThe goal is a "
         "stock as large as possible after the last turn; it is compared on a logarithmic scale. Answer with a list of "
         "exactly {turns} rows, one for each turn: [level, kind] for what is raised, or [-1] when nothing is. The "
         "stock "
         "must suffice for every row.\n",
         "You run a settlement of {n} guilds (0 to {last}) for {turns} days. Each guild has {levels} ranks of "
         "workers; there is one worker of each rank in every guild, and nobody has any skill yet (skill 0). The "
         "treasury holds {stock} coins.\n\nEach morning you may teach one rank of one guild, which raises its skill by "
         "one. The fee is the rank's basic fee, multiplied by the skill it will have afterwards. During the day, rank "
         "0 "
         "of a guild brings in its wage times its workers times its skill, in coins; then each higher rank, in "
         "ascending order, recruits workers for the rank right below it in the same guild, as many as its own workers "
         "times its skill.\n\nA line for each guild: number, wage (called rate), basic fees of ranks 0 to "
         "{top}.\n{kinds}\nWrite down what is taught on the {turns} mornings, each as [rank, guild], or [-1] for none, "
         "in a list of {turns} such rows. Coins may never be missing for a fee. As many coins as possible should lie "
         "in "
         "the treasury after the last day.\n",
         "Incremental production planning. State: stock s = {stock}; for levels i = 0..{top} and kinds j = 0..{last} a "
         "count b[i][j] = 1 and a power p[i][j] = 0. Step t = 1..{turns}:\n1. optionally choose (i, j) with c[i][j] * "
         "(p[i][j] + 1) <= s; subtract that from s and increment p[i][j];\n2. s += sum over j of a[j] * b[0][j] * "
         "p[0][j];\n3. for i = 1..{top} ascending, for all j: b[i-1][j] += b[i][j] * p[i][j].\n\na = "
         "{rates}\n\nc[i][j], "
         "row by row:\n{prices}\nMaximise log2(s) after step {turns}. Output a list with one entry a step: [i, j], or "
         "[-1] if nothing is chosen.\n",
         "{instance}\n\nIn this object `stock` is what you own, `rates` has an entry for each kind and `prices` a list "
         "for "
         "each kind with an entry for each level. There is one machine of every level and kind, of strength 0. In each "
         "of `turns` turns you may add 1 to the strength of one level of one kind for prices[kind][level] times its "
         "new "
         "strength. Then level 0 of every kind yields rates[kind] times its machines times its strength, and after "
         "that "
         "every level from 1 on, in order, builds machines for the level below in its kind: its own number times its "
         "strength. Write for every turn [level, kind] or [-1], all in one list. You must be able to pay for all of "
         "it. "
         "Own as much as you can in the end.\n"},
    .sentences = {"In turn {where} (the first is 0) the stock does not suffice; {violation} are missing, counted to "
                  "{violation_max}."},
    .examples = {{R"({"turns": 5, "stock": 1, "rates": [1], "prices": [[1]]})", "[[0, 0], [-1], [0, 0], [-1], [0, 0]]",
                  "ok", 200000},
                 {"", "[[0, 0], [-1], [0, 0], [-1], [-1]]", "ok", 258496},
                 {"", "[[-1], [-1], [-1], [-1], [-1]]", "ok", 0},
                 {"", "[[0, 0], [0, 0], [-1], [-1], [-1]]", "unaffordable"},
                 {"", "[[0, 0], [-1], [0, 1], [-1], [-1]]", "out_of_range"},
                 {"", "[[0, 0], [-1], [1, 0], [-1], [-1]]", "out_of_range"},
                 {"", "[[0, 0], [0], [-1], [-1], [-1]]", "out_of_range"},
                 {"", "[[0, 0], [-1], [-1]]", "wrong_length"},
                 {"", "[[0, 0], [-1], [-1, 0, 0], [-1], [-1]]", "wrong_length"},
                 {"", "[0, 0, -1, -1, -1]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"turns": 4, "stock": 9, "rates": [2], "prices": [[3, 1]]})", "[[0, 0], [1, 0], [-1], [-1]]", "ok",
                  424793},
                 {R"({"turns": 0, "stock": 1, "rates": [1], "prices": [[1]]})", "turns", "refused"},
                 {R"({"turns": 5, "stock": 1, "rates": [1], "prices": [[0]]})", "prices[0][0]", "refused"},
                 {R"({"turns": 5, "stock": 1, "rates": [1, 2], "prices": [[1], [1, 2]]})", "prices[1]", "refused"},
                 {R"({"turns": 5, "stock": 1, "rates": [0], "prices": [[1]]})", "rates[0]", "refused"}},
    .fillers = {{"prices", append_prices}, {"kinds", append_kinds}, {"rates", append_rates}},
    .tags = {"planning", "simulation"},
    .expensive_steps = 16,
};

/// The stock after a feasible answer's last turn, in decimal digits.
std::string last_stock(words_view instance, answer_view const& answer) {
    orchard const on(instance);
    std::vector<std::int64_t> scratch(std::size_t(ledger::words(instance)));
    ledger books(on, reinterpret_cast<std::int32_t*>(scratch.data()));
    books.begin();
    std::int32_t const* next = answer.values;
    for (std::int32_t turn = 0; turn < on.turns; next += answer.row_lengths[turn++]) {
        if (answer.row_lengths[turn] == 2) {
            books.buy(next[0] * on.kinds + next[1]);
        }
        books.produce();
    }
    std::string digits;
    for (tasks::apples::uint128 left = books.stock(); left > 0 || digits.empty(); left /= 10) {
        digits.insert(digits.begin(), char('0' + int(left % 10)));
    }
    return digits;
}

std::string explain(words_view instance, words_view block, verdict const& found) {
    orchard const on(instance);
    answer_view const answer = view_answer(block);
    std::string const said = light_words<task, words, says>::explain(instance, block, found);
    if (found.feasible()) {
        return said.substr(0, said.size() - 1) + ", of a stock of " + last_stock(instance, answer) + ".";
    }
    if (found.code == code_out_of_range) {
        return std::to_string(answer.values[found.where]) + " (position " + std::to_string(found.where) +
               ") is out of range: a row is [level, kind], with levels 0 to " + std::to_string(on.levels - 1) +
               " and kinds 0 to " + std::to_string(on.kinds - 1) + ", or [-1].";
    }
    return said;
}

constexpr task_text made() {
    task_text own = declarative_task_text<task, words, says>();
    own.to_json = to_json;
    own.from_json = read_orchard<json>;
    own.from_flat = read_orchard<flat_value>;
    own.explain = explain;
    own.json_fields = json_fields;
    return own;
}

}  // namespace
}  // namespace optgap::text::apples

extern optgap::task_text const optgap_text_apples;
optgap::task_text const optgap_text_apples = optgap::text::apples::made();
