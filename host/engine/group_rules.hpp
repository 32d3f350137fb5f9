#pragma once

#include <span>

#include "kernels/reward/advantage.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// Forms that an executor computes from rewards and groups.
constexpr bool reads_rewards_alone(estimator form) { return form <= estimator::gpg; }

/// Whether such a form has constants of the whole batch.
constexpr bool reads_whole_batch(advantage_spec const& spec) {
    return spec.form == estimator::gpg || (spec.form == estimator::grpo && spec.batch_scale != 0);
}

/// The rule of a form that needs only its group, once the batch's constants are known. These come from `rewards`, which
/// other forms do not read.
group_rule rule_of(std::span<float const> rewards, advantage_spec const& spec);

}  // namespace optgap
