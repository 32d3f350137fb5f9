#include "kernels/tasks/bin_packing/bin_packing.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(bin_packing)
