#pragma once
// Groups of scores on the host, by the estimators that read them: K candidates on M instances.

#include <cstdint>
#include <span>
#include <vector>

#include "host/executor/executor.hpp"
#include "kernels/reward/estimator.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// Buffers one thread reuses from group to group.
struct ranking_scratch {
    std::vector<double> column, value, other;
    std::vector<std::int32_t> order;
};

/// Writes one advantage per candidate: `spec.form` is one with ranks_scores. A group of one gets 0. Large groups are
/// sorted, small ones counted: the same bytes.
void rank_candidates(score_range const& in, advantage_spec const& spec, ranking_scratch& scratch);

/// One group of a batch; `out` is the whole batch's.
void rank_group(rank_inputs const& in, std::int64_t group, advantage_spec const& spec, ranking_scratch& scratch,
                std::span<double> out);

}  // namespace optgap
