#pragma once

#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "host/reward/group_advantages.hpp"
#include "python/src/values/arrays.hpp"

namespace optgap::python {

/// Rewarded rows as a trainer holds them, for group_advantages. Keyword arguments, one entry a row each: reward (NaN:
/// masked), format, feasible, quality, normalized, optimal, objective, content, style (NaN: none), group, cohort,
/// maximise and perhaps length; offsets and scores of programs; the estimator's spec, advantage.
class compared_columns {
public:
    /// Throws argument_error for columns of other lengths.
    explicit compared_columns(nb::kwargs const& given);

    [[nodiscard]] advantage_spec const& spec() const { return spec_; }
    [[nodiscard]] compared_rows rows() const;

private:
    advantage_spec spec_;
    std::vector<reward_row> rows_;
    int32_in group_, cohort_;
    std::optional<int32_in> length_;
    array_in<double> objective_, content_, style_, scores_;
    int64_in offsets_;
    std::vector<sense> direction_;
};

}  // namespace optgap::python
