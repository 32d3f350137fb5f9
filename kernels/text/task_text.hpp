#pragma once
// What a task says in words and files: prompts, JSON, file formats, sentences for people. Host only. A task's
// NAME_text.cpp defines `optgap::task_text const optgap_text_NAME`.

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

/// Reads one instance from a file in a format of the field (TSPLIB, DIMACS); throws field_error.
struct file_format {
    char const* extension;  ///< with the dot
    std::vector<std::int32_t> (*read)(std::string_view text);
};

/// A row that shows a rule, tested for every task: an instance with an answer, the verdict's code and objective; or an
/// instance that the entry check refuses, with `code` "refused" and the field for an answer.
struct example {
    char const* instance = nullptr;  ///< JSON; "" for that of the row before
    char const* answer = nullptr;    ///< as a model writes it
    char const* code = nullptr;
    std::int64_t objective = 0;
};

/// A code that the verifier may give, and what an answer must be for the code not to be given.
struct code_rule {
    char const* code = nullptr;
    char const* rule = nullptr;  ///< none: this task never gives the code
    char const* where = "";      ///< what the verdict points at
};

/// For lists of names that are empty; all are ended by nullptr.
inline constexpr char const* no_names[] = {nullptr};

/// A field of the JSON form of a task that writes it by functions of its own.
struct json_rule {
    char const* name;
    std::int32_t depth;  ///< 0: a number or a word; 1: a list; 2: a list of lists; 3: of lists of lists
    char const* rule;    ///< one sentence: how many there are, of what range
};

struct task_text {
    char const* title;         ///< "Travelling salesman"
    char const* summary;       ///< one line for `optgap tasks`
    char const* category;      ///< one of FORGE's five, "path planning"
    char const* objective;     ///< "tour length"
    char const* answer_form;   ///< an answer's shape for the instructions, letters for numbers
    char const* const* words;  ///< accepted instead of a list, lower case, ended by nullptr
    std::int32_t styles;       ///< number of prompt styles; the last one is kept for evaluation
    file_format const* files;  ///< ended by {nullptr, nullptr}

    /// Rules, instance and answer form in one of the styles; the format's own instructions are added by the caller.
    /// `source` draws the worked example of the styles that have one.
    std::string (*prompt)(words_view instance, std::int32_t style, draw source);
    json (*to_json)(words_view instance) = nullptr;
    /// Checks everything and throws field_error{field, rule} on the first thing that is wrong.
    std::vector<std::int32_t> (*from_json)(json const& instance) = nullptr;
    /// The same of what outsiders wrote, which is read without a tree; a task that has one has both.
    std::vector<std::int32_t> (*from_flat)(flat_value const& instance) = nullptr;
    /// One sentence for people on why the answer is infeasible. `answer` is a block.
    std::string (*explain)(words_view instance, words_view answer, verdict const& found);
    /// An SVG drawing of the instance with one feasible answer, or with none when `answer` is empty.
    std::string (*picture)(words_view instance, words_view answer) = nullptr;
    /// What its instances' twins may rename; no_symmetry for nothing.
    symmetry const* twins = nullptr;

    abilities can = {};
    /// Is an instance short enough, and its answer, for a language model to be asked for the answer itself? Else only
    /// programs that solve the task are asked for, and `prompt` writes no more than their statements' rules.
    bool direct = true;
    example const* examples = nullptr;            ///< ended by {}
    code_rule const* rules = nullptr;             ///< of general codes, in the verifier's order; ended by {}
    char const* const* code_sentences = nullptr;  ///< of the task's own codes, which come last
    /// For a task without to_json and from_json: its fields, and its entry check where that knows further rules.
    std::span<field const> layout = {};
    char const* (*check)(words_view instance) = nullptr;
    /// For a task with to_json: the fields that its forms may have, in the order in which to_json writes them.
    std::span<json_rule const> json_fields = {};
    char const* reward = "forge";  ///< the reward spec that is recommended for the task
    char const* family = "";       ///< of tasks with one shape of instance and answer: "cells"
    char const* const* tags = no_names;
    char const* const* rlve = no_names;  ///< RLVE's identifiers of the environments that it stands for
    /// How answers may be written beside as lists; the rules stand at `answer_syntax`.
    char const* alphabet = nullptr;
    std::int32_t first_letter = 0;
    bool letter_rows = false;
    bool expressions = false;
    bare_number numbers = {};
    /// Steps that take 50 µs, by bench/studies/dear_steps.py: a label that takes more is kept by `recompute --keep
    /// dear`. 0, of a task that says nothing: one that takes any.
    std::int64_t dear_steps = 0;
};

/// Do the task's examples show a valid answer of objective 0? Where more is possible that counts as no answer
/// (docs/rewards.md), and prompts say so.
inline bool shows_worthless_answer(task_text const& text) {
    for (example const* row = text.examples; row != nullptr && row->code != nullptr; ++row) {
        if (row->objective == 0 && std::string_view(row->code) == "ok") {
            return true;
        }
    }
    return false;
}

/// What the grammar of answers needs to know of a task.
answer_syntax syntax_of(task_text const& task);

/// An answer block for people: as a word of the task's alphabet, rows as a list of words, as an expression or as
/// numbers (two rows as "12 R 3"), where the task's answers are written so and this one can be; else as a list. Reads
/// back.
std::string answer_in_words(task_text const& task, std::span<std::int32_t const> block);

/// An instance as JSON and back: by the task's own functions, else by its layout and its entry check.
json instance_to_json(task_text const& task, words_view instance);
std::vector<std::int32_t> instance_from_json(task_text const& task, json const& instance);

}  // namespace optgap
