#pragma once
// What liboptgap_cuda.so, a library found at run time, and the core that finds it say to each other. Both are compiled
// from the same sources, which build_id() tells, so that C++ objects may pass; the library has no state of its own that
// a process has one of.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "host/executor/executor.hpp"
#include "host/process/trace.hpp"

namespace optgap {

/// Digits over all that both sides are compiled from.
char const* build_id();

/// What the core lends the library.
struct cuda_host {
    std::atomic<bool> const* recording;
    void (*record)(trace::name which, std::chrono::steady_clock::time_point begin);
};

struct cuda_library {
    std::uint32_t layout;  ///< of this struct; stays its first member
    char const* version;   ///< of the package
    char const* build;     ///< its build_id()
    /// As make_cuda_executor.
    executor* (*make)(cuda_host const& host, cuda_options& options, std::string& why);
};

inline constexpr std::uint32_t cuda_library_layout = 1;
/// The one symbol: a function without arguments that returns a pointer to a constant cuda_library.
inline constexpr char const* cuda_library_entry = "optgap_cuda_library";

}  // namespace optgap
