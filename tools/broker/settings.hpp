#pragma once
// What the broker is told when it starts, as NAME=VALUE words: where the runtimes lie. Nothing of it comes from a
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
    std::string wasm_library;             ///< wasmtime's
    std::vector<std::string> wasm_reads;  ///< files that both read
    std::string wasm_compiler;            ///< the real path of clang++; empty: modules alone
    std::vector<std::string> wasm_compiler_flags;
    std::vector<std::string> wasm_compiler_reads;
    std::vector<std::string> wasm_compiler_executes;
    std::string loader;                ///< of dynamic executables
    std::string scratch;               ///< a folder of ours for compilations
    std::string bubblewrap;            ///< empty: none
    std::vector<std::string> command;  ///< of the rung `command`: its words, with {program} among them
    std::string self;                  ///< this executable's path, for inside of namespaces
};

/// Throws std::runtime_error on an unknown name. Lists have one word each time their name is given.
[[nodiscard]] settings read_settings(int count, char** words);

}  // namespace optgap::broker
