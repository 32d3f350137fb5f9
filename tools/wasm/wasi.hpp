#pragma once
// What a module may ask of its host: stdin, stdout, stderr, its exit, a clock that counts its own steps, random bytes
// that are the same in every run. Every other call of WASI preview 1 is there and says that it is not capable, so that
// a module which links a file's functions without need still starts.

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

/// One run's world. Steps are units of fuel: each instruction costs what wasmtime charges for it, and each call of the
/// host costs `call_steps` and one for each byte.
struct world {
    api const* of = nullptr;
    run_limits limits;
    std::string_view input;  ///< stdin, from `read_to` on not yet read
    std::size_t read_to = 0;
    std::string errors;  ///< stderr, its first kept_errors bytes
    std::uint64_t output_seen = 0, errors_seen = 0;
    std::string pending;  ///< of stdout, not yet written
    bool closed[3] = {};
    std::uint64_t random = 0x9e3779b97f4a7c15;
    stopped why = stopped::no;
    std::int32_t status = 0;
};

inline constexpr std::uint64_t call_steps = 1000;         ///< about what a call of the host costs: 0.2 us
inline constexpr std::uint64_t steps_per_nanosecond = 5;  ///< of the clock that a module sees
inline constexpr std::size_t kept_errors = 16384;

/// Gives the linker all calls; null or what is wrong. Each call is of the run whose world `of` is at that moment.
[[nodiscard]] failure* define_calls(linker* to, world& of);
/// Puts a frame behind those that are to be sent together.
void add_frame(std::string& to, programs::wire::frame what, std::string_view bytes);
/// All of it, or as much as somebody reads.
void write_all(int descriptor, std::string_view bytes);

}  // namespace optgap::wasm
