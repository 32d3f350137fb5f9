// Texts of vertex_cover.

#include "kernels/families/subset/covering_set_text.hpp"
#include "kernels/tasks/vertex_cover/vertex_cover.hpp"

namespace vertex_cover_text {

using optgap::tasks::vertex_cover::task;

constexpr optgap::declarative_text says{
    .title = "Minimum vertex cover",
    .summary = "the cheapest vertices that touch every edge of a graph",
    .category = "covering",
    .objective = "total weight",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"Find a set of vertices of the undirected graph below that contains at least one end of every edge and "
         "whose total weight is as small as possible.\n\nThe graph has {n} vertices, 0 to {last}. Their weights, in "
         "this order, are {weights}. The edges are:\n{edges}\nAnswer with the list of the chosen vertices, in any "
         "order and none twice.\n",
         "Guards stand at crossings and each watches all streets that meet there. The crossings are 0 to {last}; "
         "hiring a guard for crossing i costs the i-th of these amounts, counted from 0: {weights}.\n\nStreets "
         "between crossings:\n{pairs}\nHave every street watched at the least total cost and list the crossings with "
         "a guard.\n",
         "Minimum weight vertex cover. For each vertex of a graph its neighbours:\n\n{neighbours}\nWeights of the "
         "vertices 0 to {last}: {weights}.\n\nIf two neighbours are both left out, the answer counts for nothing; "
         "otherwise the lighter the chosen vertices together, the better. Give them as one list.\n",
         "{instance}\n\nThe object above is an undirected graph with a weight for each vertex. Return indices of "
         "vertices such that each edge has an index in the list, with the least sum of weights.\n"},
    .sentences = {"{violation} of {violation_max} edges have neither end in the list."},
    .examples = {{R"({"n": 4, "edges": [[0, 1], [1, 2], [2, 3]], "weights": [1, 1, 9, 1]})", "[1, 3]", "ok", 2},
                 {"", "[2, 0]", "ok", 10},
                 {"", "[1, 2]", "ok", 10},
                 {"", "[0, 3]", "uncovered_edge"},
                 {"", "[]", "uncovered_edge"},
                 {"", "[4, 1]", "out_of_range"},
                 {"", "[1, 3, 1]", "repeated"},
                 {"", "[[1], [3]]", "bad_depth"},
                 {R"({"n": 3, "edges": [], "weights": [1, 1, 1]})", "[]", "ok", 0},
                 {R"({"n": 2, "edges": [[0, 1]], "weights": [1, 0]})", "weights[1]", "refused"},
                 {R"({"n": 2, "edges": [[0, 2]], "weights": [1, 1]})", "edges[0][1]", "refused"}},
    .tags = {"graph", "covering"},
    .rlve = {"Minimum_VertexCover"},
    .expensive_steps = 32,
};

}  // namespace vertex_cover_text

extern optgap::task_text const optgap_text_vertex_cover;
optgap::task_text const optgap_text_vertex_cover =
    optgap::declarative_task_text<vertex_cover_text::task, optgap::families::vertices_text<vertex_cover_text::task>,
                                  vertex_cover_text::says>();
