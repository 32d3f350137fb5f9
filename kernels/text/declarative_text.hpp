#pragma once
// The texts of a declarative task, as data: prompts are templates, sentences are made from nouns, examples are rows. A
// family describes the form of its instances and answers (answer_terms). A task_text is made of both.
//
//   constexpr declarative_text says{.title = "Minimum vertex cover", …, .prompts = {"… edges:\n{edges}", …}};
//   optgap::task_text const optgap_text_vertex_cover = light_task_text<task, families::vertices_text, says>();

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/text/task_text.hpp"

namespace optgap {

/// Writes a part of the instance into a prompt.
struct filler {
    char const* name = nullptr;
    void (*append)(std::string& text, words_view instance) = nullptr;
};

struct declarative_text {
    char const* title;
    char const* summary;
    char const* category;
    char const* objective;
    char const* singular;  ///< noun for a value of an answer: "vertex"
    char const* plural;
    /// One template for each style, at least three, the last one kept for evaluation; ended by nullptr. {name} is
    /// replaced by the output of the family's filler of that name, {{ by a brace.
    char const* prompts[8];
    /// One sentence for each of the task's own codes. {violation}, {violation_max}, {where} and {value} are replaced by
    /// the verdict's.
    char const* sentences[8];
    example examples[24];             ///< ended by {}
    filler fillers[4] = {};           ///< the task's own
    symmetry const* twins = nullptr;  ///< the task's own; nullptr: the family's
    char const* tags[6] = {};         ///< lower-case words for choosing tasks, ended by nullptr
    char const* rlve[6] = {};         ///< RLVE's identifiers of the environments that this task covers, likewise
    char const* reward = nullptr;     ///< recommended for the task; nullptr: that of the family
    char const* form = nullptr;       ///< of an answer, for the instructions; nullptr: that of the family
    char const* alphabet = nullptr;   ///< this and the following members as in task_text
    std::int32_t first_letter = 0;
    bool letter_rows = false;
    bool expressions = false;
    bare_number numbers = {};
    bool direct = true;
    std::int64_t expensive_steps = 0;
    file_format const* files = nullptr;  ///< formats of other programs, as in task_text; nullptr: none
};

/// The form of a family's answers.
struct answer_terms {
    char const* form;   ///< for the instructions: "[a, b, c, ...]"
    char const* shape;  ///< for sentences: "one flat list of vertices"
    std::int32_t (*low)(words_view instance);
    std::int32_t (*high)(words_view instance);
    code_rule rules[8];  ///< ended by {}
};

/// Throws status::internal for a name without a filler.
std::string fill_prompt(declarative_text const& says, std::int32_t style, words_view instance,
                        std::span<filler const> of_family);

std::string explain_declarative(declarative_text const& says, answer_terms const& terms, words_view instance,
                                words_view answer, verdict const& found);

/// The instance's JSON by its layout, in one line: a filler that every family has.
std::string layout_text(std::span<field const> layout, words_view instance);

/// `FamilyText` has the members family (its name), fillers, terms, twins, reward (the recommended spec) and
/// picture(title, instance, answer).
template <class Task, class FamilyText, declarative_text const& Says>
struct light_words {
    static std::string prompt(words_view instance, std::int32_t style, draw) {
        return fill_prompt(Says, style, instance, FamilyText::fillers);
    }
    static std::string explain(words_view instance, words_view answer, verdict const& found) {
        return explain_declarative(Says, FamilyText::terms, instance, answer, found);
    }
    static std::string picture(words_view instance, words_view answer) {
        return FamilyText::picture(Says.title, instance, answer);
    }
};

inline constexpr file_format no_files[] = {{nullptr, nullptr}};

template <class Task, class FamilyText, declarative_text const& Says>
constexpr task_text declarative_task_text() {
    using words = light_words<Task, FamilyText, Says>;
    std::int32_t styles = 0;
    while (Says.prompts[styles] != nullptr) {
        ++styles;
    }
    return {
        .title = Says.title,
        .summary = Says.summary,
        .category = Says.category,
        .objective = Says.objective,
        .answer_form = Says.form != nullptr ? Says.form : FamilyText::terms.form,
        .words = no_names,
        .styles = styles,
        .files = Says.files != nullptr ? Says.files : no_files,
        .prompt = words::prompt,
        .explain = words::explain,
        .picture = words::picture,
        .twins = Says.twins != nullptr ? Says.twins : FamilyText::twins,
        .can = Task::can,
        .direct = Says.direct,
        .examples = Says.examples,
        .rules = FamilyText::terms.rules,
        .code_sentences = Says.sentences,
        .layout = Task::layout,
        .check = Task::check,
        .reward = Says.reward != nullptr ? Says.reward : FamilyText::reward,
        .family = FamilyText::family,
        .tags = Says.tags,
        .rlve = Says.rlve,
        .alphabet = Says.alphabet,
        .first_letter = Says.first_letter,
        .letter_rows = Says.letter_rows,
        .expressions = Says.expressions,
        .numbers = Says.numbers,
        .expensive_steps = Says.expensive_steps,
    };
}

}  // namespace optgap
