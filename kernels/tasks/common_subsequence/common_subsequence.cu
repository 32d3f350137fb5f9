#include "kernels/tasks/common_subsequence/common_subsequence.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(common_subsequence)
