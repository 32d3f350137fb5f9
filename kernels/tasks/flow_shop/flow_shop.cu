#include "kernels/tasks/flow_shop/flow_shop.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK_WITH_MOVES(flow_shop)
