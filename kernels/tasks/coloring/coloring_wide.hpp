#pragma once
// The search of coloring_word.hpp on graphs of any size: sets are rows of 32-bit words, and saturations and uncoloured
// neighbours are counted in arrays that each move updates.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/tasks/coloring/coloring_greedy.hpp"
#include "kernels/tasks/coloring/coloring_word.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

class wide_search {
public:
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) {
        return 2 * n * bitset_words(n) + 6 * n;
    }

    OPTGAP_HD wide_search(graph_view graph, std::int32_t* scratch) : graph_(graph) {
        std::int64_t const n = graph.n;
        closed_ = reinterpret_cast<std::uint32_t*>(scratch);
        fresh_ = closed_ + n * graph.row_words;
        colour_ = reinterpret_cast<std::int32_t*>(fresh_ + n * graph.row_words);
        saturation_ = colour_ + n;
        neighbours_ = saturation_ + n;
        vertex_ = neighbours_ + n;
        tried_ = vertex_ + n;
        used_ = tried_ + n;
    }

    /// See word_search::run.
    OPTGAP_HD colouring_result run(std::int32_t const* clique, std::int32_t clique_size, std::int64_t budget,
                                   std::int32_t* best, std::int64_t colours) {
        std::int32_t const n = graph_.n;
        colouring_result result{.colours = colours};
        for (std::int32_t v = 0; v < n; ++v) {
            colour_[v] = no_colour;
            saturation_[v] = 0;
            neighbours_[v] = graph_.degree(v);
        }
        std::int32_t used = 0;
        for (; used < clique_size; ++used) {
            open_colour(used);
            assign(used, clique[used], used);
        }
        std::int32_t depth = clique_size;  // vertices coloured
        bool entered = true;
        while (result.colours > clique_size) {
            if (entered && depth == n) {
                result.colours = used;
                for (std::int32_t v = 0; v < n; ++v) {
                    best[v] = colour_[v];
                }
            } else if (entered) {
                if (result.steps >= budget) {
                    return result;
                }
                ++result.steps;
                vertex_[depth] = choose();
                tried_[depth] = no_colour;
                used_[depth] = used;
            }
            std::int32_t const limit = std::int32_t(result.colours) - 1;
            std::int32_t const c = used <= limit ? next_colour(depth, limit) : limit;
            if (c == limit) {
                if (depth == clique_size) {
                    break;
                }
                --depth;
                retract(depth, vertex_[depth], tried_[depth]);
                used = used_[depth];
                entered = false;
                continue;
            }
            if (c == used) {
                open_colour(c);
                ++used;
            }
            tried_[depth] = c;
            assign(depth, vertex_[depth], c);
            entered = used < limit || !stuck(limit);
            if (entered) {
                ++depth;
            } else {
                retract(depth, vertex_[depth], c);
                used = used_[depth];
            }
        }
        result.proven = true;
        return result;
    }

private:
    [[nodiscard]] OPTGAP_HD std::uint32_t* closed(std::int32_t c) const {
        return closed_ + std::int64_t(c) * graph_.row_words;
    }
    OPTGAP_HD void open_colour(std::int32_t c) {
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            closed(c)[w] = 0;
        }
    }

    /// Highest saturation, then most uncoloured neighbours, then smallest index.
    [[nodiscard]] OPTGAP_HD std::int32_t choose() const {
        std::int64_t most = -1;
        std::int32_t chosen = 0;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            std::int64_t const key = std::int64_t(saturation_[v]) << 32 | neighbours_[v];
            if (colour_[v] == no_colour && key > most) {
                most = key;
                chosen = v;
            }
        }
        return chosen;
    }

    /// Whether all of `limit` colours are closed to some vertex without a colour.
    [[nodiscard]] OPTGAP_HD bool stuck(std::int32_t limit) const {
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            if (saturation_[v] >= limit && colour_[v] == no_colour) {
                return true;
            }
        }
        return false;
    }

    /// The next colour below `limit` for the vertex at `depth`, at most one new colour; `limit` if there is none.
    [[nodiscard]] OPTGAP_HD std::int32_t next_colour(std::int32_t depth, std::int32_t limit) const {
        std::int32_t c = tried_[depth] + 1;
        while (c < used_[depth] && c < limit && contains(closed(c), vertex_[depth])) {
            ++c;
        }
        return c <= used_[depth] && c < limit ? c : limit;
    }

    OPTGAP_HD void assign(std::int32_t depth, std::int32_t v, std::int32_t c) {
        colour_[v] = c;
        std::uint32_t const* const row = graph_.row(v);
        std::uint32_t* const fresh = fresh_ + std::int64_t(depth) * graph_.row_words;
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            fresh[w] = row[w] & ~closed(c)[w];
            closed(c)[w] |= row[w];
        }
        count(row, neighbours_, -1);
        count(fresh, saturation_, 1);
    }
    OPTGAP_HD void retract(std::int32_t depth, std::int32_t v, std::int32_t c) {
        colour_[v] = no_colour;
        std::uint32_t const* const fresh = fresh_ + std::int64_t(depth) * graph_.row_words;
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            closed(c)[w] ^= fresh[w];
        }
        count(graph_.row(v), neighbours_, 1);
        count(fresh, saturation_, -1);
    }
    OPTGAP_HD void count(std::uint32_t const* set, std::int32_t* counters, std::int32_t change) const {
        for (std::int32_t w = 0; w < graph_.row_words; ++w) {
            for (std::uint32_t bits = set[w]; bits != 0; bits &= bits - 1) {
                counters[32 * w + lowest(bits)] += change;
            }
        }
    }

    graph_view graph_;
    std::uint32_t* closed_;  ///< for each colour: the vertices with a neighbour of that colour
    std::uint32_t* fresh_;   ///< for each depth: the vertices that its move added to a colour's closed set
    std::int32_t* colour_;
    std::int32_t* saturation_;  ///< number of colours closed to a vertex
    std::int32_t* neighbours_;  ///< number of neighbours without a colour
    std::int32_t* vertex_;      ///< for each depth
    std::int32_t* tried_;       ///< for each depth: the last colour tried
    std::int32_t* used_;        ///< for each depth: number of colours in use before its move
};

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
