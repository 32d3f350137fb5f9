#include "kernels/tasks/hamiltonian/hamiltonian.hpp"

#include "kernels/core/define_task.hpp"

OPTGAP_DEFINE_TASK(hamiltonian)
