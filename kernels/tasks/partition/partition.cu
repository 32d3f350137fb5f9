#include "kernels/tasks/partition/partition.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK_WITH_MOVES(partition)
