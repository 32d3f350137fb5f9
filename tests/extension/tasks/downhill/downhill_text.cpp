// What downhill says.

#include "kernels/families/subset/covering_set_text.hpp"
#include "tasks/downhill/downhill.hpp"

namespace downhill_text {

using optgap::tasks::downhill::task;

constexpr optgap::declarative_text says{
    .title = "Cheapest springs",
    .summary = "the cheapest springs from which water reaches every village",
    .category = "covering",
    .objective = "total cost",
    .singular = "village",
    .plural = "villages",
    .prompts = {"Water flows along each road from the village with the lower number to the other one, one road far. "
                "There are {n} villages, 0 to {last}; a spring in each costs, in this order, {weights}. "
                "Roads:\n{edges}\nList the villages that get a spring, so that every village has one or gets water, at "
                "the least total cost.\n",
                "Springs in villages 0 to {last} cost {weights}. A spring waters its village and the neighbours with "
                "higher numbers:\n{pairs}\nWater all for the least total cost and list the springs.\n",
                "{instance}\n\nReturn indices such that each vertex or a neighbour with a lower index is in the list, "
                "with the least sum of weights.\n"},
    .sentences = {"{violation} of {violation_max} villages have no water."},
    .examples = {{R"({"n": 3, "edges": [[0, 1], [1, 2]], "weights": [1, 9, 2]})", "[0, 2]", "ok", 3},
                 {"", "[1]", "dry"}},
    .tags = {"graph", "covering"},
};

}  // namespace downhill_text

extern optgap::task_text const optgap_text_downhill;
optgap::task_text const optgap_text_downhill =
    optgap::declarative_task_text<downhill_text::task, optgap::families::vertices_text<downhill_text::task>,
                                  downhill_text::says>();
