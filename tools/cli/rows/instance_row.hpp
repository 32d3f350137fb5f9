#pragma once
// What the commands that make rows write about an instance and its baseline.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "optgap/engine.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {

/// UTF-8 code points.
std::int64_t characters(std::string_view text);

/// answer, objective, bound, bound_kind, status, proven, steps, floor, greedy.
void write_baseline(row_writer& row, baseline const& found, std::span<std::int32_t const> answer,
                    task_info const& info);

/// Which instances of one task were there already.
class seen_instances {
public:
    /// Whether it is new.
    bool add(instance_hash hash) { return hashes_.insert(hash).second; }
    [[nodiscard]] std::int64_t size() const { return std::int64_t(hashes_.size()); }

private:
    struct low_bits {
        std::size_t operator()(instance_hash hash) const { return std::size_t(hash.low); }
    };
    std::unordered_set<instance_hash, low_bits> hashes_;
};

}  // namespace optgap::cli
