#include "kernels/tasks/vehicle_routing/vehicle_routing.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(vehicle_routing)
