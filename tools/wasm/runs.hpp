#pragma once
// Runs a module several times, each in its own store and memory and with its own fuel.

#include <string>
#include <string_view>

#include "tools/wasm/api.hpp"

namespace optgap::wasm {

/// `code` is the result of a compilation. `asked` is stdin as defined in host/programs/wire/module_wire.hpp. Reports on
/// stdout how each run ended, and exits.
[[noreturn]] void run_module(api const& use, std::string const& code, std::string_view asked);

}  // namespace optgap::wasm
