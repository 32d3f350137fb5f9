#include "kernels/tasks/pairs/pairs.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(pairs)
