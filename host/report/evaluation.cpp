#include "host/report/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "host/report/shares.hpp"
#include "kernels/core/rng.hpp"

namespace optgap {

namespace {

constexpr std::uint32_t bootstrap_domain = 0x626f6f74;

/// Numerator and denominator of one rate, summed over some groups.
struct share {
    double part = 0;
    double whole = 0;
    void add(share other) {
        part += other.part;
        whole += other.whole;
    }
    [[nodiscard]] double value() const { return whole == 0 ? std::nan("") : part / whole; }
};

/// The contribution of each group to each rate: row g * rates + r.
struct contributions {
    std::size_t rates;
    std::vector<share> of;
    [[nodiscard]] std::size_t groups() const { return of.size() / rates; }
};

contributions contributions_of(std::span<group_outcomes const* const> groups, evaluation_options const& options) {
    contributions all{3 + 2 * options.k.size(), {}};
    all.of.reserve(groups.size() * all.rates);
    for (group_outcomes const* group : groups) {
        auto const rows = double(group->rows);
        all.of.push_back({double(group->feasible), rows});
        all.of.push_back({group->quality, rows});
        all.of.push_back({group->normalized, rows});
        std::int64_t const passed = std::count_if(group->qualities.begin(), group->qualities.end(),
                                                  [&](float quality) { return double(quality) >= options.correct; });
        for (std::int32_t const k : options.k) {
            bool const enough = group->rows >= k;
            all.of.push_back(enough ? share{pass_at(group->rows, passed, k), 1} : share{});
            all.of.push_back(enough ? share{best_of({group->qualities.begin(), group->qualities.end()}, k), 1}
                                    : share{});
        }
    }
    return all;
}

/// The value at a share of the sorted sample, by the nearest rank.
double quantile(std::vector<double>& sample, double at) {
    std::erase_if(sample, [](double x) { return std::isnan(x); });
    if (sample.empty()) {
        return std::nan("");
    }
    auto const rank = std::ptrdiff_t(std::floor(at * double(sample.size() - 1) + 0.5));
    std::nth_element(sample.begin(), sample.begin() + rank, sample.end());
    return sample[std::size_t(rank)];
}

std::vector<estimate> estimates_of(contributions const& all, evaluation_options const& options) {
    std::vector<share> sums(all.rates);
    for (std::size_t i = 0; i < all.of.size(); ++i) {
        sums[i % all.rates].add(all.of[i]);
    }
    std::vector<std::vector<double>> resampled(all.rates);
    std::vector<share> drawn;
    std::size_t const groups = all.groups();
    for (std::int32_t b = 0; b < options.resamples && groups > 0; ++b) {
        drawn.assign(all.rates, {});
        draw_stream stream({options.seed, bootstrap_domain}, std::uint32_t(b));
        for (std::size_t i = 0; i < groups; ++i) {
            auto const g = std::size_t(stream.uniform(0, std::int32_t(groups - 1)));
            for (std::size_t r = 0; r < all.rates; ++r) {
                drawn[r].add(all.of[g * all.rates + r]);
            }
        }
        for (std::size_t r = 0; r < all.rates; ++r) {
            resampled[r].push_back(drawn[r].value());
        }
    }
    std::vector<estimate> out;
    for (std::size_t r = 0; r < all.rates; ++r) {
        double const value = sums[r].value();
        out.push_back(resampled[r].empty()
                          ? estimate{value, value, value}
                          : estimate{value, quantile(resampled[r], 0.025), quantile(resampled[r], 0.975)});
    }
    return out;
}

}  // namespace

void rollout_groups::add(reward_row const& row, std::int32_t group) {
    auto const [at, is_new] = index_.try_emplace(group, groups_.size());
    if (is_new) {
        groups_.emplace_back();
    }
    group_outcomes& into = groups_[at->second];
    ++into.rows;
    into.truncated += row.truncated != 0 ? 1 : 0;
    bool const feasible = row.feasible > 0;
    into.qualities.push_back(feasible ? row.quality : -1.0f);
    if (feasible) {
        ++into.feasible;
        into.quality += double(row.quality);
        into.normalized += double(row.normalized);
    }
    if (!std::isnan(row.reward)) {
        ++into.rewarded;
        into.reward += double(row.reward);
        into.min_reward = std::min(into.min_reward, row.reward);
        into.max_reward = std::max(into.max_reward, row.reward);
    }
}

evaluation evaluate(std::span<rollout_groups const* const> cells, evaluation_options const& options) {
    evaluation out;
    std::vector<group_outcomes const*> groups;
    std::int64_t rewarded = 0;
    for (rollout_groups const* cell : cells) {
        for (group_outcomes const& group : cell->groups()) {
            groups.push_back(&group);
            out.rows += group.rows;
            out.truncated += group.truncated;
            out.zero_variance_groups += group.has_zero_variance() ? 1 : 0;
            out.reward += group.reward;
            rewarded += group.rewarded;
        }
    }
    out.groups = std::int64_t(groups.size());
    out.reward = rewarded == 0 ? std::nan("") : out.reward / double(rewarded);
    std::vector<estimate> const found = estimates_of(contributions_of(groups, options), options);
    out.success_rate = found[0];
    out.quality_ratio = found[1];
    out.normalized_quality_ratio = found[2];
    for (std::size_t i = 0; i < options.k.size(); ++i) {
        std::int32_t const k = options.k[i];
        std::int64_t const large =
            std::count_if(groups.begin(), groups.end(), [k](group_outcomes const* group) { return group->rows >= k; });
        out.at.push_back({k, large, found[3 + 2 * i], found[4 + 2 * i]});
    }
    return out;
}

}  // namespace optgap
