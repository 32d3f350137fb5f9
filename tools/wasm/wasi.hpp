#pragma once
// The host functions of a module: stdin, stdout, stderr, its exit, a clock that counts its own steps, and random bytes
// that are the same in every run. Every other call of WASI preview 1 exists and answers that it is not capable, so that
// a module which only links file functions still starts.

#include <cstdint>
#include <string>
#include <string_view>

#include "host/programs/wire/module_wire.hpp"
#include "tools/wasm/api.hpp"

namespace optgap::wasm {

struct run_limits {
    std::uint64_t steps = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t output_bytes = 0;
};

enum class stopped { no, exit, steps, output };

/// The state of one run. Steps are units of fuel. Each instruction costs what wasmtime charges for it. Each call of the
/// host costs `call_steps` plus one step for each byte.
struct world {
    api const* of = nullptr;
    run_limits limits;
    std::string_view input;  ///< stdin; the part from `read_to` on is unread
    std::size_t read_to = 0;
    std::string errors;  ///< stderr, its first kept_errors bytes
    std::uint64_t output_seen = 0, errors_seen = 0;
    std::string pending;  ///< stdout, not yet written
    bool closed[3] = {};
    std::uint64_t random = 0x9e3779b97f4a7c15;
    stopped why = stopped::no;
    std::int32_t status = 0;
};

inline constexpr std::uint64_t call_steps = 1000;         ///< about the cost of a call of the host: 0.2 us
inline constexpr std::uint64_t steps_per_nanosecond = 5;  ///< for the clock that a module sees
inline constexpr std::size_t kept_errors = 16384;

/// Gives the linker all calls. Returns null or the failure. Each call belongs to the run whose world `of` is at that
/// moment.
[[nodiscard]] failure* define_calls(linker* to, world& of);
/// Appends a frame to those that are sent together.
void add_frame(std::string& to, programs::wire::frame what, std::string_view bytes);
/// Writes all bytes, or as many as the reader takes.
void write_all(int descriptor, std::string_view bytes);

}  // namespace optgap::wasm
