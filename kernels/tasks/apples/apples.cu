#include "kernels/tasks/apples/apples.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(apples)
