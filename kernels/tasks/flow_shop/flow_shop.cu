#include "kernels/tasks/flow_shop/flow_shop.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(flow_shop)
