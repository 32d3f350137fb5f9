#include "kernels/tasks/sudoku/sudoku.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(sudoku)
