// The kernels that all tasks without a search share.

#include "kernels/launch/launch.cuh"

template struct optgap::search_launches<optgap::no_search>;
