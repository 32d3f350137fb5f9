#include "kernels/tasks/clique/clique.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(clique)
