#pragma once
// The rung wasm: modules of WebAssembly that optgap-wasm translates and runs through wasmtime, itself a program in the
// jail. Steps are wasmtime's fuel: limit and clock alike, so that the same program and input end alike on any machine.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/programs/native/verdicts.hpp"
#include "host/programs/sandbox.hpp"
#include "host/programs/wire/broker_wire.hpp"

namespace optgap::programs {

struct wasm_runtime {
    std::string helper;   ///< the real path of optgap-wasm; empty: none
    std::string library;  ///< wasmtime's
    std::vector<std::string> reads;
    std::string fingerprint;  ///< of both: machine code is read by what has made it
    std::string trouble, fix;
};
/// optgap-wasm beside the broker. wasmtime is OPTGAP_WASMTIME (a path; "none": not to be looked for), else the package
/// of the Python environment that this library, this program or VIRTUAL_ENV is in, else libwasmtime.so of the system.
[[nodiscard]] wasm_runtime find_wasm_runtime(std::string const& broker);

struct wasm_compiler {
    std::string path;  ///< the real path of clang; empty: none
    std::string version;
    std::vector<std::string> flags, reads, executes;
    std::string fingerprint;  ///< of the compiler, flags and what is linked in
    std::string trouble, fix;
};
/// OPTGAP_PROGRAM_WASM_CXX, else clang++ of PATH, with the C and C++ libraries of wasm32-wasi. Makes the precompiled
/// header in `cache` when it is not there.
[[nodiscard]] wasm_compiler find_wasm_compiler(std::string const& cache);

/// Steps that a run may take.
[[nodiscard]] std::int64_t steps_of(run_limits const& limits);
/// What optgap-wasm gets on stdin: what is asked of it, then each run's own stdin.
extern char const* const translation_input;
[[nodiscard]] std::string module_input(run_limits const& limits, std::span<std::string_view const> inputs);
/// Runs within these limits that one process makes at most: their output is held until it ends, and its slot.
[[nodiscard]] std::size_t most_module_runs(run_limits const& limits);
/// The process's own limits, which hold what a module's do not: wasmtime's address space, and time that no step counts.
void ask_translation(compile_limits const& limits, wire::request& asked);
void ask_module_runs(run_limits const& limits, std::size_t count, wire::request& asked);

/// What a process says of the runs that it was given, in their order, and how it ended itself.
struct judged_module_runs {
    std::vector<run_result> ended;
    /// Of the run behind these, when the process ended in it; those behind that have not begun.
    std::optional<judged_run> under_way;
    /// It is that run's own doing, and no fault of the process that another run may have brought about.
    bool own_end = false;
};
/// As judge_run and judge_compilation, of what optgap-wasm says.
[[nodiscard]] judged_module_runs judge_module_runs(run_limits const& limits, std::size_t count, broker_reply reply);
[[nodiscard]] judged_compilation judge_translation(broker_reply const& reply);

/// A module, as text, that tries what no module may do, as python_self_test.
extern char const* const wasm_self_test;
/// C++ that reads self_test_input and prints wasm_cpp_answer: whether what the compiler makes runs.
extern char const* const wasm_cpp_test;
extern char const* const wasm_cpp_answer;
/// C++ texts of the compiler's folder: the header of everything, and what is linked to every program.
extern char const* const wasm_header;
extern char const* const wasm_support;

}  // namespace optgap::programs
