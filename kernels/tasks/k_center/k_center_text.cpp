// Texts of k_center.

#include "kernels/families/routes/weighted_edges_text.hpp"
#include "kernels/tasks/k_center/k_center.hpp"

namespace k_center_text {

using optgap::words_view;
using optgap::tasks::k_center::task;

struct words {
    static constexpr std::span<optgap::filler const> fillers = optgap::families::weighted_edges_fillers;
    static constexpr optgap::answer_terms terms{
        .form = "[a, b, c, ...]",
        .shape = "one flat list of k vertices",
        .low = [](words_view) { return 0; },
        .high = [](words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"bad_depth", "it is one flat list"},
                  {"wrong_length", "it holds k values"},
                  {"out_of_range", "its values are 0 to n - 1", "the value"},
                  {"repeated", "it holds no vertex twice", "the second"}},
    };
    static constexpr optgap::symmetry const* twins = &optgap::families::weighted_edges_symmetry;
    static constexpr char const* family = "subset";
    static constexpr char const* reward = "forge";
    /// Highlights the centres and the edges that lead to them.
    static std::string picture(char const* title, words_view on, words_view answer) {
        optgap::graph_picture drawing(title, on[0]);
        optgap::answer_view const list = optgap::view_answer(answer);
        std::vector<char> chosen(std::size_t(on[0]), 0);
        for (std::int64_t i = 0; i < list.count; ++i) {
            chosen[std::size_t(list.values[i])] = 1;
        }
        drawing.group({list.values, std::size_t(list.count)}, "chosen");
        for (bool const strong : {false, true}) {
            optgap::families::each_edge(on, [&](std::int32_t u, std::int32_t v, std::int32_t) {
                if ((chosen[std::size_t(u)] != 0 || chosen[std::size_t(v)] != 0) == strong) {
                    drawing.edge(u, v, strong ? "strong" : "line");
                }
            });
        }
        return drawing.draw();
    }
};

constexpr optgap::declarative_text says{
    .title = "Vertex k-center",
    .summary = "k vertices of a graph from which the farthest vertex is as near as possible",
    .category = "covering",
    .objective = "largest distance",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"Choose exactly {k} vertices of the undirected graph below, the centres. The distance of a vertex is the "
         "length of a shortest path from it to the nearest centre, along edges; a centre's is 0. Make the largest "
         "distance of all vertices as small as possible.\n\nThe graph has {n} vertices, 0 to {last}. Its edges with "
         "their lengths are:\n{edges}\nAnswer with the list of the {k} centres, in any order and none twice.\n",
         "Ambulances shall stand in {k} of the towns 0 to {last}, one in each. In an emergency the nearest one drives "
         "to the town by the shortest way. The roads, both ways, and what they measure:\n{roads}\nHow must the {k} "
         "towns be chosen so that the longest such drive, over all towns, is as short as can be? List the towns; any "
         "other number of them than {k} is worthless.\n",
         "Vertex k-center, k = {k}. For each vertex of a graph its neighbours, with the edge's length in "
         "brackets:\n\n{neighbours}\nGive {k} different vertices as one list. What counts is how far the vertex that "
         "lies farthest from all of them is from the nearest of them, by shortest paths: less is better.\n",
         "(u, v, length) of the cables between the machines 0 to {last} of a network:\n{pairs}\nCopies of a file are "
         "put on {k} different machines, and each machine fetches it over the shortest route from the copy that is "
         "nearest. The machine that waits longest is to wait as little as possible; a route takes as long as its "
         "cables together. Which {k} machines hold the copies?\n",
         "{instance}\n\nThe object above is an undirected graph of n vertices with edges [u, v, length], and a number "
         "k. Return a list of exactly k distinct indices of vertices that minimises the maximum, over all vertices, "
         "of the shortest path's length to the nearest vertex of the list.\n"},
    .sentences = {},
    .examples = {{R"({"n": 4, "edges": [[0, 1, 5], [1, 2, 1], [2, 3, 4]], "k": 2})", "[0, 3]", "ok", 5},
                 {"", "[2, 0]", "ok", 4},
                 {"", "[1, 3]", "ok", 5},
                 {"", "[1]", "wrong_length"},
                 {"", "[]", "wrong_length"},
                 {"", "[0, 1, 2]", "wrong_length"},
                 {"", "[0, 4]", "out_of_range"},
                 {"", "[0, 0]", "repeated"},
                 {"", "[[0], [2]]", "bad_depth"},
                 {R"({"n": 3, "edges": [[0, 1, 1], [1, 2, 1], [0, 2, 9]], "k": 1})", "[0]", "ok", 2},
                 {R"({"n": 2, "edges": [[0, 1, 3]], "k": 2})", "[1, 0]", "ok", 0},
                 {R"({"n": 2, "edges": [[0, 1, 3]], "k": 3})", "k", "refused"},
                 {R"({"n": 2, "edges": [], "k": 1})", "instance", "refused"}},
    .fillers = {{"k", [](std::string& text, words_view on) { optgap::append_integer(text, task::centres(on)); }},
                {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }}},
    .tags = {"graph", "covering", "distances"},
    .rlve = {"Vertex_KCenter"},
    .expensive_steps = 4,
};

}  // namespace k_center_text

extern optgap::task_text const optgap_text_k_center;
optgap::task_text const optgap_text_k_center =
    optgap::declarative_task_text<k_center_text::task, k_center_text::words, k_center_text::says>();
