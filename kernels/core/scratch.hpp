#pragma once
// Declarations that help nvcc to compile good code for a task's scratch and small arrays. Other compilers need none of
// them.

#include <cstddef>
#include <cstdint>

#include "kernels/core/hd.hpp"

// OPTGAP_UNROLL stands before a loop over a small array that is to live in registers. An array that is indexed at run
// time lives in memory.
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

/// Names the pointee of scratch_pointer. As a direct template argument, a type that may alias others would lose that
/// attribute.
template <class T>
struct plain_cell {
    using cell = T;
};

/// A pointer into scratch, to `Cell::cell`.
template <class Cell, bool Shared>
struct scratch_pointer {
    using cell = typename Cell::cell;
    cell* at = nullptr;

    OPTGAP_HD operator cell*() const { return at; }
};

/// A pointer into a GPU's shared memory, stored as an address there: nvcc reads and writes through it by the
/// instructions of shared memory, instead of those that find out at run time where an address lies. The space follows
/// from how the pointer is made, not from an assumption: after `__builtin_assume(__isShared(at))` nvcc 13.0 takes a
/// conditional load in copies of an unrolled loop for unreachable (sm_80, sm_90), and lanes that get there leave the
/// function.
template <class Cell>
struct scratch_pointer<Cell, true> {
    using cell = typename Cell::cell;
    std::size_t address = 0;

    scratch_pointer() = default;
#ifdef __CUDA_ARCH__
    __device__ scratch_pointer(cell* at) : address(__cvta_generic_to_shared(at)) {}
    __device__ operator cell*() const { return static_cast<cell*>(__cvta_shared_to_generic(address)); }
#else
    OPTGAP_HD scratch_pointer(cell* at) : address(reinterpret_cast<std::uintptr_t>(at)) {}
    OPTGAP_HD operator cell*() const { return reinterpret_cast<cell*>(address); }
#endif
};

OPTGAP_KERNELS_END
