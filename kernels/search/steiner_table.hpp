#pragma once
// The least expensive tree that joins terminals, by a table. An entry is the least cost of a tree that contains a set
// of terminals and one vertex. Such a tree consists of two trees that meet at the vertex, or of the tree of another
// vertex and a path (Dreyfus & Wagner 1971; Erickson, Monma & Veinott 1987). Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/search/shortest_paths.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

class steiner_table {
public:
    static constexpr std::int32_t max_terminals = 14;

    /// The last terminal needs no set: the tree that contains it and all others is the answer.
    static constexpr std::int64_t scratch_words(std::int64_t n, std::int64_t terminals) {
        return (n << (terminals - 1)) + n + 2 * terminals;
    }
    /// Steps: one for each thousand sums and words of rows that it reads.
    static constexpr std::int64_t steps(std::int64_t n, std::int64_t terminals) {
        std::int64_t splits = 1;
        for (std::int64_t k = 1; k < terminals; ++k) {
            splits *= 3;
        }
        return 1 + (splits / 2 * n + (n * n << (terminals - 1))) / 1000;
    }

    steiner_table(std::int32_t const* rows, std::int32_t n, std::int32_t const* terminals, std::int32_t count,
                  std::int32_t* scratch)
        : rows_(rows),
          n_(n),
          terminals_(terminals),
          count_(count),
          cost_(scratch),
          settled_(cost_ + (std::int64_t(n) << (count - 1))),
          open_(settled_ + n) {}

    /// Writes the tree's edges as pairs of vertices; returns their number.
    std::int32_t run(std::int32_t* edges) {
        solo lane;
        std::uint32_t const all = (1u << (count_ - 1)) - 1;
        for (std::uint32_t set = 1; set <= all; ++set) {
            for (std::int32_t v = 0; v < n_; ++v) {
                cost(set)[v] = unreached;
            }
            if ((set & (set - 1)) == 0) {
                cost(set)[terminals_[lowest(set)]] = 0;
            }
            each_split(set, [&](std::uint32_t part) {
                std::int32_t const* const one = cost(part);
                std::int32_t const* const other = cost(set ^ part);
                for (std::int32_t v = 0; v < n_; ++v) {
                    cost(set)[v] = one[v] + other[v] < cost(set)[v] ? one[v] + other[v] : cost(set)[v];
                }
                return false;
            });
            shortest_paths(lane, rows_, n_, cost(set), settled_);
        }
        return trace(all, edges);
    }

private:
    [[nodiscard]] std::int32_t* cost(std::uint32_t set) const { return cost_ + std::int64_t(set - 1) * n_; }

    /// Enumerates the splits of a set in two, each once, until `take` accepts one.
    template <class Function>
    static bool each_split(std::uint32_t set, Function const& take) {
        std::uint32_t const rest = set & (set - 1);  // the lowest terminal is in the other part
        for (std::uint32_t part = rest; part != 0; part = (part - 1) & rest) {
            if (take(part)) {
                return true;
            }
        }
        return false;
    }

    std::int32_t trace(std::uint32_t all, std::int32_t* edges) {
        std::int32_t size = 0;
        std::int32_t depth = 0;
        push(depth, all, terminals_[count_ - 1]);
        while (depth > 0) {
            --depth;
            auto const set = std::uint32_t(open_[2 * depth]);
            std::int32_t const v = open_[2 * depth + 1];
            std::int32_t const here = cost(set)[v];
            bool const met = each_split(set, [&](std::uint32_t part) {
                if (cost(part)[v] + cost(set ^ part)[v] != here) {
                    return false;
                }
                push(depth, part, v);
                push(depth, set ^ part, v);
                return true;
            });
            for (std::int32_t u = 0; !met && here > 0 && u < n_; ++u) {
                std::int32_t const weight = rows_[std::int64_t(v) * n_ + u];
                if (weight > 0 && cost(set)[u] + weight == here) {
                    edges[2 * size] = u;
                    edges[2 * size + 1] = v;
                    ++size;
                    push(depth, set, u);
                    break;
                }
            }
        }
        return size;
    }
    void push(std::int32_t& depth, std::uint32_t set, std::int32_t v) {
        open_[2 * depth] = std::int32_t(set);
        open_[2 * depth + 1] = v;
        ++depth;
    }

    std::int32_t const* rows_;
    std::int32_t n_;
    std::int32_t const* terminals_;
    std::int32_t count_;
    std::int32_t* cost_;     ///< by set and vertex
    std::int32_t* settled_;  ///< for shortest_paths
    std::int32_t* open_;     ///< sets and vertices whose trees are to be listed; sets are disjoint, so at most `count_`
};

}  // namespace search
OPTGAP_KERNELS_END
