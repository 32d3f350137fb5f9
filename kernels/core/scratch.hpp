#pragma once
// What task code says of its scratch and its small arrays so that nvcc makes good code of them; other compilers need
// none of it.

#include "kernels/core/hd.hpp"

// OPTGAP_UNROLL stands before a loop over a small array that is to be registers: what is indexed at run time lies in
// memory.
#ifdef __CUDACC__
#define OPTGAP_UNROLL _Pragma("unroll")
#else
#define OPTGAP_UNROLL
#endif

OPTGAP_KERNELS_BEGIN

/// Whether a team's scratch is known to lie in a GPU's shared memory.
template <class Team>
inline constexpr bool scratch_is_shared = requires {
    Team::shared_scratch;
};

/// For scratch_pointer, which takes what it points to by name: as an argument of a template, a type that may alias
/// others would lose that.
template <class T>
struct plain_cell {
    using cell = T;
};

/// A pointer into scratch, to `Cell::cell`. Where `Shared`, nvcc takes the instructions of shared memory for what is
/// read and written through it, not those that find out at run time where an address lies.
template <class Cell, bool Shared>
struct scratch_pointer {
    using cell = typename Cell::cell;
    cell* at = nullptr;

    OPTGAP_HD operator cell*() const {
#ifdef __CUDA_ARCH__
        if constexpr (Shared) {
            __builtin_assume(__isShared(at));
        }
#endif
        return at;
    }
};

OPTGAP_KERNELS_END
