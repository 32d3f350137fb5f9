#include "tasks/downhill/downhill.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(downhill)
