#pragma once
// Messages over the two kinds of sockets, and bytes as sealed files.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "host/programs/wire/broker_wire.hpp"
#include "tools/broker/child.hpp"
#include "tools/broker/settings.hpp"

namespace optgap::broker {

enum class received { one, nothing, closed };

/// Receives a request with up to two descriptors. A malformed message closes the connection.
[[nodiscard]] received receive_request(int socket, programs::wire::request& out, int (&descriptors)[2]);
/// Returns false when the other end is closed.
[[nodiscard]] bool send_message(int socket, programs::wire::response const& head, std::string_view payload,
                                int descriptor);
/// `sender` is the process id outside of namespaces.
[[nodiscard]] received receive_report(int socket, setup_report& out, pid_t& sender);

/// Immutable bytes as a descriptor; -1 with errno.
[[nodiscard]] int sealed_file(void const* bytes, std::size_t count);
/// A separate read-only descriptor of the same file; a copy where /proc is missing.
[[nodiscard]] int reopen_for_reading(int descriptor);

/// Replaces this process, which has the slot's user, by bubblewrap, which starts `inside` of this executable.
[[noreturn]] void enter_namespaces(programs::wire::request const& asked, std::int32_t user, settings const& all,
                                   std::vector<std::string> const& words);
/// The first process in the namespaces: jails a child and reports how it ended. `words` come from enter_namespaces.
[[noreturn]] void inside(int count, char** words);

}  // namespace optgap::broker
