#include "tools/broker/settings.hpp"

#include <stdexcept>
#include <string_view>

namespace optgap::broker {

settings read_settings(int count, char** words) {
    settings out;
    for (int k = 0; k < count; ++k) {
        std::string_view const word = words[k];
        std::size_t const equals = word.find('=');
        std::string_view const name = word.substr(0, equals);
        std::string const value(equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1));
        if (name == "python") {
            out.python = value;
        } else if (name == "python-read") {
            out.python_reads.push_back(value);
        } else if (name == "harness") {
            out.harness = value;
        } else if (name == "compiler") {
            out.compiler = value;
        } else if (name == "compiler-flag") {
            out.compiler_flags.push_back(value);
        } else if (name == "compiler-read") {
            out.compiler_reads.push_back(value);
        } else if (name == "compiler-execute") {
            out.compiler_executes.push_back(value);
        } else if (name == "wasm") {
            out.wasm = value;
        } else if (name == "wasm-library") {
            out.wasm_library = value;
        } else if (name == "wasm-read") {
            out.wasm_reads.push_back(value);
        } else if (name == "wasm-compiler") {
            out.wasm_compiler = value;
        } else if (name == "wasm-compiler-flag") {
            out.wasm_compiler_flags.push_back(value);
        } else if (name == "wasm-compiler-read") {
            out.wasm_compiler_reads.push_back(value);
        } else if (name == "wasm-compiler-execute") {
            out.wasm_compiler_executes.push_back(value);
        } else if (name == "loader") {
            out.loader = value;
        } else if (name == "scratch") {
            out.scratch = value;
        } else if (name == "bubblewrap") {
            out.bubblewrap = value;
        } else if (name == "command") {
            out.command.push_back(value);
        } else if (name == "self") {
            out.self = value;
        } else {
            throw std::runtime_error("unknown setting " + std::string(name));
        }
    }
    return out;
}

}  // namespace optgap::broker
