// Prompts, sentences and files of subset_sum.

#include <bit>
#include <string>
#include <vector>

#include "kernels/tasks/subset_sum/subset_sum_instance.hpp"
#include "kernels/text/number_text.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::subset_sum {
std::string picture(words_view instance, words_view answer);  // subset_sum_picture.cpp
}

namespace optgap {
namespace {

using tasks::subset_sum::numbers;
using tasks::subset_sum::numbers_of;

/// Purpose of the worked example's random words, separate from the generator's.
constexpr std::uint32_t purpose_example = 1000;

struct worked_example {
    std::int32_t value[5];
    std::int32_t target;
    std::vector<std::int32_t> answer;
};

/// Five small values, a target that some of them reach, and the first largest choice, found by trying all.
worked_example draw_worked_example(draw source) {
    draw_stream stream(source, purpose_example);
    worked_example example{};
    for (std::int32_t& value : example.value) {
        value = stream.uniform(1, 9);
    }
    auto const sum_of = [&](unsigned set) {
        std::int32_t sum = 0;
        for (unsigned i = 0; i < 5; ++i) {
            sum += (set >> i) & 1u ? example.value[i] : 0;
        }
        return sum;
    };
    constexpr std::int32_t pairs_and_triples[] = {3,  5,  6,  7,  9,  10, 11, 12, 13, 14,
                                                  17, 18, 19, 20, 21, 22, 24, 25, 26, 28};
    example.target = sum_of(unsigned(pairs_and_triples[stream.uniform(0, 19)]));
    unsigned best = 0;
    for (unsigned set = 1; set < 32; ++set) {
        if (sum_of(set) == example.target && std::popcount(set) > std::popcount(best)) {
            best = set;
        }
    }
    for (std::int32_t i = 0; i < 5; ++i) {
        if ((best >> i) & 1u) {
            example.answer.push_back(i);
        }
    }
    return example;
}

void tell_as_list(std::string& text, numbers const& all) {
    text +=
        "You are given a list of numbers, whose positions are counted from 0, and a target. Choose positions, each at "
        "most once, such that the numbers there add up to exactly the target, and choose as many as possible.\n\n"
        "numbers: ";
    append_list(text, all.value, all.count);
    text += "\ntarget: ";
    append_integer(text, all.target);
    text +=
        "\n\nAnswer with the list of the chosen positions, in any order. A choice with another sum is worth nothing; "
        "of two choices with the right sum the longer one is better.\n";
}

void tell_as_lines(std::string& text, numbers const& all) {
    text += "Which of these ";
    append_integer(text, all.count);
    text += " items together weigh exactly ";
    append_integer(text, all.target);
    text += "? Take the largest number of items that does. No item can be split or taken twice.\n\n";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += "item ";
        append_integer(text, i);
        text += ": ";
        append_integer(text, all.value[i]);
        text += '\n';
    }
    text += "\nGive the numbers of the items taken as one list.\n";
}

void tell_with_example(std::string& text, numbers const& all, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "Subset sum with a maximum number of elements: find a set of distinct indices into `values` (the first index "
        "is "
        "0) whose values sum to `target`, with no larger set doing so.\n\nExample: values = ";
    append_list(text, example.value, 5);
    text += ", target = ";
    append_integer(text, example.target);
    text += " has the solution ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += ".\n\nNow solve: values = ";
    append_list(text, all.value, all.count);
    text += ", target = ";
    append_integer(text, all.target);
    text += "\n\nThe answer is the list of indices.\n";
}

void tell_as_coins(std::string& text, numbers const& all, draw source) {
    worked_example const example = draw_worked_example(source);
    text +=
        "A collector wants to hand over exactly a given amount in as many of the coins on the table as possible. Coins "
        "stand as number=worth; each is there once.\n\nA small case: ";
    for (std::int32_t i = 0; i < 5; ++i) {
        append_integer(text, i);
        text += '=';
        append_integer(text, example.value[i]);
        text += i < 4 ? " " : "; ";
    }
    text += "amount ";
    append_integer(text, example.target);
    text += ". Best: ";
    append_list(text, example.answer.data(), std::int64_t(example.answer.size()));
    text += ".\n\nThe case to solve: amount ";
    append_integer(text, all.target);
    text += ", coins\n";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += i > 0 ? " " : "";
        append_integer(text, i);
        text += '=';
        append_integer(text, all.value[i]);
    }
    text += "\n\nList the numbers (not the worths) of the coins to hand over.\n";
}

void tell_as_json(std::string& text, numbers const& all) {
    text += "{\"goal\": ";
    append_integer(text, all.target);
    text += ", \"bookings\": {";
    for (std::int32_t i = 0; i < all.count; ++i) {
        text += i > 0 ? ", \"" : "\"";
        append_integer(text, i);
        text += "\": ";
        append_integer(text, all.value[i]);
    }
    text +=
        "}}\n\nThe object above maps the keys of bookings to their amounts. Return, as a list of integers, the keys of "
        "bookings that together make up the goal exactly; among all such lists yours should be as long as possible.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    numbers const all = numbers_of(instance);
    std::string text;
    text.reserve(std::size_t(all.count) * 16 + 1024);
    switch (style) {
        case 0: tell_as_list(text, all); break;
        case 1: tell_as_lines(text, all); break;
        case 2: tell_with_example(text, all, source); break;
        case 3: tell_as_coins(text, all, source); break;
        default: tell_as_json(text, all); break;
    }
    return text;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    numbers const all = numbers_of(instance);
    answer_view const list = view_answer(answer);
    std::string const target = std::to_string(all.target);
    std::string const index = found.where >= 0 ? std::to_string(list.values[found.where]) : "";
    std::string const place = " (position " + std::to_string(found.where) + ")";
    switch (found.code) {
        case code_ok: return "The " + std::to_string(found.objective) + " values sum to " + target + ".";
        case code_unparsable: return "The answer is a word; a list of indices is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of indices is needed.";
        case code_empty: return "The list is empty and sums to 0, but the target is " + target + ".";
        case code_out_of_range:
            return index + place + " is no index: the indices are 0 to " + std::to_string(all.count - 1) + ".";
        case code_repeated: return "Index " + index + place + " is chosen again; each value exists once.";
        case first_task_code:
            if (found.where < 0) {
                return "The values sum to " + std::to_string(all.target - found.violation) + ", which is " +
                       std::to_string(found.violation) + " below the target of " + target + ".";
            }
            return "The values sum to " + std::to_string(all.target + found.violation) + ", which is " +
                   std::to_string(found.violation) + " above the target of " + target + "; with index " + index +
                   place + " the sum first passes it.";
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* no_words[] = {nullptr};
constexpr file_format no_files[] = {{nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "item"}},
    .fields = {{.name = "values", .rows = "item"}},
    .answer = {.names = {"item"}},
};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* subset_sum_tags[] = {"numbers", nullptr};
constexpr char const* subset_sum_rlve[] = {"SubsetSum", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_subset_sum;
optgap::task_text const optgap_text_subset_sum = {
    .title = "Subset sum",
    .summary = "as many values as possible that sum to the target exactly",
    .category = "subset selection",
    .objective = "number of values",
    .answer_form = "[a, b, c, ...]",
    .words = optgap::no_words,
    .styles = 5,
    .files = optgap::no_files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .picture = optgap::text::subset_sum::picture,
    .twins = &optgap::relabels,
    .layout = optgap::tasks::subset_sum::layout,
    .family = "subset",
    .tags = subset_sum_tags,
    .rlve = subset_sum_rlve,
    .expensive_steps = 32768,
};
