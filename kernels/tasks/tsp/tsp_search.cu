// The kernels of tsp's local search: most of what nvcc takes for the task.

#include "kernels/launch/define_task.hpp"
#include "kernels/tasks/tsp/tsp.hpp"

OPTGAP_DEFINE_SEARCH(tsp)
