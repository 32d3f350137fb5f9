#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/baselines/baseline_source.hpp"
#include "host/store/snapshot.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// optgap._native.BaselineSource: where an engine's baselines come from in this process. Neither its lock nor the
/// connection to a snapshot outlives a fork: the package makes one a process.
class bound_baseline_source {
public:
    /// `snapshot` is a path, empty for none.
    bound_baseline_source(std::shared_ptr<engine const> by, std::string const& snapshot, std::int64_t bytes);
    ~bound_baseline_source();
    bound_baseline_source(bound_baseline_source const&) = delete;
    bound_baseline_source& operator=(bound_baseline_source const&) = delete;

    /// Baselines' columns. `part` is below 0 for a user's own instance. Throws error for a damaged row of the snapshot.
    nb::dict prove(int32_in const& task, int32_in const& words, int64_in const& offsets, int32_in const& level,
                   int32_in const& part, array_in<std::uint64_t> const& seed, std::int64_t budget) const;
    /// Of the snapshot's content; empty without one.
    [[nodiscard]] std::string hash() const { return held_->frozen == nullptr ? "" : held_->frozen->hash(); }
    [[nodiscard]] std::string sentence() const { return held_->source.sentence(); }
    /// For a scheduler or a program runner, which share it; keeps the engine alive.
    [[nodiscard]] std::shared_ptr<baseline_source> shared() const { return {held_, &held_->source}; }

private:
    struct parts {
        std::shared_ptr<engine const> by;
        std::shared_ptr<store::snapshot> frozen;
        baseline_source source;
    };

    std::uint32_t process_;
    std::shared_ptr<parts> held_;
};

}  // namespace optgap::python
