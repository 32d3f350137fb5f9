// The real executor, as C++.

#include "host/cuda_answers.cu"
#include "host/cuda_executor.cu"
#include "host/cuda_generate.cu"
#include "host/cuda_improve.cu"
#include "host/cuda_ranks.cu"
#include "host/cuda_rewards.cu"
