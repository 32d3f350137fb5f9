#include "kernels/tasks/futoshiki/futoshiki.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(futoshiki)
