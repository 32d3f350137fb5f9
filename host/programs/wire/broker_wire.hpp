#pragma once
// The messages between the engine and optgap-broker: fixed structs over a SOCK_SEQPACKET pair, with descriptors. Both
// ends are built together; another version is refused at the greeting.
//
//   run      request + [program, input]  ->  response (+ [output] when it is long)
//   compile  request + [source]          ->  response + [program] when status is 0; stderr as for run
//   stop     request, `stops` 1          ->  the response of the run that it names, if that still runs
//
// An output is stdout and then stderr. It follows the struct when both fit `inline_bytes`, else it is in the
// descriptor.

#include <cstddef>
#include <cstdint>

namespace optgap::programs::wire {

inline constexpr std::uint32_t version = 3;
inline constexpr std::size_t inline_bytes = 32768;
inline constexpr std::size_t message_bytes = inline_bytes + 512;
inline constexpr std::int64_t error_bytes = 65536;  ///< kept bytes of stderr
inline constexpr int socket_descriptor = 3;         ///< the broker's end of the pair

/// wasm: optgap-wasm with a module to translate or run. compile_wasm: the compiler from C++ to a module.
enum class profile : std::int32_t { cpp = 0, python, compile, wasm, compile_wasm };
inline constexpr std::size_t profile_count = 5;
[[nodiscard]] constexpr bool is_compiler(profile of) { return of == profile::compile || of == profile::compile_wasm; }
/// Whether it runs a trusted program that reads the untrusted program from descriptor 3.
[[nodiscard]] constexpr bool is_interpreter(profile of) { return of == profile::python || of == profile::wasm; }
/// command: a site's own wrapper around the program's file. The site is responsible for its isolation.
enum class hold : std::int32_t { jail = 0, namespaces, command };

struct request {
    std::uint32_t version = wire::version;
    wire::profile profile = profile::cpp;
    wire::hold hold = hold::jail;
    std::int32_t slot = 0;        ///< determines the run's own user id
    std::int32_t processor = -1;  ///< the processor to pin it to; -1: none
    std::int32_t stops = 0;       ///< 1: ends the run `id`, which is answered as starved; its other fields are ignored
    std::uint64_t id = 0;
    std::int64_t cpu_ms = 0;
    std::int64_t memory_mb = 0;
    std::int64_t output_kb = 0;
};

enum class ending : std::int32_t {
    greeting = 0,  ///< the broker is ready
    ended,         ///< the child ended by itself: wait_status
    cpu_limit,
    wall_limit,  ///< limit of the wall time less the time spent waiting for a processor
    starved,     ///< it never got its processor time
    output_limit,
    setup_failed,  ///< a step before the program's first instruction failed: step and error_number
};

/// The steps of a child before its program runs. setup_step_names has their names.
enum class setup_step : std::int32_t {
    none = 0,
    spawn,
    descriptors,
    limits,
    identity,
    capabilities,
    no_new_privileges,
    landlock,
    seccomp,
    execute,
    bubblewrap,
    folder,
    count_,
};
inline constexpr char const* setup_step_names[] = {"none",     "spawn",        "descriptors",       "limits",
                                                   "identity", "capabilities", "no new privileges", "landlock",
                                                   "seccomp",  "execute",      "bubblewrap",        "folder"};
static_assert(sizeof setup_step_names / sizeof *setup_step_names == std::size_t(setup_step::count_));

struct response {
    std::uint32_t version = wire::version;
    wire::ending ending = ending::ended;
    std::uint64_t id = 0;
    std::int32_t wait_status = 0;
    setup_step step = setup_step::none;
    std::int32_t error_number = 0;
    std::int32_t has_descriptor = 0;
    std::int64_t cpu_ns = 0;
    std::int64_t wall_ns = 0;
    std::int64_t wait_ns = 0;  ///< on the run queue; 0 where the kernel does not report it
    std::int64_t peak_kb = 0;
    std::int64_t output_bytes = 0;
    std::int64_t error_bytes = 0;
};

}  // namespace optgap::programs::wire
