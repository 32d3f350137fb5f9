#include "kernels/tasks/sudoku/sudoku.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_LIGHT_TASK(sudoku)
