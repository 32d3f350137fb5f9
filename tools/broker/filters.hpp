#pragma once
// The system calls of each profile, as filters that the kernel runs before every call. Made once by libseccomp, by
// name; a child installs the finished instructions, with its own process id in the one place that needs it.

#include <array>
#include <cstdint>
#include <vector>

#include <linux/filter.h>

#include "host/programs/wire/broker_wire.hpp"

namespace optgap::broker {

class filter {
public:
    /// Throws std::runtime_error when libseccomp refuses.
    explicit filter(programs::wire::profile profile);
    /// Of a worker that stays and answers over a socket it was given (held/hold.hpp): a reader with threads and
    /// sockets, but no way to make a connection.
    [[nodiscard]] static filter of_worker();
    /// Of instructions that another filter gave; throws when they do not hold the mark of the own process.
    explicit filter(std::vector<sock_filter> code);
    /// The instructions, not yet installed.
    [[nodiscard]] std::vector<sock_filter> const& code() const { return code_; }

    /// For the calling process, after no_new_privs. False with errno. Allocates nothing.
    [[nodiscard]] bool install(std::int32_t own_process);

private:
    void find_mark();

    std::vector<sock_filter> code_;
    std::vector<std::size_t> own_process_at_;
};

}  // namespace optgap::broker
