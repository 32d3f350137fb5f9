#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"
#include "optgap/engine.hpp"

namespace optgap::rows {

/// The improved-baselines file: answers that beat their baselines, one row each. A row has kind ("unproven": a better
/// answer; "proven": the baseline or a verifier is wrong), key, answer, objective and baseline. It has task and
/// instance where the key does not determine the instance. Rows are appended, so no run loses what an earlier one
/// found. Rows of concurrent runs are written one after another, each whole. An incomplete last line, left by a killed
/// process, is cut off.
class improved_baselines {
public:
    /// An empty path writes nothing. Throws error{invalid_argument} when the file cannot be opened.
    explicit improved_baselines(std::string path);
    ~improved_baselines();
    improved_baselines(improved_baselines const&) = delete;
    improved_baselines& operator=(improved_baselines const&) = delete;

    /// Throws error{internal} when the row did not reach the file.
    void add(json_row const& row, task_info const& info, std::span<std::int32_t const> instance,
             std::span<std::int32_t const> answer, std::int64_t objective, baseline const& beaten);
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    void append(std::string_view line) const;

    std::string path_;
    int fd_ = -1;
};

}  // namespace optgap::rows
