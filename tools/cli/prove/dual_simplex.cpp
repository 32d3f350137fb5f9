#include "tools/cli/prove/dual_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace optgap::cli {
namespace {

constexpr double tiny = 1e-9;

/// The dual of: least cost over 0 <= x <= 1 where all rows hold. A variable with a negative cost is counted the other
/// way round (1 - x), so that no cost is negative and all weights 0 are a start. Columns are the rows' weights, then
/// for each variable what its upper limit weighs and its slack.
class tableau {
public:
    tableau(linear_model const& model, std::vector<std::int8_t> const& fixed)
        : model_(model), place_(fixed.size(), -1) {
        for (std::size_t v = 0; v < fixed.size(); ++v) {
            if (fixed[v] < 0) {
                place_[v] = std::int32_t(free_.size());
                free_.push_back(v);
            }
        }
        columns_ = model.rows.size() + 2 * free_.size();
        cells_.assign((free_.size() + 1) * (columns_ + 1), 0.0);
        for (std::size_t v = 0; v < fixed.size(); ++v) {
            start_ += fixed[v] == 1 ? double(model.costs[v]) : 0.0;
        }
        for (std::size_t k = 0; k < free_.size(); ++k) {
            auto const cost = double(model.costs[free_[k]]);
            start_ += std::min(0.0, cost);
            // A hair more for each, another one each time, so that few pivots stand still.
            cell(k, columns_) = std::fabs(cost) + 1e-7 * double(1 + (k * 7919) % 101);
            cell(k, model.rows.size() + k) = -1;
            cell(k, model.rows.size() + free_.size() + k) = 1;
            gain(model.rows.size() + k) = -1;
            basis_.push_back(model.rows.size() + free_.size() + k);
        }
        for (std::size_t r = 0; r < model.rows.size(); ++r) {
            auto least = double(model.rows[r].at_least);
            for (auto const& [v, factor] : model.rows[r].terms) {
                bool const turned = model.costs[std::size_t(v)] < 0;
                if (place_[std::size_t(v)] >= 0) {
                    cell(std::size_t(place_[std::size_t(v)]), r) += turned ? -double(factor) : double(factor);
                    least -= turned ? double(factor) : 0.0;
                } else {
                    least -= fixed[std::size_t(v)] == 1 ? double(factor) : 0.0;
                }
            }
            gain(r) = least;
        }
    }

    void solve(double enough) {
        int still = 0;
        for (std::size_t turns = 0; turns < 50 * (columns_ + 10) && bound() <= enough; ++turns) {
            std::size_t enters = columns_;
            for (std::size_t c = 0; c < columns_; ++c) {
                if (gain(c) > tiny && (enters == columns_ || (still < 40 && gain(c) > gain(enters)))) {
                    enters = c;
                }
            }
            if (enters == columns_) {
                return;
            }
            std::size_t leaves = free_.size();
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < free_.size(); ++k) {
                double const at = cell(k, enters);
                if (at > tiny && (cell(k, columns_) / at < least - tiny ||
                                  (cell(k, columns_) / at < least + tiny && basis_[k] < basis_[leaves]))) {
                    least = cell(k, columns_) / at;
                    leaves = k;
                }
            }
            if (leaves == free_.size()) {
                // No limit: the case has no answer at all. Far enough along is enough.
                double const far = (enough + 1 - bound()) / gain(enters);
                for (std::size_t k = 0; k < free_.size(); ++k) {
                    cell(k, columns_) -= far * cell(k, enters);
                }
                beyond_ = far;
                beyond_column_ = enters;
                won_ += far * gain(enters);
                return;
            }
            still = least * gain(enters) > tiny ? 0 : still + 1;
            pivot(leaves, enters);
        }
    }

    [[nodiscard]] bounded_model result() {
        bounded_model out{bound(), std::vector<double>(model_.rows.size()), std::vector<double>(place_.size())};
        for (std::size_t k = 0; k < free_.size(); ++k) {
            if (basis_[k] < model_.rows.size()) {
                out.weights[basis_[k]] = std::max(0.0, cell(k, columns_));
            }
            double const x = std::clamp(-gain(model_.rows.size() + free_.size() + k), 0.0, 1.0);
            out.values[free_[k]] = model_.costs[free_[k]] < 0 ? 1 - x : x;
        }
        if (beyond_column_ < model_.rows.size()) {
            out.weights[beyond_column_] += beyond_;
        }
        return out;
    }

private:
    double& cell(std::size_t row, std::size_t column) { return cells_[row * (columns_ + 1) + column]; }
    /// What a unit of a column adds to the bound.
    double& gain(std::size_t column) { return cell(free_.size(), column); }
    [[nodiscard]] double bound() const { return start_ + won_; }

    void pivot(std::size_t leaves, std::size_t enters) {
        double const by = cell(leaves, enters);
        won_ += gain(enters) * cell(leaves, columns_) / by;
        double* const own = &cell(leaves, 0);
        for (std::size_t c = 0; c <= columns_; ++c) {
            own[c] /= by;
        }
        for (std::size_t k = 0; k <= free_.size(); ++k) {
            double const times = k == leaves ? 0.0 : cell(k, enters);
            if (times != 0) {
                double* const other = &cell(k, 0);
                for (std::size_t c = 0; c <= columns_; ++c) {
                    other[c] -= times * own[c];
                }
            }
        }
        basis_[leaves] = enters;
    }

    linear_model const& model_;
    std::vector<std::int32_t> place_;  ///< of a variable among the free ones
    std::vector<std::size_t> free_, basis_;
    std::size_t columns_ = 0;
    std::vector<double> cells_;
    double start_ = 0, won_ = 0, beyond_ = 0;
    std::size_t beyond_column_ = std::size_t(-1);
};

}  // namespace

bounded_model bound_model(linear_model const& model, std::vector<std::int8_t> const& fixed, double enough) {
    tableau table(model, fixed);
    table.solve(enough);
    return table.result();
}

}  // namespace optgap::cli
