// The kind `linear`: cases over variables that are 0 or 1, each closed by a sum of inequalities.

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "tools/cli/prove/dual_simplex.hpp"
#include "tools/cli/prove/proof_tree.hpp"

namespace optgap::cli {
namespace {

class linear_prover {
public:
    linear_prover(linear_model model, std::size_t max_bytes)
        : model_(std::move(model)), max_bytes_(max_bytes), fixed_(model_.costs.size(), -1) {}

    proof_text prove() {
        if (!close_case()) {
            return {"", reason_};
        }
        return {"{\"kind\": \"linear\", \"tree\": [" + tree_ + "]}", ""};
    }

private:
    void add(std::string const& node) { tree_ += (tree_.empty() ? "" : ", ") + node; }

    bool close_case() {
        if (tree_.size() > max_bytes_) {
            reason_ = too_long(max_bytes_);
            return false;
        }
        bounded_model found;
        do {
            found = bound_model(model_, fixed_, double(model_.goal) - 0.7);
            if (found.bound > double(model_.goal) - 1 + 1e-6 && write_leaf(found.weights)) {
                return true;
            }
        } while (add_rows(found.values));
        std::int32_t branch = -1;
        double best = 1e-6;
        for (std::size_t v = 0; v < fixed_.size(); ++v) {
            double const apart = std::min(found.values[v], 1 - found.values[v]);
            if (fixed_[v] < 0 && apart > best) {
                best = apart;
                branch = std::int32_t(v);
            }
        }
        if (branch < 0) {
            reason_ = "the inequalities of the task's kind of proof do not settle a case";
            return false;
        }
        add(std::to_string(branch));
        for (std::int8_t const value : {std::int8_t(0), std::int8_t(1)}) {
            fixed_[std::size_t(branch)] = value;
            if (!close_case()) {
                return false;
            }
        }
        fixed_[std::size_t(branch)] = -1;
        return true;
    }

    /// Rows that the values break; false when there are none, or too many already.
    bool add_rows(std::vector<double> const& values) {
        if (!model_.separate || model_.rows.size() > 4000) {
            return false;
        }
        std::vector<linear_row> more = model_.separate(values);
        std::erase_if(more, [&](linear_row const& row) { return !names_.insert(row.name).second; });
        model_.rows.insert(model_.rows.end(), more.begin(), more.end());
        return !more.empty();
    }

    /// The least scale at which the rounded weights still prove the case.
    bool write_leaf(std::vector<double> const& weights) {
        std::vector<std::int64_t> whole(weights.size());
        for (std::int64_t const scale : {1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 30, 60, 120, 420, 1000, 10000, 1000000}) {
            for (std::size_t r = 0; r < weights.size(); ++r) {
                whole[r] = std::llround(weights[r] * double(scale));
            }
            if (proves(whole, scale)) {
                std::string leaf = fmt::format("[{}", scale);
                for (std::size_t r = 0; r < whole.size(); ++r) {
                    leaf += whole[r] == 0 ? "" : fmt::format(", [{}, {}]", whole[r], spaced(model_.rows[r].name));
                }
                add(leaf + "]");
                return true;
            }
        }
        return false;
    }

    /// As the checker counts.
    [[nodiscard]] bool proves(std::vector<std::int64_t> const& weights, std::int64_t scale) const {
        using wide = __int128;
        std::vector<wide> left(model_.costs.size());
        wide total = 0;
        for (std::size_t v = 0; v < left.size(); ++v) {
            left[v] = wide(scale) * model_.costs[v];
        }
        for (std::size_t r = 0; r < weights.size(); ++r) {
            total += wide(weights[r]) * model_.rows[r].at_least;
            for (auto const& [v, factor] : model_.rows[r].terms) {
                left[std::size_t(v)] -= wide(weights[r]) * factor;
            }
        }
        for (std::size_t v = 0; v < left.size(); ++v) {
            total += fixed_[v] >= 0 ? left[v] * fixed_[v] : left[v] < 0 ? left[v] : wide(0);
        }
        return total > wide(scale) * (model_.goal - 1);
    }

    static std::string spaced(std::string const& name) {
        std::string out;
        for (char const c : name) {
            out += c;
            out += c == ',' ? " " : "";
        }
        return out;
    }

    linear_model model_;
    std::size_t max_bytes_;
    std::vector<std::int8_t> fixed_;
    std::set<std::string> names_;  ///< of the rows that were added
    std::string tree_;
    std::string reason_;
};

}  // namespace

std::string too_long(std::size_t max_bytes) {
    return fmt::format("the proof is longer than {} bytes (--max-bytes)", max_bytes);
}

proof_text prove_linear(linear_model const& model, std::size_t max_bytes) {
    // The table of the simplex method, in doubles.
    double const cells = double(model.costs.size()) * double(model.rows.size() + 2 * model.costs.size());
    if (cells > 2e7) {
        return {"",
                fmt::format("{} variables and {} inequalities are too many", model.costs.size(), model.rows.size())};
    }
    return linear_prover(model, max_bytes).prove();
}

}  // namespace optgap::cli
