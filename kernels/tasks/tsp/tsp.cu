#include "kernels/core/define_task.hpp"
#include "kernels/tasks/tsp/tsp.hpp"

OPTGAP_DEFINE_TASK(tsp)
