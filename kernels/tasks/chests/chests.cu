#include "kernels/tasks/chests/chests.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(chests)
