// The rewards of judgements, and their agreement with proven results.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "optgap/roles/judge.hpp"

namespace optgap {
namespace {

constexpr double unrewarded = std::numeric_limits<double>::quiet_NaN();

double judge_earns(judge_reward by, double value, judge_truth const& truth) {
    if (by == judge_reward::band) {
        return 1 - 0.5 * std::abs(band_of(value) - truth.band);
    }
    double const miss = value - truth.value;
    return 1 - miss * miss;
}

/// Finds the best mean of a judge that gives one score to all rows. Band rewards are sums of halves, exact in doubles.
void subtract_best_constant(judge_reward by, std::span<judged_row const> rows, judge_result& out) {
    for (std::int32_t score = 1; score <= judge_scores; ++score) {
        double sum = 0;
        std::int64_t known = 0;
        for (judged_row const& row : rows) {
            if (row.truth.known()) {
                sum += judge_earns(by, double(score - 1) / 9.0, row.truth);
                ++known;
            }
        }
        if (known > 0 && sum / double(known) > out.constant) {
            out.constant = sum / double(known);
            out.constant_score = score;
        }
    }
}

/// Counts how many were added below a place, in logarithmic time.
class counted_places {
public:
    explicit counted_places(std::size_t places) : sums_(places + 1) {}
    void add(std::size_t place) {
        for (std::size_t at = place + 1; at < sums_.size(); at += at & (~at + 1)) {
            ++sums_[at];
        }
        ++all_;
    }
    [[nodiscard]] std::int64_t below(std::size_t place) const {
        std::int64_t sum = 0;
        for (std::size_t at = place; at > 0; at &= at - 1) {
            sum += sums_[at];
        }
        return sum;
    }
    [[nodiscard]] std::int64_t all() const { return all_; }

private:
    std::vector<std::int64_t> sums_;
    std::int64_t all_ = 0;
};

/// Writes, for each row of the group `those`, its share of correctly ordered pairs to `out`.
void order_pairs(std::span<judged_row const> rows, std::vector<std::size_t> those, std::span<double> out) {
    std::vector<double> values;
    std::vector<std::size_t> readable;
    for (std::size_t const r : those) {
        if (rows[r].truth.known() && rows[r].said.readable()) {
            readable.push_back(r);
            values.push_back(rows[r].said.value);
        }
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    auto const place = [&](std::size_t r) {
        return std::size_t(std::ranges::lower_bound(values, rows[r].said.value) - values.begin());
    };
    std::ranges::stable_sort(readable, {}, [&](std::size_t r) { return rows[r].truth.value; });
    std::vector<std::int64_t> halves(rows.size(), 0), pairs(rows.size(), 0);
    for (bool const upwards : {true, false}) {  // compares with worse ones, then with better ones
        counted_places seen(values.size());
        for (std::size_t first = 0; first < readable.size();) {
            auto const at = [&](std::size_t k) { return readable[upwards ? k : readable.size() - 1 - k]; };
            std::size_t last = first;
            while (last < readable.size() && rows[at(last)].truth.value == rows[at(first)].truth.value) {
                ++last;
            }
            for (std::size_t k = first; k < last; ++k) {
                std::int64_t const below = seen.below(place(at(k))), up_to = seen.below(place(at(k)) + 1);
                std::int64_t const right = upwards ? below : seen.all() - up_to;
                halves[at(k)] += 2 * right + (up_to - below);
                pairs[at(k)] += seen.all();
            }
            for (std::size_t k = first; k < last; ++k) {
                seen.add(place(at(k)));
            }
            first = last;
        }
    }
    for (std::size_t const r : readable) {
        out[r] = pairs[r] == 0 ? unrewarded : double(halves[r]) / double(2 * pairs[r]);
    }
    for (std::size_t const r : those) {
        if (rows[r].truth.known() && !rows[r].said.readable()) {
            bool const compared = std::ranges::any_of(
                readable, [&](std::size_t other) { return rows[other].truth.value != rows[r].truth.value; });
            out[r] = compared ? 0.0 : unrewarded;
        }
    }
}

}  // namespace

judge_result judge_results(judge_reward by, std::span<judged_row const> rows) {
    judge_result out;
    out.own.assign(rows.size(), unrewarded);
    if (by == judge_reward::pairs) {
        std::map<std::int32_t, std::vector<std::size_t>> groups;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            groups[rows[r].group].push_back(r);
        }
        for (auto& [group, those] : groups) {
            order_pairs(rows, std::move(those), out.own);
        }
        out.constant = 0.5;
        return out;
    }
    if (by != judge_reward::format) {
        subtract_best_constant(by, rows, out);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        judged_row const& row = rows[r];
        out.own[r] = by == judge_reward::format ? row.said.form
                     : !row.truth.known()       ? unrewarded
                     : row.said.readable()      ? judge_earns(by, row.said.value, row.truth)
                                                : 0.0;
    }
    return out;
}

std::vector<float> judge_rewards(judge_reward by, std::span<judged_row const> rows) {
    judge_result const rewarded = judge_results(by, rows);
    std::vector<float> out(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out[r] = float(rewarded.own[r] - rewarded.constant);
    }
    return out;
}

void judge_counts::add(judged_row const& row) {
    ++rows;
    if (!row.said.readable()) {
        ++unreadable;
    } else if (!row.truth.known()) {
        ++unproven;
    } else {
        std::int32_t const place = std::int32_t(std::lround(9 * row.said.value));
        ++scored[std::size_t(row.truth.band)][std::size_t(place)];
        truth_sum[std::size_t(place)] += std::llround(row.truth.value * double(1 << 20));
    }
}

judge_counts& judge_counts::operator+=(judge_counts const& other) {
    rows += other.rows;
    unreadable += other.unreadable;
    unproven += other.unproven;
    for (std::size_t s = 0; s < judge_scores; ++s) {
        truth_sum[s] += other.truth_sum[s];
        for (std::size_t b = 0; b < judge_bands; ++b) {
            scored[b][s] += other.scored[b][s];
        }
    }
    return *this;
}

std::int64_t judge_counts::confusion(std::int32_t truth, std::int32_t said) const {
    std::int64_t sum = 0;
    for (std::int32_t score = 1; score <= judge_scores; ++score) {
        sum += band_of(double(score - 1) / 9.0) == said ? scored[std::size_t(truth)][std::size_t(score - 1)] : 0;
    }
    return sum;
}

double judge_counts::kappa() const {
    double all = 0, seen = 0, by_chance = 0;
    double truth[judge_bands] = {}, said[judge_bands] = {};
    for (std::int32_t t = 0; t < judge_bands; ++t) {
        for (std::int32_t s = 0; s < judge_bands; ++s) {
            double const here = double(confusion(t, s));
            all += here;
            truth[t] += here;
            said[s] += here;
            seen += here * (t - s) * (t - s);
        }
    }
    for (std::int32_t t = 0; t < judge_bands; ++t) {
        for (std::int32_t s = 0; s < judge_bands; ++s) {
            by_chance += truth[t] * said[s] * (t - s) * (t - s);
        }
    }
    return by_chance == 0 ? unrewarded : 1 - all * seen / by_chance;
}

double judge_counts::auc() const {
    double right = 0, pairs = 0;
    for (std::size_t high = 1; high < judge_bands; ++high) {
        for (std::size_t low = 0; low < high; ++low) {
            double below = 0;
            for (std::size_t s = 0; s < judge_scores; ++s) {
                double const better = double(scored[high][s]);
                right += better * (below + double(scored[low][s]) / 2);
                below += double(scored[low][s]);
                pairs += better * double(std::accumulate(scored[low].begin(), scored[low].end(), std::int64_t(0)));
            }
        }
    }
    return pairs == 0 ? unrewarded : right / pairs;
}

double judge_counts::calibration(std::int32_t score) const {
    std::size_t const at = std::size_t(score - 1);
    std::int64_t count = 0;
    for (auto const& band : scored) {
        count += band[at];
    }
    return count == 0 ? unrewarded : double(truth_sum[at]) / double(1 << 20) / double(count);
}

}  // namespace optgap
