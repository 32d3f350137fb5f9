#include "kernels/tasks/linear_ordering/linear_ordering.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(linear_ordering)
