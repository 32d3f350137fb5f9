#include "kernels/tasks/coloring/coloring.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(coloring)
