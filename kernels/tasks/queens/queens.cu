#include "kernels/tasks/queens/queens.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(queens)
