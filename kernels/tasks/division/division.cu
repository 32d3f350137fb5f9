#include "kernels/tasks/division/division.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(division)
