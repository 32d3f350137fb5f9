#include "kernels/tasks/sliding_puzzle/sliding_puzzle.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(sliding_puzzle)
