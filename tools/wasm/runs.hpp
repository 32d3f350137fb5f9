#pragma once
// Runs of one module, one after the other, each in a store and a memory of its own and with its own fuel.

#include <string>
#include <string_view>

#include "tools/wasm/api.hpp"

namespace optgap::wasm {

/// `code`: what a compilation has made. `asked`: stdin, as host/programs/wire/module_wire.hpp says. Tells how each run
/// ended on stdout, and ends.
[[noreturn]] void run_module(api const& use, std::string const& code, std::string_view asked);

}  // namespace optgap::wasm
