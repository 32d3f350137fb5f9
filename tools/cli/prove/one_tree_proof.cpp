// The kind `one_tree`: round trips with edges left out and taken, each case closed by a 1-tree (Held & Karp 1970).

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "tools/cli/prove/proof_tree.hpp"

namespace optgap::cli {
namespace {

constexpr std::int64_t scale = 100;
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max() / 8;

class one_tree_prover {
public:
    one_tree_prover(number_rows const& distances, std::int64_t objective, std::size_t max_bytes)
        : distances_(distances),
          n_(distances.size()),
          goal_(scale * (objective - 1)),
          max_bytes_(max_bytes),
          state_(n_, std::vector<int>(n_, 0)) {}

    proof_text prove() {
        if (!close_case(numbers(n_, 0))) {
            return {"", reason_};
        }
        return {fmt::format("{{\"kind\": \"one_tree\", \"scale\": {}, \"tree\": [{}]}}", scale, tree_), ""};
    }

private:
    enum : int { open = 0, left_out = 1, taken = 2 };

    /// A 1-tree of the case: its weight with tolls less twice all tolls, how many edges meet at each vertex, its edges.
    struct spanning {
        std::int64_t bound = 0;
        bool possible = true;
        numbers degree;
        std::vector<std::pair<std::size_t, std::size_t>> edges;
    };

    [[nodiscard]] std::int64_t toll(numbers const& tolls, std::size_t u, std::size_t v) const {
        return scale * distances_[u][v] + tolls[u] + tolls[v];
    }

    /// What orders edges: those taken first, those left out never.
    [[nodiscard]] std::int64_t rank(numbers const& tolls, std::size_t u, std::size_t v) const {
        return state_[u][v] == left_out ? none : toll(tolls, u, v) - (state_[u][v] == taken ? none / 2 : 0);
    }

    [[nodiscard]] spanning cheapest(numbers const& tolls) const {
        spanning tree{0, true, numbers(n_, 0), {}};
        auto const join = [&](std::size_t u, std::size_t v) {
            tree.bound += toll(tolls, u, v);
            ++tree.degree[u];
            ++tree.degree[v];
            tree.edges.emplace_back(u, v);
        };
        std::vector<std::size_t> from(n_, 1);
        std::vector<bool> in(n_, false);
        in[1] = true;
        for (std::size_t count = 2; count < n_; ++count) {
            std::size_t next = 0;
            for (std::size_t v = 2; v < n_; ++v) {
                if (!in[v] && (next == 0 || rank(tolls, from[v], v) < rank(tolls, from[next], next))) {
                    next = v;
                }
            }
            tree.possible &= state_[from[next]][next] != left_out;
            join(from[next], next);
            in[next] = true;
            for (std::size_t v = 2; v < n_; ++v) {
                if (!in[v] && rank(tolls, next, v) < rank(tolls, from[v], v)) {
                    from[v] = next;
                }
            }
        }
        std::vector<std::size_t> ends;
        for (std::size_t v = 1; v < n_; ++v) {
            ends.push_back(v);
        }
        std::partial_sort(ends.begin(), ends.begin() + 2, ends.end(),
                          [&](std::size_t a, std::size_t b) { return rank(tolls, 0, a) < rank(tolls, 0, b); });
        join(0, ends[0]);
        join(0, ends[1]);
        tree.possible &= state_[0][ends[1]] != left_out;
        std::size_t held = 0;
        for (auto const& [u, v] : tree.edges) {
            held += state_[u][v] == taken;
        }
        tree.possible &= held == taken_count_;
        for (std::int64_t const one : tolls) {
            tree.bound -= 2 * one;
        }
        return tree;
    }

    bool close_case(numbers tolls) {
        numbers best_tolls = tolls;
        spanning best = cheapest(tolls);
        spanning now = best;
        double pace = 1;
        for (int turn = 0; turn < 400 && best.possible && best.bound <= goal_; ++turn) {
            std::int64_t square = 0;
            for (std::int64_t const d : now.degree) {
                square += (d - 2) * (d - 2);
            }
            if (square == 0) {
                break;
            }
            double const step =
                pace * double(std::max<std::int64_t>(goal_ + scale - now.bound, scale)) / double(square);
            for (std::size_t v = 0; v < n_; ++v) {
                tolls[v] += std::int64_t(step * double(now.degree[v] - 2));
            }
            now = cheapest(tolls);
            pace *= 0.985;
            if (!now.possible || now.bound > best.bound) {
                best = now;
                best_tolls = tolls;
            }
        }
        if (!best.possible || best.bound > goal_) {
            add(fmt::format("[{}]", fmt::join(best_tolls, ", ")));
            return tree_.size() <= max_bytes_ || fail(too_long(max_bytes_));
        }
        return branch(best, best_tolls);
    }

    bool branch(spanning const& best, numbers const& tolls) {
        std::pair<std::size_t, std::size_t> edge{0, 0};
        std::int64_t most = 2;
        for (auto const& [u, v] : best.edges) {
            std::int64_t const crowd = std::max(best.degree[u], best.degree[v]);
            if (state_[u][v] == open && crowd > most) {
                edge = {std::min(u, v), std::max(u, v)};
                most = crowd;
            }
        }
        if (most == 2) {
            return fail("a case of the 1-tree's proof is not closed");
        }
        add(fmt::format("[{}, {}]", edge.first, edge.second));
        for (int const choice : {int(left_out), int(taken)}) {
            state_[edge.first][edge.second] = state_[edge.second][edge.first] = choice;
            taken_count_ += choice == taken;
            bool const closed = close_case(tolls);
            taken_count_ -= choice == taken;
            if (!closed) {
                return false;
            }
        }
        state_[edge.first][edge.second] = state_[edge.second][edge.first] = open;
        return true;
    }

    bool fail(std::string reason) {
        reason_ = std::move(reason);
        return false;
    }

    void add(std::string const& node) { tree_ += (tree_.empty() ? "" : ", ") + node; }

    number_rows const& distances_;
    std::size_t n_;
    std::int64_t goal_;
    std::size_t max_bytes_;
    std::vector<std::vector<int>> state_;
    std::size_t taken_count_ = 0;
    std::string tree_;
    std::string reason_;
};

}  // namespace

proof_text prove_one_tree(number_rows const& distances, std::int64_t objective, std::size_t max_bytes) {
    if (distances.size() < 4) {
        return {"", "fewer than four places"};
    }
    return one_tree_prover(distances, objective, max_bytes).prove();
}

}  // namespace optgap::cli
