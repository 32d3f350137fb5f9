// A fake launch table for every task. It takes the place of the one nvcc makes of the task's .cu.

#include "task_headers.hpp"
#include "tests/fake_cuda/fake_kernels.hpp"

OPTGAP_FOR_EACH_TASK(OPTGAP_FAKE_TABLE)
