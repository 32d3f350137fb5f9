// What skeleton says: prompts, sentences on broken rules.

#include <string>
#include <vector>

#include "kernels/tasks/skeleton/skeleton.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {
namespace {

using tasks::skeleton::task;

/// Purpose of the worked example's draws.
constexpr std::uint32_t purpose_example = 32;

std::string joined(std::int32_t const* values, std::int64_t count, char const* separator) {
    std::string text;
    for (std::int64_t i = 0; i < count; ++i) {
        text += (i > 0 ? separator : "") + std::to_string(values[i]);
    }
    return text;
}

std::string list_prompt(words_view instance) {
    return "Choose at most " + std::to_string(instance[1]) +
           " positions of this list so that the sum of their values is as "
           "large as possible. Positions are counted from 0, and no position may be chosen twice.\n\n[" +
           joined(instance.data + 2, instance[0], ", ") + "]\n\nGive the chosen positions as one list.\n";
}

std::string table_prompt(words_view instance) {
    std::string text = "position value\n";
    for (std::int32_t i = 0; i < instance[0]; ++i) {
        text += std::to_string(i) + " " + std::to_string(instance[2 + i]) + "\n";
    }
    return text + "\nSelect up to " + std::to_string(instance[1]) +
           " different rows of the table with the largest total value. The answer is the list of their positions.\n";
}

std::string story_prompt(words_view instance, draw source) {
    std::int32_t const a = uniform(source, purpose_example, 0, 1, 40);
    std::int32_t const b = uniform(source, purpose_example, 1, 41, 80);
    std::string text =
        "A collector may keep " + std::to_string(instance[1]) +
        " coins at most and wants the most valuable ones. Coins are numbered from 0.\n\nA small case: coins "
        "worth ";
    text += std::to_string(a) + ", " + std::to_string(b) +
            ", and one to keep. Keeping [1] is best.\n\nThe case to solve: "
            "coins worth " +
            joined(instance.data + 2, instance[0], ", ");
    return text + ".\n\nList the numbers of the coins to keep, each once.\n";
}

std::string json_prompt(words_view instance) {
    return "{\"pick\": " + std::to_string(instance[1]) + ", \"values\": [" +
           joined(instance.data + 2, instance[0], ",") +
           "]}\n\nReturn the indices of at most `pick` distinct entries of `values` whose total is largest.\n";
}

std::string prompt(words_view instance, std::int32_t style, draw source) {
    switch (style) {
        case 0: return list_prompt(instance);
        case 1: return table_prompt(instance);
        case 2: return story_prompt(instance, source);
        default: return json_prompt(instance);
    }
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    answer_view const list = view_answer(answer);
    auto const position = [&] { return std::to_string(list.values[found.where]); };
    switch (found.code) {
        case code_ok: return "The chosen values sum to " + std::to_string(found.objective) + ".";
        case code_unparsable: return "The answer is a word; a list of positions is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of positions is needed.";
        case code_empty: return "The list is empty; at least one position must be chosen.";
        case code_out_of_range:
            return position() + " is no position: they are 0 to " + std::to_string(instance[0] - 1) + ".";
        case code_repeated: return "Position " + position() + " is chosen twice.";
        case task::code_too_many:
            return std::to_string(list.count) + " positions are chosen, at most " + std::to_string(instance[1]) +
                   " may be.";
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* words[] = {nullptr};
constexpr file_format files[] = {{nullptr, nullptr}};
// Which labels mean nothing (kernels/text/symmetry.hpp); no_symmetry for none.
constexpr symmetry relabels{
    .axes = {{.name = "position"}},
    .fields = {{.name = "values", .rows = "position"}},
    .answer = {.names = {"position"}},
};

}  // namespace
}  // namespace optgap

extern optgap::task_text const optgap_text_skeleton;
optgap::task_text const optgap_text_skeleton = {
    .title = "skeleton",
    .summary = "at most k numbers with the largest sum",
    .category = "subset selection",
    .objective = "sum of the chosen values",
    .answer_form = "[a, b, ...]",
    .words = optgap::words,
    .styles = 4,
    .files = optgap::files,
    .prompt = optgap::prompt,
    .explain = optgap::explain,
    .twins = &optgap::relabels,
    .layout = optgap::tasks::skeleton::layout,
};
