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

/// Up to two descriptors come along. A message that is none of ours closes the connection.
[[nodiscard]] received receive_request(int socket, programs::wire::request& out, int (&descriptors)[2]);
/// False when nobody listens any more.
[[nodiscard]] bool send_message(int socket, programs::wire::response const& head, std::string_view payload,
                                int descriptor);
/// `sender`: as the kernel knows it out here.
[[nodiscard]] received receive_report(int socket, setup_report& out, pid_t& sender);

/// Bytes that nobody can change any more, as a descriptor; -1 with errno.
[[nodiscard]] int sealed_file(void const* bytes, std::size_t count);
/// A descriptor of its own on the same file, for reading only; a copy where /proc is not there.
[[nodiscard]] int reopen_for_reading(int descriptor);

/// Inside of a user's slot: replaces this process by bubblewrap, which starts `inside` of this executable.
[[noreturn]] void enter_namespaces(programs::wire::request const& asked, std::int32_t user, settings const& all,
                                   std::vector<std::string> const& words);
/// The first process in the namespaces: jails a child and tells how it ended. `words`: as enter_namespaces made them.
[[noreturn]] void inside(int count, char** words);

}  // namespace optgap::broker
