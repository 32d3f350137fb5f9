#pragma once
// The interface between liboptgap_cuda.so, a library found at run time, and the core that finds it. C++ objects may
// cross it, since both are compiled from the same sources, which build_id() verifies. The library holds none of the
// state of which a process has one.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "host/executor/executor.hpp"
#include "host/process/trace.hpp"

namespace optgap {

/// A hash of the sources from which both sides are compiled.
char const* build_id();

/// The core's objects that the library uses.
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
