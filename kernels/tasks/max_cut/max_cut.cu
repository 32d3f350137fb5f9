#include "kernels/tasks/max_cut/max_cut.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(max_cut)
