#pragma once
// Heaviest cut by Russian doll search (Verfaillie, Lemaître & Schiex 1996). The best cut of the last vertices of an
// order, plus the better side of each vertex before them, bounds every cut of more vertices. Weights may be negative;
// then an upper bound counts only the positive ones. Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// The state of a search; its arrays are words.
struct cut_numbers {
    std::int64_t nodes;
    std::int64_t bound;
    std::int32_t kind;
    std::int32_t ended;
    std::int64_t best;  ///< weight of the doll's best cut
    std::int32_t doll;  ///< first vertex of the vertices that are split
    std::int32_t at;    ///< vertex that gets a side next
};

/// Below, vertices are numbered by their positions in the search's order.
class cut_dolls {
public:
    static constexpr std::int32_t max_vertices = 256;  ///< of a search; for more vertices the bound is trivial
    static constexpr std::int64_t words(std::int64_t n) {
        return n > max_vertices ? 0 : n * n + 2 * (5 * n + 2) + 6 * n;
    }

    cut_dolls(std::int32_t n, std::int32_t const* weights, std::int32_t* memory, cut_numbers& at)
        : n_(n), weights_(weights), at_(at) {
        auto* const wide = reinterpret_cast<std::int64_t*>(memory);
        to_[0] = wide;
        to_[1] = wide + n;
        cut_ = wide + 2 * n;
        later_ = wide + 3 * n + 1;
        doll_ = wide + 4 * n + 1;
        order_ = memory + 2 * (5 * n + 2);
        side_ = order_ + n;
        tried_ = side_ + n;
        first_ = tried_ + n;
        best_side_ = first_ + n;
        answer_ = best_side_ + n;
        heavy_ = answer_ + n;
    }

    void begin(std::int64_t objective) {
        at_.bound = total();
        at_.kind = 2;
        at_.ended = n_ > max_vertices || objective == at_.bound ? 1 : 0;
        if (at_.ended != 0) {
            return;
        }
        make_order();
        for (std::int32_t u = 0; u < n_; ++u) {
            later_[u] = 0;
            for (std::int32_t v = 0; v < n_; ++v) {
                heavy_[u * n_ + v] = weights_[order_[u] * std::int64_t(n_) + order_[v]];
                later_[u] += v > u && heavy_[u * n_ + v] > 0 ? heavy_[u * n_ + v] : 0;
            }
        }
        doll_[n_] = doll_[n_ - 1] = 0;
        best_side_[n_ - 1] = 0;
        at_.doll = n_ - 1;
        at_.best = 0;
        at_.kind = 1;
        at_.at = opening;
    }

    /// Gives one vertex one side, after a first node that sets up the dolls. Returns true if it finds a cut heavier
    /// than `objective`, which it then raises.
    bool node(std::int64_t& objective) {
        if (at_.at == opening) {
            return next_doll(objective);
        }
        std::int32_t const u = at_.at;
        std::int64_t const open = put(u, first_[u] ^ tried_[u]);
        ++tried_[u];
        if (u + 1 == n_) {
            if (cut_[n_] > at_.best) {
                at_.best = cut_[n_];
                for (std::int32_t v = at_.doll; v < n_; ++v) {
                    best_side_[v] = side_[v];
                }
            }
        } else if (cut_[u + 1] + doll_[u + 1] + open > at_.best) {
            enter(u + 1);
            return false;
        }
        take(u);
        std::int32_t up = u;
        while (up > at_.doll && tried_[up] == 2) {
            take(--up);
        }
        at_.at = up;
        // By symmetry the first vertex of a doll needs only one side, and no cut is better than cutting all its edges.
        if (up > at_.doll && at_.best < doll_[at_.doll + 1] + later_[at_.doll]) {
            return false;
        }
        return next_doll(objective);
    }

    void write(std::int32_t* sides) const {
        for (std::int32_t u = 0; u < n_; ++u) {
            sides[order_[u]] = answer_[u];
        }
    }

private:
    static constexpr std::int32_t opening = -1;

    [[nodiscard]] std::int64_t total() const {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < std::int64_t(n_) * n_; ++i) {
            sum += weights_[i] > 0 ? weights_[i] : 0;
        }
        return sum / 2;
    }

    /// Fills the order from the back: the next vertex is the one least connected to the vertices before it, so that
    /// early vertices decide most.
    void make_order() {
        for (std::int32_t u = 0; u < n_; ++u) {
            tried_[u] = 0;
            to_[0][u] = 0;
            for (std::int32_t v = 0; v < n_; ++v) {
                to_[0][u] += size_of(weights_[u * std::int64_t(n_) + v]);
            }
        }
        for (std::int32_t place = n_ - 1; place >= 0; --place) {
            std::int32_t least = -1;
            for (std::int32_t u = 0; u < n_; ++u) {
                if (tried_[u] == 0 && (least < 0 || to_[0][u] < to_[0][least])) {
                    least = u;
                }
            }
            tried_[least] = 1;
            order_[place] = least;
            for (std::int32_t v = 0; v < n_; ++v) {
                to_[0][v] -= size_of(weights_[least * std::int64_t(n_) + v]);
            }
        }
    }
    static std::int64_t size_of(std::int32_t weight) { return weight < 0 ? -std::int64_t(weight) : weight; }

    /// Gives u its side. Returns at most how much the edges between vertices with and without a side weigh in a cut.
    std::int64_t put(std::int32_t u, std::int32_t side) {
        side_[u] = side;
        cut_[u + 1] = cut_[u] + to_[1 - side][u];
        std::int64_t open = 0;
        std::int32_t const* const row = heavy_ + u * n_;
        for (std::int32_t v = u + 1; v < n_; ++v) {
            to_[side][v] += row[v];
            open += to_[0][v] > to_[1][v] ? to_[0][v] : to_[1][v];
        }
        return open;
    }
    void take(std::int32_t u) {
        std::int32_t const* const row = heavy_ + u * n_;
        std::int64_t* const to = to_[side_[u]];
        for (std::int32_t v = u + 1; v < n_; ++v) {
            to[v] -= row[v];
        }
    }
    void enter(std::int32_t u) {
        at_.at = u;
        tried_[u] = 0;
        first_[u] = to_[0][u] > to_[1][u] ? 1 : 0;
    }

    /// Closes the doll, and all following dolls that need no search because all edges of their first vertex are cut.
    bool next_doll(std::int64_t& objective) {
        bool better = close(objective);
        while (at_.ended == 0) {
            std::int32_t const u = at_.doll - 1;
            at_.doll = u;
            std::int64_t const across = side_of(u, best_side_);
            at_.best = doll_[u + 1] + across;
            // A complete cut that is already known serves as this doll's cut.
            at_.best = u == 0 && objective > at_.best ? objective : at_.best;
            if (at_.best < doll_[u + 1] + later_[u]) {
                for (std::int32_t v = u; v < n_; ++v) {
                    to_[0][v] = to_[1][v] = 0;
                }
                cut_[u] = 0;
                enter(u);
                return better;
            }
            better = close(objective) || better;
        }
        return better;
    }

    /// Records the doll's best cut. Extended by the better side of each vertex before it, it is a cut of all vertices.
    bool close(std::int64_t& objective) {
        std::int32_t const first = at_.doll;
        doll_[first] = at_.best;
        std::int64_t above = at_.best;
        for (std::int32_t u = 0; u < first; ++u) {
            above += later_[u];
        }
        at_.bound = above < at_.bound ? above : at_.bound;
        at_.ended = first == 0 || objective == at_.bound ? 1 : 0;
        std::int64_t grown = first == 0 ? 0 : at_.best;
        for (std::int32_t v = first; v < n_; ++v) {
            side_[v] = best_side_[v];
        }
        for (std::int32_t u = first - 1; u >= 0; --u) {
            grown += side_of(u, side_);
        }
        grown = first == 0 ? at_.best : grown;
        if (grown <= objective) {
            return false;
        }
        objective = grown;
        at_.ended = first == 0 || objective == at_.bound ? 1 : 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            answer_[v] = side_[v];
        }
        return true;
    }
    /// Puts u on its better side, once its later vertices have sides. Returns the weight that this cuts.
    std::int64_t side_of(std::int32_t u, std::int32_t* sides) const {
        std::int64_t to[2] = {0, 0};
        for (std::int32_t v = u + 1; v < n_; ++v) {
            to[sides[v]] += heavy_[u * n_ + v];
        }
        sides[u] = to[0] > to[1] ? 1 : 0;
        return to[1 - sides[u]];
    }

    std::int32_t n_;
    std::int32_t const* weights_;
    cut_numbers& at_;
    std::int64_t* to_[2];  ///< for a vertex without a side: the weight of its edges to either side
    std::int64_t* cut_;    ///< weight cut before each vertex got its side
    std::int64_t* later_;  ///< upper bound on the cut weight of a vertex's edges to later ones
    std::int64_t* doll_;   ///< weight of the best cut of a vertex and all later ones
    std::int32_t* order_;
    std::int32_t* side_;
    std::int32_t* tried_;
    std::int32_t* first_;
    std::int32_t* best_side_;  ///< of the vertices of the doll
    std::int32_t* answer_;
    std::int32_t* heavy_;  ///< the weights, indexed by positions
};

}  // namespace search
OPTGAP_KERNELS_END
