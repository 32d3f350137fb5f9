// Texts of steiner_tree.

#include "kernels/families/routes/weighted_edges_text.hpp"
#include "kernels/tasks/steiner_tree/steiner_tree.hpp"

namespace optgap::text::steiner_tree {
std::vector<std::int32_t> read_stp(std::string_view text);  // steiner_tree_files.cpp
}

namespace steiner_tree_text {

using optgap::words_view;
using optgap::tasks::steiner_tree::task;

struct words {
    static constexpr std::span<optgap::filler const> fillers = optgap::families::weighted_edges_fillers;
    static constexpr optgap::answer_terms terms{
        .form = "[[a, b], [c, d], ...]",
        .shape = "a list of edges, each a list of two vertices,",
        .low = [](words_view) { return 0; },
        .high = [](words_view on) { return on[0] - 1; },
        .rules = {{"unparsable", "the answer is a list, not a word"},
                  {"empty", "it holds an edge at least"},
                  {"bad_depth", "it is a list of lists"},
                  {"wrong_length", "each of its lists holds two values"},
                  {"out_of_range", "its values are 0 to n - 1", "the value"}},
    };
    static constexpr optgap::symmetry const* twins = &optgap::families::weighted_edges_symmetry;
    static constexpr char const* family = "routes";
    static constexpr char const* reward = "forge";
    /// Highlights terminals and chosen edges.
    static std::string picture(char const* title, words_view on, words_view answer) {
        optgap::graph_picture drawing(title, on[0]);
        auto const ends = task::terminals(on);
        drawing.group({ends.vertex, std::size_t(ends.count)}, "chosen");
        optgap::families::each_edge(on,
                                    [&](std::int32_t u, std::int32_t v, std::int32_t) { drawing.edge(u, v, "line"); });
        optgap::answer_view const tree = optgap::view_answer(answer);
        for (std::int32_t r = 0; r < tree.row_count(); ++r) {
            drawing.edge(tree.values[2 * r], tree.values[2 * r + 1], "strong");
        }
        return drawing.draw();
    }
};

constexpr optgap::file_format files[] = {{".stp", optgap::text::steiner_tree::read_stp}, {nullptr, nullptr}};

constexpr optgap::declarative_text says{
    .title = "Minimum Steiner tree",
    .summary = "edges of least total weight that join given vertices of a graph",
    .category = "path planning",
    .objective = "total weight",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"Choose edges of the undirected graph below such that any two of its terminals are joined by a path of "
         "chosen edges, and whose total weight is as small as possible. Paths may run through other vertices.\n\nThe "
         "graph has {n} vertices, 0 to {last}. The terminals are {terminals}. The edges with their weights "
         "are:\n{edges}\nAnswer with the list of the chosen edges, each as its two vertices, in any order. An edge "
         "given twice is paid twice.\n",
         "The towns {terminals} are to have one power grid. Lines can be built along these ways, also through towns "
         "and posts (all numbered from 0 to {last}) that need no power themselves:\n{roads}\nBuild as few kilometres "
         "as you can so that current flows between all of the towns named above. List the ways with a line as pairs "
         "of their two ends; every entry is built and counted.\n",
         "Minimum Steiner tree. Terminals: {terminals}. For each vertex of the graph its neighbours, with the edge's "
         "weight in brackets:\n\n{neighbours}\nGive edges as pairs [u, v]. Unless they connect all terminals the "
         "answer counts for nothing; otherwise the lighter they are together, the better.\n",
         "Rooms 0 to {last} of a building can be linked by cables; (u, v, price) says what one between u and v "
         "costs:\n{pairs}\nThere are computers in the rooms {terminals}, and each must reach each other one over "
         "cables, through any rooms. Which pairs of rooms do you link to pay the least altogether? Links that are "
         "listed are paid, also when they are not needed.\n",
         "{instance}\n\nThe object above is an undirected graph of n vertices with edges [u, v, weight] and a list of "
         "terminals. Return a list of pairs [u, v], edges of the graph, such that all terminals lie in one connected "
         "component of these edges, with the least sum of weights.\n"},
    .sentences = {"{violation} of {violation_max} pairs are no edges of the graph, the first at position {where}.",
                  "The edges leave the terminals in {violation} parts too many."},
    .examples =
        {{R"({"n": 4, "edges": [[0, 1, 4], [1, 2, 4], [0, 3, 2], [1, 3, 2], [2, 3, 2]], "terminals": [0, 1, 2]})",
          "[[0, 1], [1, 2]]", "ok", 8},
         {"", "[[3, 0], [1, 3], [2, 3]]", "ok", 6},
         {"", "[[0, 1], [2, 1], [1, 0]]", "ok", 12},
         {"", "[[0, 1], [0, 3], [1, 3], [1, 2]]", "ok", 12},
         {"", "[[0, 2], [1, 2]]", "no_edge"},
         {"", "[[1, 1], [1, 2]]", "no_edge"},
         {"", "[[0, 1], [2, 3]]", "not_connected"},
         {"", "[]", "empty"},
         {"", "[0, 1, 1, 2]", "bad_depth"},
         {"", "[[0, 1, 2]]", "wrong_length"},
         {"", "[[0, 1], [1, 4]]", "out_of_range"},
         {R"({"n": 3, "edges": [[0, 1, 5], [1, 2, 7]], "terminals": [2, 0]})", "[[1, 2], [0, 1]]", "ok", 12},
         {R"({"n": 3, "edges": [[0, 1, 5], [1, 2, 7]], "terminals": [2, 2]})", "instance", "refused"},
         {R"({"n": 3, "edges": [[0, 1, 5]], "terminals": [0, 1]})", "instance", "refused"},
         {R"({"n": 2, "edges": [[0, 1, 5]], "terminals": [0, 2]})", "terminals[1]", "refused"}},
    .fillers = {{"terminals",
                 [](std::string& text, words_view on) {
                     auto const ends = task::terminals(on);
                     for (std::int32_t k = 0; k < ends.count; ++k) {
                         text += k == 0 ? "" : k + 1 == ends.count ? " and " : ", ";
                         optgap::append_integer(text, ends.vertex[k]);
                     }
                 }},
                {"instance", [](std::string& text, words_view on) { text += optgap::layout_text(task::layout, on); }}},
    .tags = {"graph", "tree", "distances"},
    .rlve = {"MinimumSteinerTree"},
    .expensive_steps = 16,
    .files = files,
};

}  // namespace steiner_tree_text

extern optgap::task_text const optgap_text_steiner_tree;
optgap::task_text const optgap_text_steiner_tree =
    optgap::declarative_task_text<steiner_tree_text::task, steiner_tree_text::words, steiner_tree_text::says>();
