// Certificates for optima of bisection (docs/certificates.md; the checker's side:
// tools/certificates/tasks/bisection.py and tools/certificates/proofs/bisection.py).

#include <algorithm>
#include <utility>

#include "kernels/text/certificate.hpp"

namespace {

using optgap::numbers;

std::int64_t bound(optgap::instance_fields const& instance) {
    static_cast<void>(instance);
    return 0;
}

/// A case of the tree: some vertices are in half 0 or 1.
struct halves {
    std::vector<std::int8_t> half;  ///< of each vertex; -1: open
    numbers cost[2];                ///< cost of joining that half: weight of the edges into the other one
    std::int64_t room[2];
    std::int64_t cut = 0;

    explicit halves(std::size_t n)
        : half(n, -1), cost{numbers(n), numbers(n)}, room{std::int64_t(n / 2), std::int64_t(n / 2)} {}

    void join(std::size_t v, int to, optgap::number_rows const& weights) {
        half[v] = std::int8_t(to);
        --room[to];
        cut += cost[to][v];
        for (std::size_t u = 0; u < half.size(); ++u) {
            cost[1 - to][u] += weights[v][u];
        }
    }
};

class prover {
public:
    prover(optgap::number_rows weights, std::int64_t goal, std::size_t max_bytes)
        : weights_(std::move(weights)), goal_(goal), max_bytes_(max_bytes) {}

    /// The text of the tree; empty if it would be longer than allowed.
    std::string tree() {
        halves first(weights_.size());
        first.join(0, 0, weights_);
        return close(first) ? text_ : "";
    }

private:
    /// The bound of the case. Computes for each open vertex how much more half 0 costs than half 1. The vertices for
    /// which half 0 is least expensive are its mates in the least expensive halves.
    std::int64_t least(halves const& one) {
        added_cost_.clear();
        std::int64_t sum = one.cut;
        for (std::size_t v = 0; v < one.half.size(); ++v) {
            if (one.half[v] < 0) {
                added_cost_.emplace_back(one.cost[0][v] - one.cost[1][v], v);
                sum += one.cost[1][v];
            }
        }
        auto const mates = added_cost_.begin() + std::ptrdiff_t(one.room[0]);
        if (mates != added_cost_.end()) {
            std::nth_element(added_cost_.begin(), mates, added_cost_.end());
        }
        for (auto at = added_cost_.begin(); at != mates; ++at) {
            sum += at->first;
        }
        return sum;
    }

    /// The price of a place in half 0 with which the checker finds `least`: higher than what any mate gains, and lower
    /// than what any other vertex would gain.
    std::int64_t price(halves const& one) {
        if (added_cost_.empty()) {
            return 0;
        }
        auto const mates = added_cost_.begin() + std::ptrdiff_t(one.room[0]);
        std::int64_t const found = one.room[0] == 0 ? std::min_element(added_cost_.begin(), added_cost_.end())->first
                                                    : std::max_element(added_cost_.begin(), mates)->first;
        return -found;
    }

    /// The vertex for which the bounds of both halves rise most, among as many as time allows with the heaviest edges
    /// to open vertices. The checker needs no rule for it, because the tree names the vertex.
    std::size_t branch(halves const& one, std::int64_t now) {
        std::vector<std::pair<std::int64_t, std::size_t>> open;
        for (std::size_t v = 0; v < one.half.size(); ++v) {
            if (one.half[v] < 0) {
                std::int64_t heavy = 0;
                for (std::size_t u = 0; u < one.half.size(); ++u) {
                    heavy -= one.half[u] < 0 ? weights_[v][u] : 0;
                }
                open.emplace_back(heavy, v);
            }
        }
        std::sort(open.begin(), open.end());
        open.resize(std::min(open.size(), std::max<std::size_t>(8, 2500 / one.half.size())));
        std::size_t best = open.front().second;
        constexpr std::int64_t enough = (std::int64_t(1) << 31) - 1;  // two factors fit
        std::int64_t most = -1;
        for (auto const& [heavy, v] : open) {
            std::int64_t gain = 1;
            for (int const to : {0, 1}) {
                std::int64_t rise = goal_ - now;
                if (one.room[to] > 0) {
                    halves after = one;
                    after.join(v, to, weights_);
                    rise = std::min(rise, least(after) - now);
                }
                gain *= std::min(rise, enough) + 1;
            }
            if (gain > most) {
                most = gain;
                best = v;
            }
        }
        return best;
    }

    void add(std::string const& node) { text_ += (text_.empty() ? "" : ", ") + node; }

    /// Writes the case's part of the tree. Returns false if it is too long.
    bool close(halves const& one) {
        std::int64_t const now = least(one);
        if (now >= goal_) {
            add("[" + std::to_string(price(one)) + "]");
            return text_.size() <= max_bytes_;
        }
        if (added_cost_.empty()) {
            return false;  // a better answer: the engine's proof is wrong
        }
        std::size_t const v = branch(one, now);
        add(std::to_string(v));
        for (int const to : {0, 1}) {
            if (one.room[to] > 0) {
                halves after = one;
                after.join(v, to, weights_);
                if (!close(after)) {
                    return false;
                }
            }
        }
        return true;
    }

    optgap::number_rows weights_;
    std::int64_t goal_;
    std::size_t max_bytes_;
    std::string text_;
    std::vector<std::pair<std::int64_t, std::size_t>> added_cost_;
};

/// An odd graph has one additional vertex without edges.
std::string branch(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::size_t max_bytes) {
    auto const n = std::size_t(instance.number("n"));
    if (!objective || n > 256) {
        return "";
    }
    std::size_t const even = n + n % 2;
    optgap::number_rows weights(even, numbers(even));
    for (numbers const& edge : instance.rows("edges")) {
        weights[std::size_t(edge[0])][std::size_t(edge[1])] = edge[2];
        weights[std::size_t(edge[1])][std::size_t(edge[0])] = edge[2];
    }
    return prover(std::move(weights), *objective, max_bytes).tree();
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_bisection;
optgap::certificate_form const optgap_certificate_bisection{.bound = bound, .branch = branch};
