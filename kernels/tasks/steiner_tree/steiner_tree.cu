#include "kernels/tasks/steiner_tree/steiner_tree.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(steiner_tree)
