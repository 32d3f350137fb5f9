#include "kernels/tasks/bisection/bisection.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(bisection)
