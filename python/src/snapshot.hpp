#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "host/store/snapshot.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// optgap._native.Snapshot: a frozen store, opened in this process. A connection does not outlive a fork: the package
/// opens one a process.
struct bound_snapshot {
    explicit bound_snapshot(std::string const& path);

    /// Baselines' columns and a mask: false where the snapshot says nothing and the row has to be solved. `part` is
    /// below 0 for a user's own instance.
    nb::tuple find(int32_in const& task, int32_in const& words, int64_in const& offsets, int32_in const& level,
                   int32_in const& part, array_in<std::uint64_t> const& seed) const;

    std::shared_ptr<store::snapshot> inner;
};

/// Baselines of the snapshot that an engine was made with, as a scheduler and a program runner ask for them; empty for
/// None.
std::function<std::optional<baseline>(std::int32_t, instance_spec const&, std::span<std::int32_t const>)> known_by(
    nb::handle snapshot);

}  // namespace optgap::python
