#include "host/reward/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "kernels/reward/advantage.hpp"

namespace optgap {

namespace {

constexpr double largest_beta = 1e6;
constexpr double least_rest = 1e-6;    ///< of the others' mean weight: a group of two has no finite beta
constexpr std::int64_t pairwise = 64;  ///< up to this many candidates ranks are counted, above they are sorted

bool valid(double score) { return !std::isnan(score); }

/// 2 * midrank per candidate, #better * 2 + #equal + 1; 0 for an invalid one. Scores compare exactly. Larger is better.
void count_ranks(std::span<double const> scores, std::span<double> twice_rank) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
        std::int32_t better = 0;
        std::int32_t equal = 0;
        for (double const other : scores) {
            better += other > scores[i] ? 1 : 0;
            equal += other == scores[i] ? 1 : 0;
        }
        twice_rank[i] = equal == 0 ? 0.0 : double(2 * better + equal + 1);
    }
}

void sort_ranks(std::span<double const> scores, std::vector<std::int32_t>& order, std::span<double> twice_rank) {
    order.clear();
    for (std::size_t i = 0; i < scores.size(); ++i) {
        twice_rank[i] = 0.0;
        if (valid(scores[i])) {
            order.push_back(std::int32_t(i));
        }
    }
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return scores[std::size_t(a)] > scores[std::size_t(b)]; });
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && scores[std::size_t(order[end])] == scores[std::size_t(order[begin])]) {
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) {
            twice_rank[std::size_t(order[i])] = double(begin + end + 1);
        }
        begin = end;
    }
}

/// In the shape that the kernels' sums have.
template <class Term>
double sum_of(std::span<double const> values, Term const& term) {
    std::array<double, sum_lanes> partial;
    solo team;
    return fixed_sum(team, std::int64_t(values.size()), partial.data(),
                     [&](std::int64_t k) { return term(values[std::size_t(k)]); });
}

double mean_of(std::span<double const> values) {
    return sum_of(values, [](double x) { return x; }) / double(values.size());
}

/// Sample standard deviation, exactly 0 for equal values.
double deviation_of(std::span<double const> values, double mean) {
    bool const constant = std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; });
    if (constant) {
        return 0.0;
    }
    double const squares = sum_of(values, [mean](double x) { return (x - mean) * (x - mean); });
    return std::sqrt(squares / double(values.size() - 1));
}

/// (x - mean) / (s1 + epsilon), zeros for equal values.
void standardise(std::span<double> values, double epsilon) {
    double const mean = mean_of(values);
    double const deviation = deviation_of(values, mean);
    for (double& x : values) {
        x = deviation > 0.0 ? (x - mean) / (deviation + epsilon) : 0.0;
    }
}

class ranker {
public:
    ranker(score_matrix const& matrix, advantage_spec const& spec, ranking_scratch& scratch, std::span<double> out)
        : matrix_(matrix), spec_(spec), scratch_(scratch), out_(out) {
        scratch_.column.resize(std::size_t(matrix.candidates));
        scratch_.value.resize(std::size_t(matrix.candidates));
    }

    void run() {
        std::fill(out_.begin(), out_.end(), 0.0);
        for (std::int64_t m = 0; m < matrix_.instances; ++m) {
            load(m);
            score_column();
            for (std::size_t k = 0; k < out_.size(); ++k) {
                out_[k] += scratch_.value[k];
            }
        }
        for (double& x : out_) {
            x /= double(matrix_.instances);
        }
        finish();
    }

private:
    /// Oriented so that larger is better.
    void load(std::int64_t m) {
        double const sign = matrix_.direction == sense::maximise ? 1.0 : -1.0;
        for (std::size_t k = 0; k < out_.size(); ++k) {
            scratch_.column[k] = sign * matrix_.at(std::int64_t(k), m);
        }
    }

    void score_column() {
        switch (spec_.form) {
            case estimator::river: river(); return;
            case estimator::rank_uniform: uniform(); return;
            case estimator::instance_norm:
                impute();
                standardise(scratch_.value, spec_.epsilon);
                return;
            default: impute(); return;  // the others average raw scores
        }
    }

    void finish() {
        switch (spec_.form) {
            case estimator::river: post(); return;
            case estimator::raw: standardise(out_, spec_.epsilon); return;
            case estimator::raw_binary: {
                double const best = *std::max_element(out_.begin(), out_.end());
                std::transform(out_.begin(), out_.end(), out_.begin(), [&](double x) { return x == best ? 1.0 : 0.0; });
                standardise(out_, spec_.epsilon);
                return;
            }
            case estimator::rs_grpo: risk_sensitive(spec_.beta); return;
            case estimator::rs_grpo_adaptive: adaptive(); return;
            default: return;
        }
    }

    void rank() {
        if (matrix_.candidates <= pairwise) {
            count_ranks(scratch_.column, scratch_.value);
        } else {
            sort_ranks(scratch_.column, scratch_.order, scratch_.value);
        }
    }

    void river() {
        rank();
        rank_spec const& how = spec_.rank;
        auto const group = double(matrix_.candidates);
        auto const found = double(
            std::count_if(scratch_.value.begin(), scratch_.value.end(), [](double twice) { return twice > 0.0; }));
        double const denominator = how.denominator == rank_denominator::valid && found >= 4.0 ? found : group;
        double best = 2.0 * group + 2.0;
        for (double const twice : scratch_.value) {
            best = twice > 0.0 && twice < best ? twice : best;
        }
        bool won = false;
        for (double& x : scratch_.value) {
            bool const leads = how.tie == rank_winner::exact ? x == 2.0 : x == best;
            if (x == 0.0) {
                x = how.invalid;
            } else if (leads && !(how.tie == rank_winner::lowest_index && won)) {
                x = how.winner;
                won = true;
            } else {
                double const share = (2.0 * (denominator - 1.0) - x) / (2.0 * (denominator - 3.0));
                x = how.low + std::clamp(share, 0.0, 1.0) * (how.high - how.low);
            }
        }
    }

    void post() {
        if (spec_.rank.post == rank_post::standardise) {
            standardise(out_, spec_.epsilon);
        } else if (spec_.rank.post == rank_post::center) {
            double const mean = mean_of(out_);
            bool const constant = std::all_of(out_.begin(), out_.end(), [&](double x) { return x == out_[0]; });
            for (double& x : out_) {
                x = constant ? 0.0 : x - mean;
            }
        }
    }

    void uniform() {
        rank();
        for (double& x : scratch_.value) {
            x = x == 0.0 ? -1.0 : 1.0 - (x - 2.0) / double(matrix_.candidates - 1);
        }
    }

    /// Raw scores, larger is better. An invalid candidate gets 0 where more is better; where less is better it is worse
    /// than the worst by the valid scores' whole range, and -1 when none is valid.
    void impute() {
        double worst = INFINITY;
        double best = -INFINITY;
        for (double const x : scratch_.column) {
            worst = x < worst ? x : worst;
            best = x > best ? x : best;
        }
        bool const maximise = matrix_.direction == sense::maximise;
        double const stand_in = maximise ? 0.0 : (worst <= best ? worst - (best - worst) : -1.0);
        for (std::size_t k = 0; k < out_.size(); ++k) {
            scratch_.value[k] = valid(scratch_.column[k]) ? scratch_.column[k] : stand_in;
        }
    }

    [[nodiscard]] bool constant() const {
        return std::all_of(out_.begin(), out_.end(), [&](double x) { return x == out_[0]; });
    }

    void risk_sensitive(double beta) {
        if (constant()) {
            std::fill(out_.begin(), out_.end(), 0.0);
            return;
        }
        double const top = *std::max_element(out_.begin(), out_.end());
        for (double& x : out_) {
            x = std::exp(beta * (x - top));
        }
        double const mean = mean_of(out_);
        for (double& x : out_) {
            x = (x / mean - 1.0) / beta;
        }
    }

    /// KL(softmax(beta R) || uniform), with the exponentials left in scratch.
    double divergence(double beta, double top) {
        scratch_.other.resize(out_.size());
        double sum = 0.0;
        for (std::size_t k = 0; k < out_.size(); ++k) {
            scratch_.other[k] = std::exp(beta * (out_[k] - top));
            sum += scratch_.other[k];
        }
        double kl = std::log(double(out_.size()));
        for (double const e : scratch_.other) {
            double const p = e / sum;
            kl += p > 0.0 ? p * std::log(p) : 0.0;
        }
        return kl;
    }

    void adaptive() {
        if (constant()) {
            std::fill(out_.begin(), out_.end(), 0.0);
            return;
        }
        double const top = *std::max_element(out_.begin(), out_.end());
        double low = 0.0;
        double high = 1.0;
        double const target = std::log(2.0);
        while (high < largest_beta && divergence(high, top) < target) {
            low = high;
            high *= 2.0;
        }
        if (high >= largest_beta) {
            low = high = largest_beta;
        }
        for (int i = 0; i < 60 && low < high; ++i) {
            double const middle = (low + high) / 2.0;
            (divergence(middle, top) < target ? low : high) = middle;
        }
        divergence(high, top);
        double const sum = std::accumulate(scratch_.other.begin(), scratch_.other.end(), 0.0);
        auto const others = double(out_.size() - 1);
        for (std::size_t k = 0; k < out_.size(); ++k) {
            double const rest = std::max((sum - scratch_.other[k]) / others, least_rest);
            out_[k] = scratch_.other[k] / rest - 1.0;
        }
    }

    score_matrix const& matrix_;
    advantage_spec const& spec_;
    ranking_scratch& scratch_;
    std::span<double> out_;
};

}  // namespace

void rank_candidates(score_matrix const& matrix, advantage_spec const& spec, ranking_scratch& scratch,
                     std::span<double> out) {
    if (matrix.candidates < 2) {
        std::fill(out.begin(), out.end(), 0.0);
        return;
    }
    ranker(matrix, spec, scratch, out).run();
}

void rank_group(rank_inputs const& in, std::int64_t group, advantage_spec const& spec, ranking_scratch& scratch,
                std::span<double> out) {
    std::int64_t const first = in.begin[std::size_t(group)];
    std::int64_t const rows = in.begin[std::size_t(group) + 1] - first;
    rank_candidates({in.scores.data() + first * in.columns, rows, in.columns, in.direction[std::size_t(group)]}, spec,
                    scratch, out.subspan(std::size_t(first), std::size_t(rows)));
}

}  // namespace optgap
