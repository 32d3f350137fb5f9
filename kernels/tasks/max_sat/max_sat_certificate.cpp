// Certificates for optima of max_sat (docs/certificates.md; the checker's side: tools/certificates/tasks/max_sat.py).

#include <algorithm>
#include <numeric>

#include "kernels/text/certificate.hpp"

namespace max_sat_certificate {

std::int64_t bound(optgap::instance_fields const& instance) {
    optgap::numbers const weights = instance.list("weights");
    std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t(0));
    if (instance.has("hard")) {
        optgap::numbers const hard = instance.list("hard");  // a hard clause has weight 1, which is not counted
        total -= std::accumulate(hard.begin(), hard.end(), std::int64_t(0));
    }
    return total;
}

/// The weights, with a hard clause's larger than the sum of all others.
optgap::numbers losses(optgap::instance_fields const& instance) {
    optgap::numbers weights = instance.list("weights");
    if (instance.has("hard")) {
        optgap::numbers const hard = instance.list("hard");
        for (std::size_t c = 0; c < hard.size(); ++c) {
            weights[c] = hard[c] == 1 ? bound(instance) + 1 : weights[c];
        }
    }
    return weights;
}

/// Tries to exceed the objective; the variable that occurs in short clauses with the most weight goes first.
struct values {
    optgap::number_rows clauses;
    optgap::numbers weights;
    std::int64_t total, objective, max_nodes;
    std::vector<int> chosen;  ///< -1: free
    std::vector<std::int32_t> tree = {};

    /// The weight that the rules of the page still allow, and in `pull` how much depends on each value of each
    /// variable.
    [[nodiscard]] std::int64_t can_be_worth(std::vector<double>* pull) const {
        std::int64_t worth = total;
        std::vector<std::int64_t> alone(2 * chosen.size());
        for (std::size_t c = 0; c < clauses.size(); ++c) {
            std::vector<std::size_t> free;
            bool is_true = false;
            for (std::int64_t const one : clauses[c]) {
                auto const variable = std::size_t(std::abs(one) - 1);
                is_true |= chosen[variable] == (one > 0 ? 1 : 0);
                std::size_t const side = 2 * variable + (one > 0 ? 1 : 0);
                if (chosen[variable] < 0 && std::find(free.begin(), free.end(), side) == free.end()) {
                    free.push_back(side);
                }
            }
            if (is_true) {
                continue;
            }
            worth -= free.empty() ? weights[c] : 0;
            if (free.size() == 1) {
                alone[free[0]] += weights[c];
            }
            for (std::size_t const side : free) {
                if (pull != nullptr) {
                    (*pull)[side] += double(weights[c]) * (free.size() == 1 ? 8.0 : free.size() == 2 ? 3.0 : 1.0);
                }
            }
        }
        for (std::size_t v = 0; v < chosen.size(); ++v) {
            worth -= std::min(alone[2 * v], alone[2 * v + 1]);
        }
        return worth;
    }

    bool refute() {
        std::vector<double> pull(2 * chosen.size());
        static_cast<void>(can_be_worth(&pull));
        std::size_t best = chosen.size();
        auto const score = [&](std::size_t v) { return (pull[2 * v] + 1) * (pull[2 * v + 1] + 1); };
        for (std::size_t v = 0; v < chosen.size(); ++v) {
            if (chosen[v] < 0 && (best == chosen.size() || score(v) > score(best))) {
                best = v;
            }
        }
        if (best == chosen.size() || std::int64_t(tree.size()) >= max_nodes) {
            return false;
        }
        tree.push_back(std::int32_t(best));
        for (int const value : {0, 1}) {
            chosen[best] = value;
            if (can_be_worth(nullptr) > objective && !refute()) {
                return false;
            }
        }
        chosen[best] = -1;
        return true;
    }
};

std::vector<std::int32_t> search(optgap::instance_fields const& instance, std::int64_t objective, std::int64_t most) {
    values all{instance.rows("clauses"),
               losses(instance),
               bound(instance),
               objective,
               most,
               std::vector<int>(std::size_t(instance.number("n")), -1)};
    return all.refute() ? all.tree : std::vector<std::int32_t>{};
}

}  // namespace max_sat_certificate

extern optgap::certificate_form const optgap_certificate_max_sat;
optgap::certificate_form const optgap_certificate_max_sat{.bound = max_sat_certificate::bound,
                                                          .search = max_sat_certificate::search};
