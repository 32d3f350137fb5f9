#include "kernels/tasks/multiplication/multiplication.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(multiplication)
