#include "kernels/tasks/weighted_tardiness/weighted_tardiness.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(weighted_tardiness)
