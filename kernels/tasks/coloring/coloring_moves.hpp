#pragma once
// Local search for colourings, PartialCol (Bloechliger & Zufferey 2008): one class is dissolved, and its vertices, now
// without a colour, move into the other classes, where each expels its neighbours.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/coloring/coloring_greedy.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::coloring {

/// Purpose of the random words of `improve`. Block i belongs to step i: word 0 breaks its ties, word 1 determines how
/// long the expelled vertices stay away.
inline constexpr std::uint32_t draw_moves = 0;

/// Smallest i with values[i] == values[v].
OPTGAP_HD inline std::int32_t first_alike(std::int32_t const* values, std::int32_t v) {
    std::int32_t i = 0;
    while (values[i] != values[v]) {
        ++i;
    }
    return i;
}

/// A partial colouring with `classes` classes. The caller keeps the count of open vertices.
struct partial_colouring {
    graph_view graph;
    std::int32_t classes;
    std::uint32_t* members;  ///< one set of vertices for each class
    std::int32_t* colour;    ///< or no_colour
    std::int32_t* open;      ///< the vertices without a colour, in any order
    std::int32_t* left;      ///< the class from which a vertex was last expelled
    std::uint32_t* until;    ///< the step until which it must not return there

    OPTGAP_HD partial_colouring(graph_view given, std::int32_t* scratch) : graph(given), classes(0) {
        std::int64_t const n = graph.n;
        members = reinterpret_cast<std::uint32_t*>(scratch);
        colour = scratch + n * graph.row_words;
        open = colour + n;
        left = open + n;
        until = reinterpret_cast<std::uint32_t*>(left + n);
    }
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) {
        return n * bitset_words(n) + 4 * n;
    }
    [[nodiscard]] OPTGAP_HD std::uint32_t* class_of(std::int32_t c) const {
        return members + std::int64_t(c) * graph.row_words;
    }
    /// The number of neighbours of v in class c, among the vertices below `end`.
    [[nodiscard]] OPTGAP_HD std::int32_t in_the_way(std::int32_t v, std::int32_t c, std::int32_t end) const {
        std::uint32_t const* const row = graph.row(v);
        std::uint32_t const* const set = class_of(c);
        std::int32_t const whole = end >> 5;
        std::int32_t count = 0;
        for (std::int32_t w = 0; w < whole; ++w) {
            count += popcount(row[w] & set[w]);
        }
        return end % 32 == 0 ? count : count + popcount(row[whole] & set[whole] & first_bits(end % 32));
    }

    /// Reads any list of colours and numbers its classes by their first vertices; synced.
    template <class Team>
    OPTGAP_HD void begin(Team& team, std::int32_t const* values) {
        std::int32_t const n = graph.n;
        team.each(n, [&](std::int64_t v) {
            left[v] = first_alike(values, std::int32_t(v));
            open[v] = 0;
            until[v] = 0;
        });
        team.sync();
        std::int32_t count = 0;
        if (team.rank() == 0) {
            for (std::int32_t v = 0; v < n; ++v) {
                colour[v] = left[v] == v ? count++ : colour[left[v]];
            }
        }
        classes = team.broadcast(count);
        gather_classes(team);
    }

    /// Computes `members` from `colour`; synced.
    template <class Team>
    OPTGAP_HD void gather_classes(Team& team) const {
        team.each(std::int64_t(classes) * graph.row_words, [&](std::int64_t w) { members[w] = 0; });
        team.sync();
        team.each(graph.n, [&](std::int64_t v) {
            if (colour[v] != no_colour) {
                team.fetch_or(&class_of(colour[v])[v >> 5], 1u << (v & 31));
            }
        });
        team.sync();
    }

    /// Dissolves the smallest class, whose number goes to the last one; returns the number of open vertices. Synced.
    template <class Team>
    OPTGAP_HD std::int32_t dissolve(Team& team) {
        std::int64_t size = INT64_MAX;
        std::int32_t smallest = 0;
        for (std::int32_t c = team.rank(); c < classes; c += team.size()) {
            std::int32_t count = 0;
            for (std::int32_t w = 0; w < graph.row_words; ++w) {
                count += popcount(class_of(c)[w]);
            }
            if (count < size) {
                size = count;
                smallest = c;
            }
        }
        ranked const found = team.min_by(size, smallest);
        --classes;
        if (team.rank() == 0) {
            std::int32_t count = 0;
            for (std::int32_t v = 0; v < graph.n; ++v) {
                if (colour[v] == found.index) {
                    colour[v] = no_colour;
                    open[count++] = v;
                } else if (colour[v] == classes) {
                    colour[v] = found.index;
                }
                left[v] = no_colour;
            }
        }
        team.each(graph.row_words, [&](std::int64_t w) { class_of(found.index)[w] = class_of(classes)[w]; });
        team.sync();
        return std::int32_t(found.key);
    }

    /// open[slot] joins class c, and its neighbours leave that class. Called by one lane, synced.
    template <class Team>
    OPTGAP_HD void move(Team& team, std::int32_t slot, std::int32_t c, std::int32_t count, std::uint32_t back) const {
        team.sync();
        if (team.rank() == 0) {
            std::int32_t const v = open[slot];
            std::uint32_t* const set = class_of(c);
            open[slot] = open[--count];
            for (std::int32_t w = 0; w < graph.row_words; ++w) {
                std::uint32_t const leaving = graph.row(v)[w] & set[w];
                set[w] ^= leaving;
                for (std::uint32_t bits = leaving; bits != 0; bits &= bits - 1) {
                    std::int32_t const u = 32 * w + lowest(bits);
                    colour[u] = no_colour;
                    left[u] = c;
                    until[u] = back;
                    open[count++] = u;
                }
            }
            set[v >> 5] |= 1u << (v & 31);
            colour[v] = c;
        }
        team.sync();
    }
};

/// The cost of a move, smaller is better: the number of vertices it expels; moves that are forbidden at present come
/// last. Ties are broken by a hash of vertex, class and a random word, so that the walk does not circle.
inline constexpr std::int32_t out_shift = 32;
OPTGAP_HD inline std::int64_t rate(partial_colouring const& at, std::int32_t v, std::int32_t c, std::uint32_t now,
                                   std::uint32_t word) {
    std::int64_t const out = at.in_the_way(v, c, at.graph.n);
    bool const forbidden = out > 0 && at.left[v] == c && std::int32_t(at.until[v] - now) > 0;
    std::uint32_t const mixed = (std::uint32_t(v) * 0x9e3779b1u ^ std::uint32_t(c) * 0x85ebca77u ^ word) * 0xc2b2ae3du;
    return std::int64_t(forbidden) << 62 | out << out_shift | mixed >> 1;
}

/// The state that a walk keeps between slices, besides the data of each vertex.
struct walk_numbers {
    std::int32_t classes;
    std::int32_t count;  ///< open vertices
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_state_words(std::int64_t n) {
    return kept_words<walk_numbers>(4 * n);
}

/// `values[0 … n)` is a colouring with any colours. If a colouring with fewer colours is found, it replaces the values,
/// with colours 0, 1, …. A step is one move of an uncoloured vertex into a class, and rates all such moves. An expelled
/// vertex may not return for a number of steps, 3/5 of the number of open vertices + U(0, 9), unless nothing is in its
/// way. The walk ends early at `fewest` colours, below which there is no colouring.
template <class Team>
OPTGAP_HD improve_result walk_from(Team& team, graph_view graph, std::int32_t* values, improve_result result,
                                   search_slice slice, std::int64_t fewest, draw source, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    partial_colouring at(graph, scratch);
    std::int32_t count = 0;
    if (slice.fresh()) {
        at.begin(team, values);
        result.start_objective = result.objective = at.classes;
    }
    if (slice.end == 0 || result.objective == fewest) {
        return result;
    }
    if (slice.fresh()) {
        count = at.dissolve(team);
    } else {
        walk_numbers saved{};
        take_up(team, slice, saved, at.colour, 4 * std::int64_t(n));
        at.classes = saved.classes;
        count = saved.count;
        at.gather_classes(team);
    }
    for (std::int64_t step = slice.begin + 1; step <= slice.end; ++step) {
        auto const now = std::uint32_t(step);
        philox_block const words = random_block(source, draw_moves, now);
        std::int64_t key = INT64_MAX;
        std::int32_t index = 0;
        std::int32_t const moves = count * at.classes;
        for (std::int32_t m = team.rank(); m < moves; m += team.size()) {
            std::int64_t const mine = rate(at, at.open[m / at.classes], m % at.classes, now, words.word[0]);
            if (mine < key) {
                key = mine;
                index = m;
            }
        }
        ranked const chosen = team.min_by(key, index);
        std::int32_t const out = std::int32_t(chosen.key >> out_shift & 0xffffff);
        std::int32_t const away = 3 * count / 5 + to_range(words.word[1], 0, 9);
        at.move(team, chosen.index / at.classes, chosen.index % at.classes, count, now + std::uint32_t(away) + 1);
        result.evaluations += moves;
        ++result.moves;
        count += out - 1;
        if (count == 0) {
            result.objective = at.classes;
            team.each(n, [&](std::int64_t v) { values[v] = at.colour[v]; });
            team.sync();
            if (result.objective == fewest) {
                break;
            }
            count = at.dissolve(team);
        }
    }
    keep(team, slice, walk_numbers{at.classes, count}, at.colour, 4 * std::int64_t(n));
    return result;
}

}  // namespace tasks::coloring

OPTGAP_KERNELS_END
