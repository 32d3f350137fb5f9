#include "kernels/tasks/nonogram/nonogram.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(nonogram)
