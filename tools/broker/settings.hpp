#pragma once
// The broker's settings, given at its start as NAME=VALUE words: the places of the runtimes. None of them comes from a
// program.

#include <string>
#include <vector>

namespace optgap::broker {

struct settings {
    std::string python;                     ///< the interpreter's real path; empty: no Python
    std::vector<std::string> python_reads;  ///< files and folders that it reads
    std::string harness;                    ///< Python text that reads the program from descriptor 3 and runs it
    std::string compiler;                   ///< the real path of g++; empty: no C++
    std::vector<std::string> compiler_flags;
    std::vector<std::string> compiler_reads;
    std::vector<std::string> compiler_executes;
    std::string wasm;                     ///< the real path of optgap-wasm; empty: no WebAssembly
    std::string wasm_library;             ///< wasmtime's library
    std::vector<std::string> wasm_reads;  ///< files that both read
    std::string wasm_compiler;            ///< the real path of clang++; empty: only ready modules
    std::vector<std::string> wasm_compiler_flags;
    std::vector<std::string> wasm_compiler_reads;
    std::vector<std::string> wasm_compiler_executes;
    std::string loader;                ///< the loader of dynamic executables
    std::string scratch;               ///< the broker's folder for compilations
    std::string bubblewrap;            ///< empty: none
    std::vector<std::string> command;  ///< words of the isolation level `command`, with {program} among them
    std::string self;                  ///< this executable's path, for use inside of namespaces
};

/// Throws std::runtime_error for an unknown name. A list gets one word each time its name is given.
[[nodiscard]] settings read_settings(int count, char** words);

}  // namespace optgap::broker
