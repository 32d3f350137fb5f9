#include "host/reward/ranking.hpp"

#include <array>

#include "kernels/reward/estimator.hpp"
#include "kernels/reward/fixed_sum.hpp"

namespace optgap {

namespace {

constexpr std::int64_t max_counted = 64;  ///< up to this many candidates ranks are counted, above they are sorted

}  // namespace

void rank_candidates(score_range const& in, advantage_spec const& spec, ranking_scratch& scratch) {
    for (std::vector<double>* const each : {&scratch.column, &scratch.value, &scratch.other}) {
        each->resize(std::max(each->size(), std::size_t(in.count)));
    }
    scratch.order.resize(std::max(scratch.order.size(), std::size_t(in.count)));
    std::array<double, sum_lanes> partial;
    estimator_of(spec.form).scores(in, spec,
                                   {scratch.column.data(), scratch.value.data(), partial.data(), scratch.other.data(),
                                    in.count > max_counted ? scratch.order.data() : nullptr});
}

void rank_group(rank_inputs const& in, std::int64_t group, advantage_spec const& spec, ranking_scratch& scratch,
                std::span<double> out) {
    std::int64_t const first = in.begin[std::size_t(group)];
    std::int64_t const rows = in.begin[std::size_t(group) + 1] - first;
    rank_candidates(
        {in.scores.data() + first * in.columns, rows, in.columns, in.direction[std::size_t(group)], out.data() + first},
        spec, scratch);
}

}  // namespace optgap
