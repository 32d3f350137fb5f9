// Texts of graph_isomorphism.

#include "kernels/families/order/order_text.hpp"
#include "kernels/tasks/graph_isomorphism/graph_isomorphism.hpp"
#include "kernels/text/graph_picture.hpp"
#include "kernels/text/graph_text.hpp"

namespace graph_isomorphism_text {

using optgap::tasks::graph_isomorphism::first_graph;
using optgap::tasks::graph_isomorphism::second_graph;
using optgap::tasks::graph_isomorphism::task;

/// The vertices of each graph may be renamed separately.
constexpr optgap::symmetry relabels{
    .axes = {{.name = "vertex", .count = "n"}, {.name = "image", .count = "n"}},
    .fields = {{.name = "edges1", .names = {"vertex", "vertex"}}, {.name = "edges2", .names = {"image", "image"}}},
    .answer = {.rows = "vertex", .names = {"image"}},
};

/// The second graph on a ring, ordered by the images of 0, 1, … of the first graph; the edges landed on are
/// highlighted.
std::string draw_images(char const* title, optgap::words_view on, optgap::words_view answer) {
    optgap::graph_view const first = first_graph(on);
    optgap::graph_view const second = second_graph(on);
    optgap::answer_view const images = optgap::view_answer(answer);
    optgap::graph_picture drawing(title, second.n);
    auto const each_edge = [](optgap::graph_view graph, auto const& function) {
        for (std::int32_t u = 0; u < graph.n; ++u) {
            for (std::int32_t v = u + 1; v < graph.n; ++v) {
                if (graph.adjacent(u, v)) {
                    function(u, v);
                }
            }
        }
    };
    each_edge(second, [&](std::int32_t u, std::int32_t v) { drawing.edge(u, v); });
    if (images.count == first.n) {
        drawing.group({images.values, std::size_t(images.count)}, "chosen");
        each_edge(first, [&](std::int32_t u, std::int32_t v) {
            if (second.adjacent(images.values[u], images.values[v])) {
                drawing.edge(images.values[u], images.values[v], "strong");
            }
        });
    }
    drawing.note("The second graph, images of 0, 1, ... from the top; strong where edges land.");
    return drawing.draw();
}

struct words : optgap::families::order_text<task> {
    static constexpr optgap::symmetry const* twins = &relabels;
    static constexpr optgap::filler fillers[] = {
        {"n", [](std::string& text, optgap::words_view on) { optgap::append_integer(text, on[0]); }},
        {"last", [](std::string& text, optgap::words_view on) { optgap::append_integer(text, on[0] - 1); }},
        {"instance", [](std::string& text, optgap::words_view on) { text += optgap::layout_text(task::layout, on); }},
        {"edges1", [](std::string& text, optgap::words_view on) { optgap::append_edges(text, first_graph(on), {}); }},
        {"edges2", [](std::string& text, optgap::words_view on) { optgap::append_edges(text, second_graph(on), {}); }},
        {"lists1", [](std::string& text, optgap::words_view on) { optgap::append_neighbours(text, first_graph(on)); }},
        {"lists2", [](std::string& text, optgap::words_view on) { optgap::append_neighbours(text, second_graph(on)); }},
        {"matrix1", [](std::string& text, optgap::words_view on) { optgap::append_matrix(text, first_graph(on)); }},
        {"matrix2", [](std::string& text, optgap::words_view on) { optgap::append_matrix(text, second_graph(on)); }},
    };
    static std::string picture(char const* title, optgap::words_view on, optgap::words_view answer) {
        return draw_images(title, on, answer);
    }
};

constexpr optgap::declarative_text says{
    .title = "Graph isomorphism",
    .summary = "the vertices of one graph onto those of another so that all edges land on edges, or as many as can",
    .category = "graph matching",
    .objective = "number of edges that land on edges",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"Two graphs G and H both have the vertices 0 to {last} and equally many edges.\n\nEdges of G: {edges1}\n"
         "Edges of H: {edges2}\n"
         "Find an isomorphism: give every vertex v of G an image f(v) in H, different vertices different images, so "
         "that for each edge u-v of G there is an edge f(u)-f(v) of H. If you find none, let as many edges of G as you "
         "can land on edges of H in this way. Answer with the list f(0), f(1), ..., f({last}).\n",
         "Two diaries tell who of {n} people knew whom. Both speak of the same {n} people, but each writer numbered "
         "them 0 to {last} in an order of their own. In the first diary each person knew these:\n\n{lists1}\nIn the "
         "second diary:\n\n{lists2}\nFind out who is who: for each number of the first diary, from 0 on, write the "
         "number that the second one uses, each exactly once. As many as possible of the acquaintances in the first "
         "diary must be found between the same two people in the second, best all of them.\n",
         "Below are two symmetric 0/1 matrices A and B, whose rows and columns count from 0 to "
         "{last}.\n\nA:\n{matrix1}\n"
         "B:\n{matrix2}\nFor a permutation p, count the pairs i < j with A[i][j] = 1 and B[p[i]][p[j]] = 1. Find a p "
         "with the largest count; no p can exceed the number of pairs with A[i][j] = 1, and one that reaches it shows "
         "that A and B are the same up to the order of their rows and columns. Write p[0], p[1], ..., p[{last}] as one "
         "list.\n",
         "A circuit board with {n} contacts (0 to {last}) was copied, and the copy's contacts were numbered anew.\n\n"
         "Wires of the original: {edges1}\nWires of the copy: {edges2}\n"
         "Lay the original onto the copy, contact on contact, so that as many of its wires as possible cover a wire of "
         "the copy; a perfect fit covers them all. The answer is a list of {n} numbers: at place k, counted from 0, "
         "the contact of the copy under contact k of the original. No contact is used twice.\n",
         "Maximum edge-preserving bijection between two graphs with {n} vertices each, given as neighbour lists.\n\n"
         "First graph:\n{lists1}\nSecond graph:\n{lists2}\nMaximise the number of edges of the first graph whose two "
         "ends go to adjacent vertices of the second. Output the images of vertices 0, 1, ..., {last} in this order, a "
         "permutation of 0 to {last}.\n",
         "{instance}\n\nThe object above holds two undirected graphs on the vertices 0 to n - 1. Return a list of all "
         "vertices, each exactly once, whose entry at place v, counted from 0, is the vertex of the second graph "
         "(`edges2`) that vertex v of the first (`edges1`) goes to. The more entries [u, v] of `edges1` become an edge "
         "of the second graph, in whatever order of its ends, the better; all of them, if that can be.\n"},
    .sentences = {},
    .examples = {{R"({"n": 4, "edges1": [[0, 1], [1, 2], [2, 3]], "edges2": [[0, 2], [0, 3], [1, 3]]})", "[2, 0, 3, 1]",
                  "ok", 3},
                 {"", "[1, 3, 0, 2]", "ok", 3},
                 {"", "[0, 1, 2, 3]", "ok", 0},
                 {"", "[0, 2, 3, 1]", "ok", 2},
                 {"", "[2, 0, 3]", "wrong_length"},
                 {"", "[2, 0, 3, 1, 2]", "wrong_length"},
                 {"", "[2, 0, 4, 1]", "out_of_range"},
                 {"", "[2, 0, 3, 2]", "repeated"},
                 {"", "[[2, 0], [3, 1]]", "bad_depth"},
                 {"", "[]", "empty"},
                 {R"({"n": 4, "edges1": [[0, 1], [0, 2], [0, 3]], "edges2": [[0, 1], [1, 2], [2, 3]]})", "[1, 0, 2, 3]",
                  "ok", 2},
                 {R"({"n": 2, "edges1": [], "edges2": []})", "[0, 1]", "ok", 0},
                 {R"({"n": 3, "edges1": [[0, 1]], "edges2": [[0, 3]]})", "edges2[0][1]", "refused"},
                 {R"({"n": 3, "edges1": [[1, 1]], "edges2": [[0, 1]]})", "edges1[0]", "refused"},
                 {R"({"n": 3, "edges1": [[0, 1], [1, 2]], "edges2": [[0, 1]]})", "instance", "refused"},
                 {R"({"n": 1001, "edges1": [], "edges2": []})", "instance", "refused"},
                 {R"({"n": 3, "edges1": [[0, 1]]})", "edges2", "refused"}},
    .tags = {"graph", "permutation", "matching"},
    .rlve = {"GraphIsomorphism"},
    .reward = "power",
};

}  // namespace graph_isomorphism_text

extern optgap::task_text const optgap_text_graph_isomorphism;
optgap::task_text const optgap_text_graph_isomorphism =
    optgap::declarative_task_text<graph_isomorphism_text::task, graph_isomorphism_text::words,
                                  graph_isomorphism_text::says>();
