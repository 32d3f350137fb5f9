#include "kernels/tasks/coin_change/coin_change.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(coin_change)
