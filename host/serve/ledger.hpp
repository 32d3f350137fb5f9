#pragma once
// The daemon's counters, for its statistics. Thread-safe.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "host/remote/messages.hpp"
#include "host/report/latency.hpp"

namespace optgap::serve {

class ledger {
public:
    explicit ledger(std::function<void(std::string_view)> log) : log_(std::move(log)) {}

    void served(verb what, std::int64_t rows, std::size_t bytes_in, std::size_t bytes_out,
                std::chrono::nanoseconds took);
    void turned_away(refusal kind, std::string const& sentence);
    void opened(int process);
    void closed(int process);
    [[nodiscard]] int connections() const;
    void write(nlohmann::ordered_json& out) const;

private:
    struct account {
        std::int64_t rows = 0, bytes_in = 0, bytes_out = 0;
        latency seconds;
    };
    mutable std::mutex lock_;
    account json_rows_;  ///< of ask_rows
    std::array<account, verb_count> verbs_;
    std::array<std::int64_t, refusal_names.size()> refused_{};
    std::string last_refusal_;
    std::multiset<int> processes_;
    std::int64_t accepted_ = 0;
    std::function<void(std::string_view)> log_;
    std::chrono::steady_clock::time_point logged_{};
};

}  // namespace optgap::serve
