#include "kernels/tasks/countdown/countdown.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(countdown)
