#include "kernels/tasks/dominating_set/dominating_set.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(dominating_set)
