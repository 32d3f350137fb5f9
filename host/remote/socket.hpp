#pragma once
// The Unix socket: its path, the process at its other end, and messages with a descriptor.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "host/remote/segment.hpp"

namespace optgap::serve {

/// $XDG_RUNTIME_DIR/optgap/serve.sock, or /tmp/optgap-UID/serve.sock.
std::string default_path();
/// Whether a path's folder belongs to this user and no other user can enter it; else `why` says what is wrong.
bool trusted_folder(std::string const& path, std::string& why);

/// Connects without waiting; returns an empty descriptor, with a reason, where that fails.
descriptor connect_to(std::string const& path, std::string& why);
/// Throws error{invalid_argument} for a path that is too long.
descriptor listen_at(std::string const& path);

/// The process at the other end, as the kernel reports it.
struct peer {
    pid_t process = -1;
    uid_t user = uid_t(-1);
};
peer peer_of(descriptor const& socket);

enum class arrival { whole, ended, nothing, wrong };

/// Takes one message of exactly `size` bytes, and the descriptor that came with it. `nothing`: none within `wait`
/// (negative: no limit). More than one descriptor is an error; the others are closed.
arrival receive(descriptor const& socket, void* message, std::size_t size, descriptor& attached,
                std::chrono::milliseconds wait);
/// Never waits; false when it cannot be sent at once.
bool send(descriptor const& socket, void const* message, std::size_t size, int attached = -1);

}  // namespace optgap::serve
