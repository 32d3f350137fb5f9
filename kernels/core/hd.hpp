#pragma once
// The project's only execution-space macros, and the namespace that keeps instruction sets apart.
//
// Code under kernels/ is compiled several times: for each x86-64 level the CPU executor can pick at run time, and by
// nvcc. Its functions are inline, so two builds of one function would collide in the linker, and the AVX2 build could
// be the one an older machine runs. Every build therefore puts its functions into an inline namespace of its own.
// Plain data that crosses builds (include/optgap) stays outside of it.

// OPTGAP_APART keeps a function out of line in a kernel that calls one of several. Inlined, all of them would share a
// kernel that takes more registers than any one of them.

#ifdef __CUDACC__
#define OPTGAP_HD __host__ __device__
#define OPTGAP_APART __noinline__
#else
#define OPTGAP_HD
#define OPTGAP_APART
#endif

#ifndef OPTGAP_ISA
#define OPTGAP_ISA isa_base
#endif

#define OPTGAP_KERNELS_BEGIN \
    namespace optgap {       \
    inline namespace OPTGAP_ISA {
#define OPTGAP_KERNELS_END \
    }                      \
    }
