#pragma once
// The node's slots: programs of all clients, compiled and run under one sandbox. Verdicts and rewards are the clients'.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "host/calls/verb.hpp"
#include "host/programs/served/program_codec.hpp"

namespace optgap::serve {

struct program_settings {
    std::string isolation = "auto";
    std::int32_t slots = 0, client_slots = 0;
};

/// Thread-safe. The sandbox is opened by the first that asks.
class program_place {
public:
    /// Gives memory for that many bytes of results.
    using room = std::function<std::byte*(std::size_t)>;

    program_place(program_settings settings, std::int64_t max_bytes)
        : settings_(std::move(settings)), max_bytes_(max_bytes) {}

    /// A client's request. Blocks until its programs have ended; who hangs up has them killed. A free slot goes to the
    /// client, known by its process, that has the fewest. Throws wire_error, refused_request and error.
    void serve(verb what, std::span<std::byte const> bytes, room const& out, int socket, int client);
    [[nodiscard]] nlohmann::ordered_json statistics() const;

private:
    std::shared_ptr<programs::sandbox> open(programs::served_terms& terms);
    template <class Results>
    void answer(Results const& found, room const& out) const;

    program_settings const settings_;
    std::int64_t const max_bytes_;
    std::mutex opening_;
    mutable std::mutex lock_;
    std::shared_ptr<programs::sandbox> sandbox_;
    programs::served_terms terms_;
    bool opened_ = false;
    std::map<int, std::int64_t> under_way_;  ///< requests by client
    std::int64_t runs_ = 0, compilations_ = 0, compile_cached_ = 0, killed_ = 0, retried_ = 0;
};

}  // namespace optgap::serve
