#include "kernels/tasks/coin_change/coin_change.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(coin_change)
