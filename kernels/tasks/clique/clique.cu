#include "kernels/tasks/clique/clique.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(clique)
