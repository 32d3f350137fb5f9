#include "kernels/tasks/subset_sum/subset_sum.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(subset_sum)
