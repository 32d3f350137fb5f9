#pragma once
// Texts shared by tasks about clauses: {n}, {m}, {logic}, {words}, {signed}, {dimacs} and {instance}, each with the
// clauses' weights if there are any, and a picture. Host only.

#include <string>

#include "kernels/families/labels/clauses.hpp"
#include "kernels/families/labels/labels_text.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::families {

/// How a clause is written: the weight or "hard", then `after_weight`, then the literals.
struct clause_style {
    char const* after_weight;
    char const* positive;  ///< before the variable's number
    char const* negative;
    char const* between;
    char const* begin;
    char const* end;
};

inline void append_clauses(std::string& text, search::clause_set const& set, clause_style const& style,
                           char const* separator) {
    for (std::int64_t c = 0; c < set.m; ++c) {
        text += c > 0 ? separator : "";
        if (set.weights != nullptr) {
            text += set.is_hard(c) ? "hard" : std::to_string(set.weights[c]);
            text += style.after_weight;
        }
        text += style.begin;
        for (std::int32_t i = 0; i < set.length(c); ++i) {
            std::int32_t const literal = set.clause(c)[i];
            text += i > 0 ? style.between : "";
            text += literal > 0 ? style.positive : style.negative;
            text += std::to_string(literal > 0 ? literal : -literal);
        }
        text += style.end;
    }
    text += "\n";
}

/// A row of literals for each clause, eight clauses a line; true literals are highlighted.
inline std::string draw_clauses(char const* title, search::clause_set const& set, words_view answer) {
    constexpr std::int32_t a_line = 8;
    constexpr double wide = 30;
    constexpr double high = 20;
    answer_view const given = view_answer(answer);
    bool const labelled = given.count == set.n;
    double const whole = wide * set.k + (set.weights != nullptr ? 28 : 10);
    svg out(whole * (set.m < a_line ? set.m : a_line) + 4, (high + 8) * ((set.m + a_line - 1) / a_line) + 4, title);
    for (std::int32_t c = 0; c < set.m; ++c) {
        point const corner{2 + whole * (c % a_line), 2 + (high + 8) * (c / a_line)};
        for (std::int32_t i = 0; i < set.length(c); ++i) {
            std::int32_t const literal = set.clause(c)[i];
            bool const holds =
                labelled && given.values[(literal > 0 ? literal : -literal) - 1] == (literal > 0 ? 1 : 0);
            out.rectangle({corner.x + wide * i, corner.y}, wide, high, holds ? "chosen" : "vertex");
            out.text({corner.x + wide * i + wide / 2, corner.y + 14}, std::to_string(literal), holds ? "on" : "inside",
                     text_anchor::middle);
        }
        if (set.weights != nullptr) {
            out.text({corner.x + wide * set.k + 12, corner.y + 14},
                     set.is_hard(c) ? "hard" : std::to_string(set.weights[c]), "inside", text_anchor::middle);
        }
    }
    return out.finish();
}

/// Variables may be renamed: literals name them from 1 on, with a sign. The order of the clauses has no meaning;
/// weights, if any, move with their clauses.
inline constexpr label_axis variable_axis{.name = "variable", .count = "n", .first = 1, .negated = true};
inline constexpr symmetry clause_symmetry{
    .axes = {variable_axis},
    .fields = {{.name = "clauses", .names = {"variable"}}},
    .answer = {.rows = "variable"},
};
inline constexpr symmetry weighted_clause_symmetry{
    .axes = {variable_axis, {.name = "clause", .count = "clauses"}},
    .fields = {{.name = "clauses", .rows = "clause", .names = {"variable"}},
               {.name = "weights", .rows = "clause"},
               {.name = "hard", .rows = "clause"}},
    .answer = {.rows = "variable"},
};

template <class Task>
struct clauses_text : labels_text<Task> {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view on) { append_integer(text, on[0]); }},
        {"m", [](std::string& text, words_view on) { append_integer(text, on[1]); }},
        {"logic",
         [](std::string& text, words_view on) {
             append_clauses(text, Task::clauses(on), {" ", "x", "~x", " | ", "(", ")"}, "\n");
         }},
        {"words",
         [](std::string& text, words_view on) {
             append_clauses(text, Task::clauses(on), {": ", "", "not ", ", ", "", ""}, "\n");
         }},
        {"signed",
         [](std::string& text, words_view on) {
             append_clauses(text, Task::clauses(on), {": ", "+", "-", " ", "", ""}, "\n");
         }},
        {"dimacs",
         [](std::string& text, words_view on) {
             append_clauses(text, Task::clauses(on), {" ", "", "-", " ", "", " 0"}, "\n");
         }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static std::string picture(char const* title, words_view on, words_view answer) {
        return draw_clauses(title, Task::clauses(on), answer);
    }
    static constexpr symmetry const* twins = Task::layout.size() > std::size(clauses_layout) ? &weighted_clause_symmetry
                                                                                             : &clause_symmetry;
};

}  // namespace optgap::families
