#include "kernels/tasks/bisection/bisection.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(bisection)
