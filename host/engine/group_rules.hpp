#pragma once

#include <span>

#include "kernels/reward/estimator.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// Is a constant of the whole batch needed?
inline bool reads_whole_batch(advantage_spec const& spec) {
    estimator_entry const& entry = estimator_of(spec.form);
    return entry.reads_batch != nullptr && entry.reads_batch(spec);
}

/// The rule of an estimator of groups with the batch's constant: from `rewards`, which no other one reads.
group_rule rule_of(std::span<float const> rewards, advantage_spec const& spec);

}  // namespace optgap
