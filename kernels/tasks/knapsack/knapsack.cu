#include "kernels/tasks/knapsack/knapsack.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(knapsack)
