#include "kernels/tasks/skeleton/skeleton.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(skeleton)
