#pragma once
// Texts shared by tasks with a label for each item: the answer's terms. Host only.

#include <string>

#include "kernels/families/labels/labels.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::families {

template <class Task>
struct labels_text {
    static constexpr answer_terms terms{
        .form = "[0, 1, 1, ...]",
        .shape = "one flat list with a 0 or a 1 for each place",
        .low = [](words_view) { return 0; },
        .high = [](words_view) { return 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list"},
                  {"empty", "it is not the empty list"},
                  {"wrong_length", "it has n values"},
                  {"out_of_range", "its values are 0 and 1", "the value"}},
    };
    static constexpr char const* family = "labels";
    static constexpr char const* reward = "forge";
};

}  // namespace optgap::families
