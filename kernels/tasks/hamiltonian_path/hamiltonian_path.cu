#include "kernels/tasks/hamiltonian_path/hamiltonian_path.hpp"

#include "kernels/launch/define_task.hpp"

OPTGAP_DEFINE_DECLARATIVE_TASK(hamiltonian_path)
