#include "kernels/tasks/vertex_cover/vertex_cover.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES(vertex_cover)
