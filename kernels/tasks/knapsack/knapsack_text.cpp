// Prompts, sentences and files of knapsack.

#include <string>

#include "kernels/tasks/knapsack/knapsack_instance.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::knapsack {
std::string picture(words_view instance, words_view answer);  // knapsack_picture.cpp
std::vector<std::int32_t> read_items(std::string_view text);  // knapsack_files.cpp
}  // namespace optgap::text::knapsack

namespace optgap {
namespace {

using tasks::knapsack::items;
using tasks::knapsack::items_of;

constexpr std::uint32_t purpose_example = 3;

/// Four small items, of which some choice always fits, and the best choice, found by trying all sixteen.
void add_example(std::string& text, draw source) {
    std::int32_t weight[4];
    std::int32_t value[4];
    for (std::uint32_t i = 0; i < 4; ++i) {
        weight[i] = uniform(source, purpose_example, 2 * i, 2, 9);
        value[i] = uniform(source, purpose_example, 2 * i + 1, 3, 15);
    }
    std::int32_t const capacity = uniform(source, purpose_example, 8, 10, 16);
    std::int32_t best_weight = 0;
    std::int32_t best_value = 0;
    unsigned best_set = 0;
    for (unsigned set = 1; set < 16; ++set) {
        std::int32_t set_weight = 0;
        std::int32_t set_value = 0;
        for (unsigned i = 0; i < 4; ++i) {
            set_weight += (set >> i) & 1u ? weight[i] : 0;
            set_value += (set >> i) & 1u ? value[i] : 0;
        }
        if (set_weight <= capacity && set_value > best_value) {
            best_weight = set_weight;
            best_value = set_value;
            best_set = set;
        }
    }
    text += "Worked example (a different instance): capacity ";
    append_integer(text, capacity);
    text += ", weights ";
    append_list(text, weight, 4);
    text += ", values ";
    append_list(text, value, 4);
    text += ". The choice [";
    bool first = true;
    for (std::int32_t i = 0; i < 4; ++i) {
        if ((best_set >> i) & 1u) {
            text += first ? "" : ", ";
            append_integer(text, i);
            first = false;
        }
    }
    text += "] weighs ";
    append_integer(text, best_weight);
    text += " and is worth ";
    append_integer(text, best_value);
    text += "; no choice that fits is worth more.\n\n";
}

void tell_as_lines(std::string& text, items const& all) {
    text += "You have a knapsack that holds a total weight of at most ";
    append_integer(text, all.capacity);
    text += ". There are ";
    append_integer(text, all.count);
    text +=
        " items, numbered from 0. Each item can be packed at most once, whole or not at all. "
        "Choose the items to pack so that their total weight does not exceed the capacity and their total value is as "
        "large as possible.\n\nItems:\n";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += "item ";
        append_integer(text, i);
        text += ": weight ";
        append_integer(text, all.weight[i]);
        text += ", value ";
        append_integer(text, all.value[i]);
        text += '\n';
    }
    text += "\nGive the list of the numbers of the packed items, in any order, without repeats.\n";
}

void tell_as_arrays(std::string& text, items const& all) {
    text +=
        "Solve this 0/1 knapsack problem. Item i weighs weights[i] and is worth values[i]; indices start at 0. "
        "Find distinct indices with the largest sum of values whose sum of weights is at most the capacity.\n\n"
        "capacity = ";
    append_integer(text, all.capacity);
    text += "\nweights = ";
    append_list(text, all.weight, all.count);
    text += "\nvalues = ";
    append_list(text, all.value, all.count);
    text += "\n\nThe answer is the list of the chosen indices.\n";
}

void tell_as_table(std::string& text, items const& all, draw source) {
    text +=
        "A set of items is to be selected under a weight limit. Every item is either selected once or left out. The "
        "sum of the selected weights must not be larger than the limit; the sum of the selected values is to be "
        "maximised.\n\n";
    add_example(text, source);
    text += "Weight limit: ";
    append_integer(text, all.capacity);
    text += "\n\n| item | weight | value |\n|---|---|---|\n";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += "| ";
        append_integer(text, i);
        text += " | ";
        append_integer(text, all.weight[i]);
        text += " | ";
        append_integer(text, all.value[i]);
        text += " |\n";
    }
    text += "\nAnswer with the list of the selected items' numbers.\n";
}

void tell_as_freight(std::string& text, items const& all, draw source) {
    text += "A courier's van can carry ";
    append_integer(text, all.capacity);
    text +=
        " kg. Below, each parcel stands as number:(kg, fee). A parcel goes as a whole or stays, and earns its fee only "
        "if it goes. Load the van for the highest total fee without passing its limit.\n\n";
    add_example(text, source);
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += i > 0 ? "; " : "";
        append_integer(text, i);
        text += ":(";
        append_integer(text, all.weight[i]);
        text += ", ";
        append_integer(text, all.value[i]);
        text += ')';
    }
    text += "\n\nList the numbers of the parcels that go, each once.\n";
}

void tell_as_json(std::string& text, items const& all) {
    text +=
        "The JSON object below describes a budget in \"capacity\" and projects as [cost, benefit] pairs, counted from "
        "zero. Fund a set of projects, each fully and at most once, with total cost no more than the budget and the "
        "greatest possible total benefit.\n\n{\"capacity\": ";
    append_integer(text, all.capacity);
    text += ", \"projects\": [";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += i > 0 ? ", [" : "[";
        append_integer(text, all.weight[i]);
        text += ", ";
        append_integer(text, all.value[i]);
        text += ']';
    }
    text += "]}\n\nReturn the list of the funded projects' positions.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    items const all = items_of(instance);
    std::string text;
    text.reserve(std::size_t(all.count) * 32 + 1024);
    switch (style) {
        case 0: tell_as_lines(text, all); break;
        case 1: tell_as_arrays(text, all); break;
        case 2: tell_as_table(text, all, source); break;
        case 3: tell_as_freight(text, all, source); break;
        default: tell_as_json(text, all); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    items const all = items_of(instance);
    std::int64_t const at = std::int64_t(found.where) + 1;  // a flat block's values follow its shape word
    std::string const named = found.where >= 0 && at < answer.count ? std::to_string(answer[at]) : "?";
    std::string const place = "entry " + std::to_string(found.where) + " (counted from 0)";
    switch (found.code) {
        case code_ok: return "The items fit and are worth " + std::to_string(found.objective) + ".";
        case code_unparsable: return "The answer is a word, but a list of item numbers is expected.";
        case code_bad_depth: return "The answer is a list of lists, but one flat list of item numbers is expected.";
        case code_empty: return "No item is chosen, although at least one item with a value fits alone.";
        case code_out_of_range:
            return "There is no item " + named + " (" + place + "): items are numbered 0 to " +
                   std::to_string(all.count - 1) + ".";
        case code_repeated: return "Item " + named + " is chosen again at " + place + ", but each item exists once.";
        case first_task_code:
            return "The items weigh " + std::to_string(found.violation + all.capacity) + ", which is " +
                   std::to_string(found.violation) + " over the capacity of " + std::to_string(all.capacity) +
                   "; item " + named + " at " + place + " is the first that no longer fits.";
        default: return "The answer is not a list of item numbers.";
    }
}

constexpr char const* no_words[] = {nullptr};
constexpr file_format files[] = {{".kp", text::knapsack::read_items},
                                 {".knapsack", text::knapsack::read_items},
                                 {".txt", text::knapsack::read_items},
                                 {".csv", text::knapsack::read_items},
                                 {nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "item"}},
    .fields = {{.name = "weights", .rows = "item"}, {.name = "values", .rows = "item"}},
    .answer = {.names = {"item"}},
};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* knapsack_tags[] = {"numbers", nullptr};
constexpr char const* knapsack_rlve[] = {"Knapsack", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_knapsack;
optgap::task_text const optgap_text_knapsack = {
    .title = "0/1 knapsack",
    .summary = "choose items of the largest total value under a weight limit",
    .category = "subset selection",
    .objective = "total value",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::no_words,
    .styles = 5,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::knapsack::picture,
    .twins = &optgap::relabels,
    .layout = optgap::tasks::knapsack::layout,
    .family = "subset",
    .tags = knapsack_tags,
    .rlve = knapsack_rlve,
    .expensive_steps = 4096,
};
