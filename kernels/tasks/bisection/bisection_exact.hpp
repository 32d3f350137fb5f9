#pragma once
// Proof of minimum bisections: depth-first branch and bound with the half bound (bisection_bound.hpp).

#include <cstdint>

#include "kernels/core/team.hpp"
#include "kernels/tasks/bisection/bisection_bound.hpp"
#include "kernels/tasks/bisection/bisection_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

struct proof {
    std::int64_t cut = 0;
    std::int64_t bound = 0;
    std::int64_t steps = 0;  ///< nodes
};

/// For larger graphs only the root's bound is computed.
inline constexpr std::int32_t max_searched = 256;

[[nodiscard]] OPTGAP_HD constexpr std::int64_t node_count(std::int64_t open) {
    return open <= max_searched ? open + 3 : 2;
}

template <class Bound>
class bisection_search {
public:
    /// Bytes for a graph of n vertices: a stack for all of them, one for half of them, and so on.
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_bytes(std::int64_t n) {
        std::int64_t bytes = 0;
        for (std::int64_t open = padded(n); open >= lanes; open = n <= max_searched ? open - lanes : 0) {
            bytes += stack_bytes(open);
        }
        return bytes;
    }

    /// A bisection of weight `cut` is known. A better one is written to `best`, as the part of each vertex.
    OPTGAP_HD bisection_search(weighted_graph graph, std::int64_t cut, std::int32_t* best, std::int32_t* side,
                               std::int64_t budget)
        : graph_(graph), best_(best), side_(side), cut_(cut), least_(cut), budget_(budget) {}

    OPTGAP_HD proof run(char* scratch) {
        Bound whole(graph_, side_, node_count(padded(graph_.n)), scratch);
        explore(whole, scratch + stack_bytes(whole.active()));
        return {cut_, least_ < cut_ ? least_ : cut_, steps_};
    }

private:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t stack_bytes(std::int64_t open) {
        return (Bound::scratch_bytes(open, node_count(open)) + 63) / 64 * 64;
    }

    /// Searches below node 0; `scratch` is for smaller stacks. Returns false if the budget ends first.
    OPTGAP_HD bool explore(Bound& bound, char* scratch) {
        std::int32_t depth = 0;
        bool finished = true;
        while (depth >= 0 && finished && steps_ < budget_) {
            ++steps_;
            bool branch = settle(bound, depth);
            if (branch && bound.is_sparse(depth)) {
                std::int64_t const open = padded(bound.open_count(depth));
                Bound part(bound, depth, node_count(open), scratch);
                finished = explore(part, scratch + stack_bytes(open));
                branch = false;
            }
            if (branch) {
                bound.push(depth);
                bound.place(depth + 1, bound.at(depth).vertex, bound.at(depth).part);
                ++depth;
            } else if (--depth >= 0 && finished) {
                bound.place(depth, bound.at(depth).vertex, 1 - bound.at(depth).part);
            }
        }
        finished = finished && depth < 0;
        for (; depth >= 0; --depth) {
            least_ = bound.at(depth).bound < least_ ? bound.at(depth).bound : least_;
        }
        return finished;
    }

    /// Bounds the node and places every vertex whose other part costs too much, until nothing changes. Returns true if
    /// a branch is needed.
    OPTGAP_HD bool settle(Bound& bound, std::int32_t depth) {
        auto& here = bound.at(depth);
        for (;;) {
            if (here.places[0] == 0 || here.places[1] == 0) {
                finish(bound, depth);
                return false;
            }
            std::int64_t const enough = quarters * (cut_ - 1) + 1;
            std::int64_t const found = bound.bound(depth, enough);
            std::int64_t const whole = (found + quarters - 1) / quarters;
            here.bound = whole > here.bound ? whole : here.bound;
            if (here.bound >= cut_) {
                return false;
            }
            auto const forced = bound.leaning_by(depth, enough - found);
            if (forced.size == 0) {
                here.vertex = bound.branching(depth);
                here.part = bound.leaning(depth, here.vertex) > 0 ? 1 : 0;
                return true;
            }
            for (std::int32_t i = 0; i < forced.size; ++i) {
                auto const v = std::int32_t(forced.vertices[i]);
                std::int32_t const part = bound.leaning(depth, v) > 0 ? 1 : 0;
                if (here.places[part] == 0) {
                    return false;
                }
                bound.place(depth, v, part);
            }
        }
    }

    /// One part is full, so all remaining vertices go into the other.
    OPTGAP_HD void finish(Bound const& bound, std::int32_t depth) {
        std::int32_t const rest = bound.at(depth).places[0] == 0 ? 1 : 0;
        std::int64_t total = bound.at(depth).cut;
        for (std::int32_t v = 0; v < bound.active(); ++v) {
            total += bound.open(depth, v) ? bound.into(depth, 1 - rest, v) : 0;
        }
        if (total < cut_) {
            cut_ = total;
            for (std::int32_t v = 0; v < graph_.n; ++v) {
                best_[v] = side_[v];
            }
            for (std::int32_t v = 0; v < bound.active(); ++v) {
                if (bound.open(depth, v)) {
                    best_[bound.name(v)] = rest;
                }
            }
        }
    }

    weighted_graph graph_;
    std::int32_t* best_;
    std::int32_t* side_;  ///< scratch: the part of each placed vertex
    std::int64_t cut_;
    std::int64_t least_;  ///< bound of the nodes that the budget did not reach
    std::int64_t budget_;
    std::int64_t steps_ = 0;
};

/// Bits of the numbers that a graph's proof needs: 16, 32 or 64.
OPTGAP_HD inline std::int32_t cost_bits(weighted_graph graph) {
    std::int64_t most = 0;
    for (std::int32_t v = 0; v < graph.n; ++v) {
        std::int64_t degree = 0;
        for (std::int32_t u = 0; u < graph.n; ++u) {
            degree += graph.weight(v, u);
        }
        most = degree > most ? degree : most;
    }
    return most <= 4'000 ? 16 : most <= (std::int64_t(1) << 27) ? 32 : 64;
}

using narrow_search = bisection_search<half_bound<std::int16_t, std::int32_t>>;
using middle_search = bisection_search<half_bound<std::int32_t, std::int64_t>>;
using wide_search = bisection_search<half_bound<std::int64_t, std::int64_t>>;

OPTGAP_HD inline std::int64_t prover_scratch_words(weighted_graph graph) {
    std::int64_t const best = 2 * padded(graph.n);
    switch (cost_bits(graph)) {
        case 16: return best + narrow_search::scratch_bytes(graph.n) / 4;
        case 32: return best + middle_search::scratch_bytes(graph.n) / 4;
        default: return best + wide_search::scratch_bytes(graph.n) / 4;
    }
}

/// Improves the answer block of weight `cut` and proves it, within `budget` nodes.
OPTGAP_HD inline proof prove(weighted_graph graph, std::int64_t cut, std::int32_t* answer, std::int64_t budget,
                             std::int32_t* scratch) {
    std::int64_t const allowed = graph.n <= max_searched || budget < 1 ? budget : 1;
    if (cut == 0 || allowed == 0) {
        return {cut, 0, 0};
    }
    std::int32_t* const best = scratch;
    std::int32_t* const side = scratch + padded(graph.n);
    auto* const memory = reinterpret_cast<char*>(scratch + 2 * padded(graph.n));
    proof found;
    switch (cost_bits(graph)) {
        case 16: found = narrow_search(graph, cut, best, side, allowed).run(memory); break;
        case 32: found = middle_search(graph, cut, best, side, allowed).run(memory); break;
        default: found = wide_search(graph, cut, best, side, allowed).run(memory); break;
    }
    if (found.cut < cut) {
        solo team;
        write_parts(team, best, graph.n, answer);
    }
    return found;
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
