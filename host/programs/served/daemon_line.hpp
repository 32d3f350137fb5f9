#pragma once
// One connection to the node's daemon for one exchange about programs.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "host/remote/messages.hpp"
#include "host/remote/segment.hpp"
#include "host/remote/socket.hpp"
#include "host/remote/wire.hpp"

namespace optgap::programs {

enum class exchange_end : std::int32_t {
    served,
    stopped,  ///< the token asked for it; the daemon sees the closed line and kills the runs
    refused,  ///< the daemon refuses: `why`
    lost,     ///< no daemon answers
};

class daemon_line {
public:
    daemon_line(std::string path, std::uint64_t build) : path_(std::move(path)), build_(build) {}

    /// `write` fills a request of `size` bytes. The reply is in reply() until the line is destroyed.
    exchange_end exchange(verb what, std::size_t size, std::function<void(std::byte*)> const& write,
                          std::stop_token const& stop);
    [[nodiscard]] serve::reader reply() const { return serve::reader(in_.first(replied_)); }
    [[nodiscard]] std::string const& why() const { return why_; }

private:
    bool greet();

    std::string path_;
    std::uint64_t build_;
    serve::descriptor socket_;
    serve::segment page_, out_, in_;
    std::size_t replied_ = 0;
    std::string why_;
};

}  // namespace optgap::programs
