#pragma once
// The estimators that read scores, K candidates on M instances: RiVER's ranks and the baselines of the same paper. The
// forms without exponentials are also kernels/reward/ranks.hpp, which must give the same bytes.

#include <cstdint>
#include <span>
#include <vector>

#include "host/executor/executor.hpp"
#include "optgap/advantage.hpp"

namespace optgap {

/// K candidates' scores on M instances, row-major [K x M]; NaN: invalid there.
struct score_matrix {
    double const* scores = nullptr;
    std::int64_t candidates = 0;
    std::int64_t instances = 1;
    sense direction = sense::maximise;

    [[nodiscard]] double at(std::int64_t k, std::int64_t m) const { return scores[k * instances + m]; }
};

/// Buffers one thread reuses from group to group.
struct ranking_scratch {
    std::vector<double> column, value, other;
    std::vector<std::int32_t> order;
};

/// One group of a batch; `out` is the whole batch's.
void rank_group(rank_inputs const& in, std::int64_t group, advantage_spec const& spec, ranking_scratch& scratch,
                std::span<double> out);

/// Writes one advantage per candidate: `spec.form` is a form with ranks_scores. Doubles; exp and log make rs_grpo's
/// forms the host's alone. A group of one gets 0.
void rank_candidates(score_matrix const& matrix, advantage_spec const& spec, ranking_scratch& scratch,
                     std::span<double> out);

}  // namespace optgap
