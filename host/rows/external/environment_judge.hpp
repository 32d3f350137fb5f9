#pragma once
// Asks environments about answers: the client's side of python/optgap/rows/external/judging.py, a process that keeps
// their workers. That process is as trusted as this program; the workers that it starts are not (docs/external.md).

#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "host/rows/packages/worker.hpp"

namespace optgap::rows {

class environment_judge {
public:
    /// One answer to a problem.
    struct question {
        std::string key;
        std::string_view problem;  ///< JSON
        std::string answer;        ///< without white space around it
        bool has_answer = false;
    };

    /// `environments`: what a user named, with commas.
    environment_judge(std::string environments, bool trusted);

    /// JSON objects, one each: the row's `external`, and `accepts_empty` where that is so; or `error`, {field, rule}.
    /// Throws error{device_unavailable} where there is no process to ask.
    [[nodiscard]] std::vector<std::string> ask(std::span<question const> questions, std::stop_token const& stop);

private:
    std::string const started_with_;
    std::mutex lock_;
    std::unique_ptr<package_worker> worker_;
    std::uint32_t process_ = 0;  ///< fork_generation() of its parent
};

/// This process's, which stays: its workers have their environments loaded.
environment_judge& judge_of(std::string const& environments, bool trusted);

}  // namespace optgap::rows
