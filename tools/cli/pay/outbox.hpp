#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "tools/cli/rows/instances.hpp"

namespace optgap::cli {

/// A file of answers that beat their baselines, one row each: kind ("unproven": a better answer; "proven": the
/// baseline or a verifier is wrong), key, answer, objective, baseline, and task and instance where the key does not
/// hold the instance. Rows are appended, so that no run loses what an earlier one found.
class outbox {
public:
    /// An empty path: nothing is written. Throws usage_error when the file cannot be opened.
    explicit outbox(std::string path);

    void add(json_row const& row, task_info const& info, std::span<std::int32_t const> instance,
             std::span<std::int32_t const> answer, std::int64_t objective, baseline const& beaten);
    /// Throws io_error when the rows did not reach the file.
    void flush();
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    struct closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string path_;
    std::unique_ptr<std::FILE, closer> file_;
};

}  // namespace optgap::cli
