#include "kernels/tasks/orienteering/orienteering.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(orienteering)
