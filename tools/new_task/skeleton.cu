#include "kernels/tasks/skeleton/skeleton.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(skeleton)
