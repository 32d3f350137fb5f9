#include "kernels/tasks/meeting/meeting.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(meeting)
