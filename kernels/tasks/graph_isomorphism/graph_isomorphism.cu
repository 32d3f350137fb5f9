#include "kernels/tasks/graph_isomorphism/graph_isomorphism.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(graph_isomorphism)
