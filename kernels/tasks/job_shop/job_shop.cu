#include "kernels/tasks/job_shop/job_shop.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(job_shop)
