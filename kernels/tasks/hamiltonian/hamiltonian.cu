#include "kernels/tasks/hamiltonian/hamiltonian.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_TASK(hamiltonian)
