#pragma once
// The resources of this machine for the sandbox.

#include <cstdint>
#include <string>

namespace optgap::programs {

/// Finds optgap-broker: `wanted`, else OPTGAP_BROKER, else beside the running program, else in the library's own folder
/// or ../libexec/optgap. Returns an empty path, with a sentence, when there is none.
[[nodiscard]] std::string find_broker(std::string const& wanted, std::string& trouble);

/// The number of slots for 0: the processors that this process may use, within the cgroup's quota, less a reserve of a
/// quarter for the caller; at least 1.
[[nodiscard]] std::int32_t default_slots();

}  // namespace optgap::programs
