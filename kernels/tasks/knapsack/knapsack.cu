#include "kernels/tasks/knapsack/knapsack.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(knapsack)
