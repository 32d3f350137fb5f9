#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace optgap::cli {

/// A bar on stderr for jobs that last longer than two seconds; silent when stderr is no terminal.
class progress {
public:
    /// total <= 0: unknown, then only a count is shown.
    progress(std::string label, std::string unit, std::int64_t total, bool quiet);
    ~progress();
    progress(progress const&) = delete;
    progress& operator=(progress const&) = delete;

    /// Draws at most ten times a second.
    void update(std::int64_t done);

private:
    using clock = std::chrono::steady_clock;

    std::string label_;
    std::string unit_;
    std::int64_t total_;
    bool enabled_;
    bool drawn_ = false;
    clock::time_point start_ = clock::now();
    clock::time_point last_ = start_;
};

}  // namespace optgap::cli
