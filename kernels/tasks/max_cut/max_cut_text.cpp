// Texts of max_cut.

#include <vector>

#include "kernels/families/labels/labels_text.hpp"
#include "kernels/tasks/max_cut/max_cut.hpp"
#include "kernels/text/graph_picture.hpp"

namespace optgap::text::max_cut {
std::vector<std::int32_t> read_rudy(std::string_view text);  // max_cut_files.cpp
}

namespace max_cut_text {

using optgap::words_view;
using optgap::tasks::max_cut::task;

/// Calls f(u, v, weight) for each edge, in rising order.
template <class Function>
void each_edge(words_view on, Function const& function) {
    for (std::int32_t u = 0; u < on[0]; ++u) {
        for (std::int32_t v = u + 1; v < on[0]; ++v) {
            if (std::int32_t const weight = task::row(on, u)[v]; weight != 0) {
                function(u, v, weight);
            }
        }
    }
}

/// "0-3:7", joined by `separator`.
void append_edges(std::string& text, words_view on, char const* separator) {
    std::size_t const begin = text.size();
    each_edge(on, [&](std::int32_t u, std::int32_t v, std::int32_t weight) {
        text += text.size() > begin ? separator : "";
        text += std::to_string(u) + "-" + std::to_string(v) + ":" + std::to_string(weight);
    });
    text += text.size() > begin ? "\n" : "none\n";
}

/// One line "0: 3 (7), 5 (2)" for each vertex.
void append_neighbours(std::string& text, words_view on) {
    for (std::int32_t u = 0; u < on[0]; ++u) {
        text += std::to_string(u) + ":";
        char const* before = " ";
        for (std::int32_t v = 0; v < on[0]; ++v) {
            if (std::int32_t const weight = task::row(on, u)[v]; weight != 0) {
                text += before + std::to_string(v) + " (" + std::to_string(weight) + ")";
                before = ", ";
            }
        }
        text += *before == ',' ? "\n" : " none\n";
    }
}

void append_lines(std::string& text, words_view on) {
    each_edge(on, [&](std::int32_t u, std::int32_t v, std::int32_t weight) {
        text += std::to_string(u) + " " + std::to_string(v) + " " + std::to_string(weight) + "\n";
    });
}

struct words : optgap::families::labels_text<task> {
    static constexpr optgap::filler fillers[] = {
        {"n", [](std::string& text, words_view on) { optgap::append_integer(text, on[0]); }},
        {"last", [](std::string& text, words_view on) { optgap::append_integer(text, on[0] - 1); }},
        {"edges", [](std::string& text, words_view on) { append_edges(text, on, ", "); }},
        {"spaced", [](std::string& text, words_view on) { append_edges(text, on, " "); }},
        {"neighbours", append_neighbours},
        {"lines", append_lines},
        {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }},
    };
    /// Draws the sides next to each other, with cut edges highlighted.
    static std::string picture(char const* title, words_view on, words_view answer) {
        optgap::graph_picture drawing(title, on[0]);
        auto const list = optgap::view_answer(answer);
        bool const split = list.count == on[0];
        std::vector<std::int32_t> one;
        for (std::int32_t u = 0; split && u < on[0]; ++u) {
            if (list.values[u] == 1) {
                one.push_back(u);
            }
        }
        drawing.group(one, "chosen");
        for (bool const cut : {false, true}) {
            each_edge(on, [&](std::int32_t u, std::int32_t v, std::int32_t) {
                if ((split && list.values[u] != list.values[v]) == cut) {
                    drawing.edge(u, v, cut ? "cut" : "line");
                }
            });
        }
        return drawing.draw();
    }
    static constexpr optgap::symmetry const* twins = nullptr;
};

constexpr optgap::symmetry relabels{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex", ""}}},
    .answer = {.rows = "vertex"},
};

constexpr optgap::file_format files[] = {{".mc", optgap::text::max_cut::read_rudy},
                                         {".rud", optgap::text::max_cut::read_rudy},
                                         {".txt", optgap::text::max_cut::read_rudy},
                                         {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Maximum cut",
    .summary = "two sides of a graph with the most weight on the edges between them",
    .category = "graph partitioning",
    .objective = "weight of the edges between the sides",
    .singular = "side",
    .plural = "sides",
    .prompts =
        {"Give each vertex of the weighted undirected graph below a side, 0 or 1, so that the edges whose ends have "
         "different sides weigh as much as possible together.\n\nThe graph has {n} vertices, 0 to {last}. Its edges, "
         "each as u-v:weight, are:\n{edges}\nAnswer with one list of {n} sides: that of vertex 0 first, that of "
         "vertex {last} last. Any assignment is allowed; the heavier the cut, the better.\n",
         "The {n} members of a club, 0 to {last}, form two teams, 0 and 1, of whatever sizes, for a contest. A line "
         "'a b f' below says that members a and b like to play against each other, with f points of fun when they are "
         "in different teams and none when they are in the same one.\n\n{lines}\nMake the total fun as large as you "
         "can. List the team of each member, from member 0 to member {last}.\n",
         "Max-cut. Vertices and their neighbours, the weight of the edge in brackets:\n\n{neighbours}\nSplit the "
         "vertices into class 0 and class 1 to maximise the total weight of edges across, counting each edge once. "
         "Write the {n} classes in vertex order as one list of zeros and ones.\n",
         "Maximise, over x in {{0,1}^{n}, the sum of w over all terms u-v:w below with x[u] != x[v]. Indices count "
         "from 0.\n\n{spaced}\nReturn x as a list.\n",
         "Two radio channels, 0 and 1, are shared by {n} stations, 0 to {last}. Stations that disturb each other, "
         "with the strength of it in brackets:\n\n{neighbours}\nA disturbance is removed when its two stations use "
         "different channels. Remove as much strength as possible in total, and list the channel of every station in "
         "the order of their numbers.\n",
         "{instance}\n\nIn the object above each entry of `edges` is [u, v, weight] of an undirected graph on vertices "
         "0 to n - 1. Return a list of n values 0 or 1, one for each vertex, such that the sum of the weights of edges "
         "whose ends have different values is as large as possible.\n"},
    .sentences = {},
    .examples = {{R"({"n": 3, "edges": [[0, 1, 3], [1, 2, 2], [0, 2, 1]]})", "[0, 1, 0]", "ok", 5},
                 {"", "[1, 0, 1]", "ok", 5},
                 {"", "[0, 1, 1]", "ok", 4},
                 {"", "[0, 0, 0]", "ok", 0},
                 {"", "[0, 1, 2]", "out_of_range"},
                 {"", "[0, -1, 1]", "out_of_range"},
                 {"", "[0, 1]", "wrong_length"},
                 {"", "[0, 1, 0, 1]", "wrong_length"},
                 {"", "[[0], [1], [0]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"n": 2, "edges": []})", "[1, 1]", "ok", 0},
                 {R"({"n": 2, "edges": [[0, 2, 1]]})", "edges[0][1]", "refused"},
                 {R"({"n": 2, "edges": [[0, 1]]})", "edges[0]", "refused"},
                 {R"({"n": 3, "edges": [[0, 1, 3], [1, 2, -2], [0, 2, -1]]})", "[0, 1, 1]", "ok", 2},
                 {"", "[0, 0, 1]", "ok", -3},
                 {R"({"n": 2, "edges": [[0, 1, -2147483648]]})", "edges[0][2]", "refused"}},
    .twins = &relabels,
    .tags = {"graph", "partitioning"},
    .expensive_steps = 1024,
    .files = files,
};

}  // namespace max_cut_text

extern optgap::task_text const optgap_text_max_cut;
optgap::task_text const optgap_text_max_cut =
    optgap::declarative_task_text<max_cut_text::task, max_cut_text::words, max_cut_text::says>();
