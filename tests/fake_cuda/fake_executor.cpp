// The real executor, as C++.

#include "host/cuda_executor.cu"
#include "host/cuda_ranks.cu"
