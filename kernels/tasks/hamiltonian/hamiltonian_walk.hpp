#pragma once
// Local search for long cycles: a path is extended and rotated at its end (Posa 1976), and the longest cycle that its
// end ever closed is kept.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::hamiltonian {

inline constexpr std::uint32_t draw_kick = 0;  ///< purpose of the random words of `improve`: word i is the cut of the
                                               ///< i-th kick

/// A path under local search.
struct walk {
    graph_view graph;
    std::uint32_t* outside;  ///< the vertices not on the path
    std::int32_t* path;
    std::int32_t* place;    ///< index on the path, for vertices on it
    std::int32_t* stamp;    ///< step at which the vertex last became the path's end
    std::int32_t* shifted;  ///< room for a copy of the path
    std::int32_t length;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) {
        return bitset_words(n) + 4 * n;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t end() const { return path[length - 1]; }
};

/// What a vertex u offers; smaller is better, ties by smallest vertex.
enum class offer : std::int64_t {
    extension = 0,  ///< u, outside, becomes the end; fewest neighbours outside first, none last; after a kick, longest
                    ///< unmoved first
    insertion,      ///< u, outside, goes between two consecutive vertices of the path
    reopening,      ///< the path closes to a cycle, and u on it, which has a neighbour outside, becomes the end
    rotation,       ///< u, behind a neighbour of the end, becomes the end; longest unmoved first
    nothing,
};
inline constexpr std::int32_t offer_shift = 40;

OPTGAP_HD inline std::int64_t offer_key(offer kind, std::int64_t rank = 0) {
    return (std::int64_t(kind) << offer_shift) + rank;
}

OPTGAP_HD inline std::int32_t neighbours_outside(walk const& at, std::int32_t u) {
    std::uint32_t const* const row = at.graph.row(u);
    std::int32_t count = 0;
    for (std::int32_t w = 0; w < at.graph.row_words; ++w) {
        count += popcount(row[w] & at.outside[w]);
    }
    return count;
}

/// The smallest neighbour of u on the path whose successor is also a neighbour of u, otherwise -1.
OPTGAP_HD inline std::int32_t insertion_point(walk const& at, std::int32_t u) {
    std::uint32_t const* const row = at.graph.row(u);
    for (std::int32_t w = 0; w < at.graph.row_words; ++w) {
        for (std::uint32_t bits = row[w] & ~at.outside[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const v = 32 * w + lowest(bits);
            if (at.place[v] + 1 < at.length && contains(row, at.path[at.place[v] + 1])) {
                return v;
            }
        }
    }
    return -1;
}

OPTGAP_HD inline std::int64_t rate(walk const& at, std::uint32_t const* end_row, bool closes, bool kicked,
                                   std::int32_t u) {
    if (contains(at.outside, u)) {
        if (contains(end_row, u)) {
            std::int32_t const open = neighbours_outside(at, u);
            return offer_key(offer::extension, kicked ? at.stamp[u] : open > 0 ? open : at.graph.n);
        }
        return offer_key(insertion_point(at, u) >= 0 ? offer::insertion : offer::nothing);
    }
    std::int32_t const before = at.place[u] - 1;
    if (closes && neighbours_outside(at, u) > 0) {
        return offer_key(offer::reopening, at.stamp[u]);
    }
    if (before >= 0 && before + 2 < at.length && contains(end_row, at.path[before])) {
        bool const leads_out = neighbours_outside(at, u) > 0;
        return offer_key(offer::rotation, leads_out ? 0 : 1 + std::int64_t(at.stamp[u]));
    }
    return offer_key(offer::nothing);
}

/// Reverses path[from …]; all lanes call it, synced.
template <class Team>
OPTGAP_HD void reverse_from(Team& team, walk const& at, std::int32_t from) {
    team.each((at.length - from) / 2, [&](std::int64_t i) {
        std::int32_t const left = from + std::int32_t(i);
        std::int32_t const right = at.length - 1 - std::int32_t(i);
        std::int32_t const u = at.path[left];
        std::int32_t const v = at.path[right];
        at.path[left] = v;
        at.place[v] = left;
        at.path[right] = u;
        at.place[u] = right;
    });
    team.sync();
}

/// Opens the closed path behind u, which becomes its end.
template <class Team>
OPTGAP_HD void reopen(Team& team, walk const& at, std::int32_t u) {
    std::int32_t const begin = at.place[u] + 1;
    team.each(at.length, [&](std::int64_t i) {
        std::int32_t const from = begin + std::int32_t(i);
        at.shifted[i] = at.path[from < at.length ? from : from - at.length];
    });
    team.sync();
    team.each(at.length, [&](std::int64_t i) {
        at.path[i] = at.shifted[i];
        at.place[at.shifted[i]] = std::int32_t(i);
    });
    team.sync();
}

/// Inserts u, from outside, at the end or behind `before`.
template <class Team>
OPTGAP_HD void put_in(Team& team, walk& at, std::int32_t u, std::int32_t before) {
    std::int32_t const to = before < 0 ? at.length : at.place[before] + 1;
    team.each(at.length - to, [&](std::int64_t i) { at.shifted[i] = at.path[to + i]; });
    team.sync();
    team.each(at.length - to, [&](std::int64_t i) {
        at.path[to + 1 + i] = at.shifted[i];
        at.place[at.shifted[i]] = to + 1 + std::int32_t(i);
    });
    if (team.rank() == 0) {
        at.path[to] = u;
        at.place[u] = to;
        at.outside[u >> 5] &= ~(1u << (u & 31));
    }
    ++at.length;
    team.sync();
}

/// Cuts the path to its first `length` vertices and reverses it, so that its head becomes the end.
template <class Team>
OPTGAP_HD void cut(Team& team, walk& at, std::int32_t length) {
    team.each(at.length - length, [&](std::int64_t i) {
        std::int32_t const u = at.path[length + i];
        team.fetch_or(&at.outside[u >> 5], 1u << (u & 31));
    });
    at.length = length;
    team.sync();
    reverse_from(team, at, 0);
}

/// The smallest place of a neighbour of the path's end, from which the path closes to a cycle; the length if there is
/// none.
template <class Team>
OPTGAP_HD std::int32_t closing_place(Team& team, walk const& at) {
    std::uint32_t const* const row = at.graph.row(at.end());
    std::int32_t first = at.length;
    for (std::int32_t w = team.rank(); w < at.graph.row_words; w += team.size()) {
        for (std::uint32_t bits = row[w] & ~at.outside[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const place = at.place[32 * w + lowest(bits)];
            first = place < first ? place : first;
        }
    }
    return std::int32_t(team.min_by(first, 0).key);
}

inline constexpr std::uint32_t deep_kick = 8;

/// The state that a walk keeps between slices, besides its path.
struct walk_numbers {
    std::int32_t length;
    std::int32_t waited;  ///< consecutive rotations without a longer cycle
    std::uint32_t kicks;
    std::int32_t kicked;  ///< whether the last step was a kick
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_image_words(std::int64_t n) { return bitset_words(n) + 3 * n; }
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_state_words(std::int64_t n) {
    return kept_words<walk_numbers>(walk_image_words(n));
}

/// Searches, at first from the path in `at`. `best` holds a cycle of result.objective vertices, none for 0, and
/// receives the longest one seen. Ends early at a cycle of `target` vertices. A step is one applied offer or one kick.
/// A kick cuts off up to a quarter of the path, every eighth kick up to all of it but one vertex, and continues from
/// the other end. It follows n / 4 consecutive rotations without a longer cycle, or a step without an offer. Each step
/// rates all n vertices.
template <class Team>
OPTGAP_HD void extend_and_rotate(Team& team, walk& at, std::int32_t* best, std::int64_t target, search_slice slice,
                                 draw source, improve_result& result) {
    std::int32_t const n = at.graph.n;
    auto* const scratch = reinterpret_cast<std::int32_t*>(at.outside);
    walk_numbers saved{at.length, 0, 0, 0};
    if (!slice.fresh()) {
        take_up(team, slice, saved, scratch, walk_image_words(n));
        at.length = saved.length;
    }
    std::int32_t waited = saved.waited;
    std::uint32_t kicks = saved.kicks;
    bool kicked = saved.kicked != 0;
    for (std::int64_t step = slice.begin + 1; step <= slice.end && result.objective < target; ++step) {
        std::uint32_t const* const end_row = at.graph.row(at.end());
        bool const closes = at.length >= 3 && contains(end_row, at.path[0]);
        std::int64_t key = INT64_MAX;
        std::int32_t index = 0;
        for (std::int32_t u = team.rank(); u < n; u += team.size()) {
            std::int64_t const mine = rate(at, end_row, closes, kicked, u);
            if (mine < key) {
                key = mine;
                index = u;
            }
        }
        ranked const chosen = team.min_by(key, index);
        std::int32_t const u = chosen.index;
        result.evaluations += n;
        ++result.moves;
        auto const kind = offer(chosen.key >> offer_shift);
        kicked = kind == offer::nothing || (kind == offer::rotation && waited >= n / 4);
        if (kicked) {
            std::int32_t const most = kicks % deep_kick == deep_kick - 1 ? at.length - 1 : at.length / 4;
            std::int32_t const loss = to_range(random_word(source, draw_kick, kicks++), 0, most);
            cut(team, at, at.length - loss);
            waited = 0;
        } else if (kind == offer::extension) {
            put_in(team, at, u, -1);
        } else if (kind == offer::insertion) {
            std::int32_t const before = insertion_point(at, u);
            team.sync();
            put_in(team, at, u, before);
        } else if (kind == offer::reopening) {
            reopen(team, at, u);
        } else {
            std::int32_t const from = at.place[u];
            team.sync();
            reverse_from(team, at, from);
            ++waited;
        }
        std::int32_t const closing = closing_place(team, at);
        if (team.rank() == 0) {
            // Stamps only order the vertices; past 2^31 steps all ends look equally old.
            at.stamp[at.end()] = step < INT32_MAX ? std::int32_t(step) : INT32_MAX;
        }
        std::int32_t const cycle = at.length - closing;
        if (cycle >= 3 && cycle > result.objective) {
            result.objective = cycle;
            waited = 0;
            team.each(cycle, [&](std::int64_t i) { best[i] = at.path[closing + i]; });
        }
        team.sync();
    }
    keep(team, slice, walk_numbers{at.length, waited, kicks, kicked ? 1 : 0}, scratch, walk_image_words(n));
}

/// Arranges a walk in `scratch`.
OPTGAP_HD inline walk walk_in(graph_view graph, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t* const path = scratch + graph.row_words;
    return {graph, reinterpret_cast<std::uint32_t*>(scratch), path, path + n, path + 2 * n, path + 3 * n, 0};
}

/// A walk on the path of `length` vertices at `values`; synced.
template <class Team>
OPTGAP_HD walk begin_walk(Team& team, graph_view graph, std::int32_t const* values, std::int32_t length,
                          std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    walk at = walk_in(graph, scratch);
    at.length = length;
    std::uint32_t* const outside = at.outside;
    team.each(n, [&](std::int64_t u) {
        at.stamp[u] = 0;
        at.path[u] = 0;
        at.place[u] = 0;
    });
    clear(team, outside, n);
    team.each(length, [&](std::int64_t i) {
        std::int32_t const u = values[i];
        at.path[i] = u;
        at.place[u] = std::int32_t(i);
        team.fetch_or(&outside[u >> 5], 1u << (u & 31));
    });
    team.sync();
    team.each(graph.row_words,
              [&](std::int64_t w) { outside[w] ^= std::uint32_t(first_bits(n - 32 * std::int32_t(w))); });
    team.sync();
    return at;
}

}  // namespace tasks::hamiltonian

OPTGAP_KERNELS_END
