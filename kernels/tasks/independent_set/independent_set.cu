#include "kernels/tasks/independent_set/independent_set.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(independent_set)
