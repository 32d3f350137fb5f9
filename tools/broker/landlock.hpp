#pragma once
// Landlock: which files a process may read or execute, for good. Everything that it does not name is refused, and what
// the kernel knows beyond files (TCP, signals to outside, abstract sockets) is refused whole. Kernel headers of Debian
// 12 know ABI 2; the structs of later ABIs stand here.

#include <span>
#include <string>

namespace optgap::broker {

/// The kernel's ABI, 1 or more; 0 without Landlock.
[[nodiscard]] int landlock_version();

struct file_rights {
    std::span<std::string const> reads;  ///< folders with all beneath, or files; those that do not exist are left out
    std::span<std::string const> executes;  ///< files or folders, which may be read, too
    std::string writes;                     ///< one folder to make, write and remove files in; empty: none
    bool closed_ipc = true;                 ///< no signals and no abstract sockets to processes outside of the domain
};

/// A ruleset as a descriptor, or -1 with errno.
[[nodiscard]] int make_ruleset(file_rights const& rights);
/// This process and all that come from it, after no_new_privs. False with errno.
[[nodiscard]] bool enforce_ruleset(int ruleset);

}  // namespace optgap::broker
