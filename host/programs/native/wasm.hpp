#pragma once
// The isolation level wasm: modules of WebAssembly that optgap-wasm translates and runs through wasmtime. optgap-wasm
// itself runs in the jail. Steps are wasmtime's fuel and serve as limit and clock, so that the same program and input
// end alike on any machine.

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
    std::string library;  ///< wasmtime's library
    std::vector<std::string> reads;
    std::string fingerprint;  ///< of both, since machine code is valid only for its own version
    std::string trouble, fix;
};
/// Finds optgap-wasm beside the broker. wasmtime is OPTGAP_WASMTIME (a path; "none": not searched for), else the
/// package of the Python environment that this library, this program or VIRTUAL_ENV is in, else libwasmtime.so of the
/// system.
[[nodiscard]] wasm_runtime find_wasm_runtime(std::string const& broker);

struct wasm_compiler {
    std::string path;  ///< the real path of clang; empty: none
    std::string version;
    std::vector<std::string> flags, reads, executes;
    std::string fingerprint;  ///< of the compiler, flags and linked libraries
    std::string trouble, fix;
};
/// Finds OPTGAP_PROGRAM_WASM_CXX, else clang++ in PATH, with the C and C++ libraries of wasm32-wasi. Makes the
/// precompiled header in `cache` when it is absent.
[[nodiscard]] wasm_compiler find_wasm_compiler(std::string const& cache);

/// The steps that a run may take.
[[nodiscard]] std::int64_t steps_of(run_limits const& limits);
/// The first line of optgap-wasm's stdin for a translation.
extern char const* const translation_input;
[[nodiscard]] std::string module_input(run_limits const& limits, std::span<std::string_view const> inputs);
/// The maximum number of runs in one process under these limits. Their output and their slot are held until it ends.
[[nodiscard]] std::size_t max_module_runs(run_limits const& limits);
/// Sets the process's own limits for what a module's limits do not cover: wasmtime's address space, and time that no
/// step counts.
void ask_translation(compile_limits const& limits, wire::request& asked);
void ask_module_runs(run_limits const& limits, std::size_t count, wire::request& asked);

/// The results of a process's runs, in their order, and how the process itself ended.
struct judged_module_runs {
    std::vector<run_result> ended;
    /// The run after these, when the process ended in it. Later runs have not begun.
    std::optional<judged_run> under_way;
    /// The end is that run's own doing, not a fault of the process that another run may have caused.
    bool own_end = false;
};
/// The same as judge_run and judge_compilation, for the output of optgap-wasm.
[[nodiscard]] judged_module_runs judge_module_runs(run_limits const& limits, std::size_t count, broker_reply reply);
[[nodiscard]] judged_compilation judge_translation(broker_reply const& reply);

/// A module as text that tries what no module may do, like python_self_test.
extern char const* const wasm_self_test;
/// C++ that reads self_test_input and prints wasm_cpp_answer, to show that compiled programs run.
extern char const* const wasm_cpp_test;
extern char const* const wasm_cpp_answer;
/// C++ texts of the compiler's folder: the header of everything, and the code linked to every program.
extern char const* const wasm_header;
extern char const* const wasm_support;

}  // namespace optgap::programs
