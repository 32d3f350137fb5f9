#pragma once
// A task's words and files: prompts, JSON, file formats, sentences for people. Host only. A task's NAME_text.cpp
// defines `optgap::task_text const optgap_text_NAME`.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "kernels/core/abilities.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"
#include "kernels/text/symmetry.hpp"
#include "optgap/status.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

using json = nlohmann::ordered_json;
class flat_value;      // kernels/text/flat/flat_json.hpp
struct answer_syntax;  // optgap/format.hpp
enum class bare_number : std::int32_t;

/// Reads one instance from a file in a format that the field uses (TSPLIB, DIMACS); throws field_error.
struct file_format {
    char const* extension;  ///< with the dot
    std::vector<std::int32_t> (*read)(std::string_view text);
};

/// A row that shows a rule and is tested for every task. It is either an instance with an answer and the verdict's code
/// and objective, or an instance that the entry check refuses; then `code` is "refused" and `answer` is the field.
struct example {
    char const* instance = nullptr;  ///< JSON; "" repeats the instance of the row before
    char const* answer = nullptr;    ///< as a model writes it
    char const* code = nullptr;
    std::int64_t objective = 0;
};

/// A code that the verifier may return, and the rule that an answer must meet to avoid it.
struct code_rule {
    char const* code = nullptr;
    char const* rule = nullptr;  ///< nullptr: this task never returns the code
    char const* where = "";      ///< what the verdict's position refers to
};

/// An empty list of names; lists of names end with nullptr.
inline constexpr char const* no_names[] = {nullptr};

/// A field of the JSON form, for a task that writes JSON by its own functions.
struct json_rule {
    char const* name;
    std::int32_t depth;  ///< 0: a number or a word; 1: a list; 2: a list of lists; 3: of lists of lists
    char const* rule;    ///< one sentence: how many values there are, and their range
};

struct task_text {
    char const* title;         ///< "Travelling salesman"
    char const* summary;       ///< one line for `optgap tasks`
    char const* category;      ///< one of FORGE's five categories, "path planning"
    char const* objective;     ///< "tour length"
    char const* answer_form;   ///< shape of an answer for the instructions, with letters for numbers
    char const* const* words;  ///< accepted instead of a list, lower case, ended by nullptr
    std::int32_t styles;       ///< number of prompt styles; the last one is kept for evaluation
    file_format const* files;  ///< ended by {nullptr, nullptr}

    /// Writes rules, instance and answer form in one of the styles; the caller adds the instructions of the format.
    /// `source` draws the worked example, for styles that have one.
    std::string (*prompt)(words_view instance, std::int32_t style, draw source);
    json (*to_json)(words_view instance) = nullptr;
    /// Checks everything and throws field_error{field, rule} on the first thing that is wrong.
    std::vector<std::int32_t> (*from_json)(json const& instance) = nullptr;
    /// The same for input from outside, which is read without a tree. A task that has one has both.
    std::vector<std::int32_t> (*from_flat)(flat_value const& instance) = nullptr;
    /// One sentence for people that says why the answer is infeasible. `answer` is a block.
    std::string (*explain)(words_view instance, words_view answer, verdict const& found);
    /// An SVG drawing of the instance with one feasible answer, or without one if `answer` is empty.
    std::string (*picture)(words_view instance, words_view answer) = nullptr;
    /// What relabelled copies of its instances may rename; no_symmetry for nothing.
    symmetry const* twins = nullptr;

    abilities can = {};
    /// Whether an instance and its answer are short enough to ask a language model for the answer itself. If not, only
    /// programs that solve the task are asked for, and `prompt` writes only the rules for their statements.
    bool direct = true;
    example const* examples = nullptr;            ///< ended by {}
    code_rule const* rules = nullptr;             ///< rules of the general codes, in the verifier's order; ended by {}
    char const* const* code_sentences = nullptr;  ///< sentences of the task's own codes, which come last
    /// For a task without to_json and from_json: its fields, and its entry check if there are more rules.
    std::span<field const> layout = {};
    char const* (*check)(words_view instance) = nullptr;
    /// For a task with to_json: the fields that its forms may have, in the order in which to_json writes them.
    std::span<json_rule const> json_fields = {};
    char const* reward = "forge";  ///< the reward spec recommended for the task
    char const* family = "";       ///< for tasks that share one shape of instance and answer: "cells"
    char const* const* tags = no_names;
    char const* const* rlve = no_names;  ///< RLVE's identifiers of the environments that this task covers
    /// How answers may be written other than as lists; see `answer_syntax` for the rules.
    char const* alphabet = nullptr;
    std::int32_t first_letter = 0;
    bool letter_rows = false;
    bool expressions = false;
    bare_number numbers = {};
    /// Steps that take 50 µs, measured by bench/studies/expensive_steps.py: `recompute --keep expensive` keeps a label
    /// that takes more. 0 if a task does not set it: every label that takes a step is kept.
    std::int64_t expensive_steps = 0;
};

/// Whether the task's examples contain a valid answer of objective 0. If larger objectives are possible, such an answer
/// counts as no answer (docs/rewards.md), and prompts say so.
inline bool shows_worthless_answer(task_text const& text) {
    for (example const* row = text.examples; row != nullptr && row->code != nullptr; ++row) {
        if (row->objective == 0 && std::string_view(row->code) == "ok") {
            return true;
        }
    }
    return false;
}

/// The part of a task that the grammar of answers needs.
answer_syntax syntax_of(task_text const& task);

/// An answer block in the notation for people, if the task has one and the answer can be written in it: a word of the
/// task's alphabet, rows as a list of words, an expression, or numbers (two rows as "12 R 3"). Otherwise it is a list.
/// The text can be read back.
std::string answer_in_words(task_text const& task, std::span<std::int32_t const> block);

/// An instance as JSON and back: by the task's own functions if there are any, otherwise by its layout and its entry
/// check.
json instance_to_json(task_text const& task, words_view instance);
std::vector<std::int32_t> instance_from_json(task_text const& task, json const& instance);

}  // namespace optgap
