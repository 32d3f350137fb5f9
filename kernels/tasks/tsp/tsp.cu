#include "kernels/launch/define_task.hpp"
#include "kernels/tasks/tsp/tsp.hpp"

OPTGAP_SEARCH_APART(tsp)
OPTGAP_DEFINE_TASK(tsp)
