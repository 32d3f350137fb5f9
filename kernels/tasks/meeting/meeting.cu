#include "kernels/tasks/meeting/meeting.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(meeting)
