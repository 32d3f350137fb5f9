#include "kernels/tasks/sorting/sorting.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(sorting)
