#pragma once
// What this machine gives the sandbox.

#include <cstdint>
#include <string>

namespace optgap::programs {

/// optgap-broker: `wanted`, else OPTGAP_BROKER, else beside the running program, else in the library's own folder or
/// ../libexec/optgap. Empty, with a sentence, when there is none.
[[nodiscard]] std::string find_broker(std::string const& wanted, std::string& trouble);

/// Runs at once when the caller says 0: the processors that this process may use, within the cgroup's quota, less a
/// reserve of a quarter for whoever called; at least 1.
[[nodiscard]] std::int32_t default_slots();

}  // namespace optgap::programs
