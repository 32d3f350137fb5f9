// The kernels of tsp's local search, which take most of the time that nvcc needs for the task.

#include "kernels/launch/define_task.hpp"
#include "kernels/tasks/tsp/tsp.hpp"

OPTGAP_DEFINE_SEARCH(tsp)
