#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/batch.hpp"

namespace optgap {

/// The instances of one request: each stands there once for every baseline that rows are measured against.
class posed_instances {
public:
    /// The row of the instance that the caller knows by `id`, with this baseline.
    std::int32_t row(std::uint64_t id, std::int32_t task, std::span<std::int32_t const> words, baseline const& truth);

    [[nodiscard]] instance_batch const& instances() const { return instances_; }
    [[nodiscard]] std::span<baseline const> baselines() const { return baselines_; }

private:
    instance_batch instances_;
    std::vector<baseline> baselines_;
    std::unordered_multimap<std::uint64_t, std::int32_t> rows_;
};

}  // namespace optgap
