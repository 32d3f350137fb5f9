#include "kernels/tasks/flow_shop/flow_shop.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(flow_shop)
