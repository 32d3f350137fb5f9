#include "kernels/tasks/euclid_game/euclid_game.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(euclid_game)
