#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/rows/read/instances.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {

/// Answers that proofs begin with: of a user's file, by instance, and plants.
class proof_starts {
public:
    /// Reads JSONL rows with `answer` and `key`, or `task` and `instance`; no path, no file. Throws usage_error that
    /// names a row which says no instance or no answer, or a second answer to one.
    proof_starts(context& ctx, std::string const& path);

    /// Of each instance the file's answer, else its plant, else an empty row. Where the file's answer is not feasible,
    /// `broken` says so, and its row is empty; elsewhere `broken` is empty.
    csr_words of(instance_view instances, std::span<instance_spec const> specs, std::vector<std::string>& broken);
    /// Complains of rows whose instances were never asked for.
    void finish() const;

private:
    struct start {
        std::int64_t row = 0;
        std::vector<std::int32_t> block;
        bool used = false;
    };

    void read(std::span<row_item> items);

    context& ctx_;
    std::string path_;
    std::unordered_map<std::string, start> by_instance_;
};

}  // namespace optgap::cli
