#include "kernels/tasks/max_sat/max_sat.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(max_sat)
