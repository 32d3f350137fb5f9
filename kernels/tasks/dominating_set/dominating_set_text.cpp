// Texts of dominating_set.

#include "kernels/families/subset/covering_set_text.hpp"
#include "kernels/tasks/dominating_set/dominating_set.hpp"

namespace dominating_set_text {

using optgap::tasks::dominating_set::task;

constexpr optgap::declarative_text says{
    .title = "Minimum dominating set",
    .summary = "the cheapest vertices of a graph that are next to all others",
    .category = "covering",
    .objective = "total weight",
    .singular = "vertex",
    .plural = "vertices",
    .prompts =
        {"Find a set of vertices of the undirected graph below such that every vertex is in the set or has a "
         "neighbour in it, and whose total weight is as small as possible.\n\nThe graph has {n} vertices, 0 to "
         "{last}. Their weights, in this order, are {weights}. The edges are:\n{edges}\nAnswer with the list of the "
         "chosen vertices, in any order and none twice.\n",
         "Villages 0 to {last} want fire stations. A station serves its own village and those joined to it by a "
         "road; building one in village i costs the i-th of these amounts, counted from 0: "
         "{weights}.\n\nRoads:\n{pairs}\nServe every village at the least total cost and list the villages with a "
         "station.\n",
         "Minimum weight dominating set. For each vertex of a graph its neighbours:\n\n{neighbours}\nWeights of the "
         "vertices 0 to {last}: {weights}.\n\nA vertex that is neither chosen nor next to a chosen one makes the "
         "answer worthless; otherwise the lighter the chosen vertices together, the better. Give them as one list.\n",
         "{instance}\n\nThe object above is an undirected graph with a weight for each vertex. Return indices of "
         "vertices such that each vertex or one of its neighbours is in the list, with the least sum of weights.\n"},
    .sentences = {"{violation} of {violation_max} vertices are neither in the list nor next to one that is."},
    .examples = {{R"({"n": 4, "edges": [[0, 1], [1, 2], [2, 3]], "weights": [1, 5, 2, 1]})", "[0, 2]", "ok", 3},
                 {"", "[3, 0]", "ok", 2},
                 {"", "[1, 2]", "ok", 7},
                 {"", "[1]", "not_dominated"},
                 {"", "[]", "empty"},
                 {"", "[-1]", "out_of_range"},
                 {"", "[0, 0]", "repeated"},
                 {"", "[[0, 2]]", "bad_depth"},
                 {R"({"n": 2, "edges": [], "weights": [4, 5]})", "[1, 0]", "ok", 9},
                 {R"({"n": 2, "edges": [], "weights": [4]})", "weights", "refused"}},
    .tags = {"graph", "covering"},
    .rlve = {"Minimum_DominatingSet", "Minimum_DominatingSet_Grid"},
    .expensive_steps = 32,
};

}  // namespace dominating_set_text

extern optgap::task_text const optgap_text_dominating_set;
optgap::task_text const optgap_text_dominating_set =
    optgap::declarative_task_text<dominating_set_text::task, optgap::families::vertices_text<dominating_set_text::task>,
                                  dominating_set_text::says>();
