#pragma once
// Texts shared by tasks whose answers are plans: {limit}, {instance} and the rules of a plan. Host only.

#include <string>

#include "kernels/families/moves/moves.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::families {

template <class Task>
struct moves_text {
    static constexpr filler fillers[] = {
        {"limit", [](std::string& text, words_view on) { append_integer(text, Task::max_actions(on)); }},
        {"instance", [](std::string& text, words_view on) { text += layout_text(Task::layout, on); }},
    };
    static constexpr answer_terms terms{
        .form = "abc...",
        .shape = "one word of moves, or their flat list, no longer than the limit,",
        .low = [](words_view) { return 0; },
        .high = [](words_view) { return Task::world::actions() - 1; },
        .rules = {{"unparsable", "the answer is a list of moves, not a word of another kind"},
                  {"empty", "it is not the empty list"},
                  {"bad_depth", "it is one flat list"},
                  {"wrong_length", "it has at most as many moves as the limit allows"},
                  {"out_of_range", "its moves are known ones", "the move"}},
    };
    static constexpr symmetry const* twins = &no_symmetry;
    static constexpr char const* family = "moves";
    static constexpr char const* reward = "forge";
};

}  // namespace optgap::families
