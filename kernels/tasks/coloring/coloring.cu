#include "kernels/tasks/coloring/coloring.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(coloring)
