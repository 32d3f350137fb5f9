#include "kernels/tasks/sorting/sorting.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(sorting)
