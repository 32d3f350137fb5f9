#pragma once
// Landlock limits permanently which files a process may read or execute. Everything that the rights do not name is
// refused. What the kernel controls beyond files (TCP, signals to outside, abstract sockets) is refused completely.
// Kernel headers of Debian 12 know ABI 2, so the structs of later ABIs are defined here.

#include <span>
#include <string>

namespace optgap::broker {

/// The kernel's ABI version, 1 or more; 0 without Landlock.
[[nodiscard]] int landlock_version();

struct file_rights {
    std::span<std::string const> reads;     ///< files, or folders with everything beneath; missing ones are left out
    std::span<std::string const> executes;  ///< files or folders, which may be read, too
    std::string writes;                     ///< one folder to make, write and remove files in; empty: none
    bool closed_ipc = true;                 ///< no signals and no abstract sockets to processes outside of the domain
};

/// Makes a ruleset as a descriptor; -1 with errno.
[[nodiscard]] int make_ruleset(file_rights const& rights);
/// Applies it to this process and its descendants, after no_new_privs. Returns false with errno.
[[nodiscard]] bool enforce_ruleset(int ruleset);

}  // namespace optgap::broker
