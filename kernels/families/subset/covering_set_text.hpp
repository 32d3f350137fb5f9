#pragma once
// Texts shared by tasks on a weighted graph: {n}, {last}, {edges}, {pairs}, {neighbours}, {matrix}, {weights} and
// {instance}, and a picture of the graph with the chosen vertices. Host only.

#include <string>

#include "kernels/families/subset/covering_set.hpp"
#include "kernels/text/declarative_text.hpp"
#include "kernels/text/graph_picture.hpp"
#include "kernels/text/graph_text.hpp"

namespace optgap::families {

template <class Task>
struct vertices_text {
    static constexpr filler fillers[] = {
        {"n", [](std::string& text, words_view instance) { append_integer(text, instance[0]); }},
        {"last", [](std::string& text, words_view instance) { append_integer(text, instance[0] - 1); }},
        {"edges", [](std::string& text, words_view instance) { append_edges(text, view_graph(instance), {}); }},
        {"pairs",
         [](std::string& text, words_view instance) {
             append_edges(text, view_graph(instance), {"(", ", ", ")", " "});
         }},
        {"neighbours", [](std::string& text, words_view instance) { append_neighbours(text, view_graph(instance)); }},
        {"matrix", [](std::string& text, words_view instance) { append_matrix(text, view_graph(instance)); }},
        {"weights",
         [](std::string& text, words_view instance) {
             append_list(text, instance.data + graph_words(instance[0]), instance[0]);
         }},
        {"instance",
         [](std::string& text, words_view instance) { text += layout_text(weighted_graph_layout, instance); }},
    };
    static constexpr answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list of vertices",
        .low = [](words_view) { return 0; },
        .high = [](words_view instance) { return instance[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list; the empty list is one"},
                  {"empty", Task::empty_is_wrong ? "it holds a vertex at least" : nullptr},
                  {"out_of_range", "its values are 0 to n - 1", "the value"},
                  {"repeated", "it holds no vertex twice", "the second"}},
    };
    static constexpr symmetry const* twins = &vertex_symmetry;
    static constexpr char const* family = "subset";
    static constexpr char const* reward = "forge";
    static std::string picture(char const* title, words_view instance, words_view answer) {
        graph_picture drawing(title, instance[0]);
        answer_view const list = view_answer(answer);
        drawing.group({list.values, std::size_t(list.count)}, "chosen");
        drawing.edges(instance);
        return drawing.draw();
    }
};

}  // namespace optgap::families
