#include "kernels/tasks/set_cover/set_cover.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(set_cover)
