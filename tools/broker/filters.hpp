#pragma once
// The allowed system calls of each profile, as filters that the kernel runs before every call. libseccomp makes them
// once, by name. A child installs the finished instructions, with its own process id in the one place that needs it.

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
    /// The filter of a worker that stays and answers over a given socket (held/hold.hpp): a reader with threads and
    /// sockets that cannot make a connection.
    [[nodiscard]] static filter of_worker();
    /// Takes the instructions of another filter. Throws when they do not contain the mark of the own process.
    explicit filter(std::vector<sock_filter> code);
    /// The instructions, not yet installed.
    [[nodiscard]] std::vector<sock_filter> const& code() const { return code_; }

    /// Installs the filter for the calling process, after no_new_privs. Returns false with errno. Allocates nothing.
    [[nodiscard]] bool install(std::int32_t own_process);

private:
    void find_mark();

    std::vector<sock_filter> code_;
    std::vector<std::size_t> own_process_at_;
};

}  // namespace optgap::broker
