#pragma once
// Local search for cliques and independent sets: insertions, (1,2)-swaps and 1-1 swaps (Andrade, Resende & Werneck
// 2012). On a plateau the vertex that has not moved for the longest time goes first; kicks are forced insertions.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/families/subset/vertex_set_rules.hpp"

OPTGAP_KERNELS_BEGIN

namespace search {

inline constexpr std::uint32_t draw_kick = 0;  ///< purpose of the random words of `improve`: word i chooses the i-th
                                               ///< kick

/// A set under local search. `tight[v]` counts the members that v conflicts with: with 0 it may enter, with 1 it may
/// replace that member.
template <vertex_set Kind>
struct walk {
    conflict_rows<Kind> rows;
    std::uint32_t* members;
    std::int32_t* tight;
    std::int32_t* stamp;  ///< step of the vertex's last move

    [[nodiscard]] OPTGAP_HD std::int32_t words() const { return rows.graph.row_words; }
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_scratch_words(std::int64_t n) {
    return 3 * bitset_words(n) + 2 * n;
}

/// What a vertex outside the set offers; smaller is better, ties by smallest vertex.
enum class offer : std::int64_t { insertion = 0, two_for_one, one_for_one, nothing };
inline constexpr std::int32_t offer_shift = 40;

/// The only member that conflicts with u; u is 1-tight.
template <vertex_set Kind>
OPTGAP_HD std::int32_t only_member_against(walk<Kind> const& at, std::int32_t u) {
    for (std::int32_t w = 0; w < at.words(); ++w) {
        std::uint32_t const found = at.rows.word(u, w) & at.members[w];
        if (found != 0) {
            return 32 * w + lowest(found);
        }
    }
    return -1;
}

/// Smallest 1-tight vertex above u that conflicts with `member` and not with u: both may replace `member`. -1 if there
/// is none.
template <vertex_set Kind>
OPTGAP_HD std::int32_t partner_of(walk<Kind> const& at, std::int32_t u, std::int32_t member) {
    for (std::int32_t w = u >> 5; w < at.words(); ++w) {
        std::uint32_t candidates = at.rows.word(member, w) & ~at.rows.word(u, w);
        if (w == u >> 5) {
            candidates &= ~std::uint32_t(first_bits((u & 31) + 1));
        }
        for (; candidates != 0; candidates &= candidates - 1) {
            std::int32_t const v = 32 * w + lowest(candidates);
            if (at.tight[v] == 1) {
                return v;
            }
        }
    }
    return -1;
}

template <vertex_set Kind>
OPTGAP_HD std::int64_t rate(walk<Kind> const& at, std::int32_t u) {
    if (contains(at.members, u) || at.tight[u] > 1) {
        return std::int64_t(offer::nothing) << offer_shift;
    }
    if (at.tight[u] == 0) {
        return std::int64_t(offer::insertion) << offer_shift;
    }
    if (partner_of(at, u, only_member_against(at, u)) >= 0) {
        return std::int64_t(offer::two_for_one) << offer_shift;
    }
    return (std::int64_t(offer::one_for_one) << offer_shift) + at.stamp[u];
}

/// Adds or removes v; all lanes call it, synced.
template <vertex_set Kind, class Team>
OPTGAP_HD void flip(Team& team, walk<Kind> const& at, std::int32_t v, std::int32_t now) {
    bool const enters = !contains(at.members, v);
    team.sync();
    if (team.rank() == 0) {
        at.members[v >> 5] ^= 1u << (v & 31);
        at.stamp[v] = now;
    }
    std::int32_t const change = enters ? 1 : -1;
    conflict_rows<Kind> const rows = at.rows;
    std::int32_t* const tight = at.tight;
    team.each(rows.graph.n, [&](std::int64_t u) { tight[u] += rows.conflict(v, std::int32_t(u)) ? change : 0; });
    team.sync();
}

/// Adds v and removes what conflicts with it; returns the change of the size.
template <vertex_set Kind, class Team>
OPTGAP_HD std::int32_t force(Team& team, walk<Kind> const& at, std::int32_t v, std::int32_t now,
                             std::uint32_t* leaving) {
    team.each(at.words(), [&](std::int64_t w) { leaving[w] = at.members[w] & at.rows.word(v, w); });
    team.sync();
    std::int32_t change = 1;
    for (std::int32_t w = 0; w < at.words(); ++w) {
        for (std::uint32_t bits = leaving[w]; bits != 0; bits &= bits - 1) {
            flip(team, at, 32 * w + lowest(bits), now);
            --change;
        }
    }
    flip(team, at, v, now);
    return change;
}

/// Writes the members in rising order. Called by one lane, synced.
template <class Team>
OPTGAP_HD void list_members(Team& team, std::uint32_t const* members, std::int32_t words, std::int32_t* out) {
    if (team.rank() == 0) {
        for (std::int32_t w = 0; w < words; ++w) {
            for (std::uint32_t bits = members[w]; bits != 0; bits &= bits - 1) {
                *out++ = 32 * w + lowest(bits);
            }
        }
    }
    team.sync();
}

/// The state that a walk keeps between slices, apart from its sets and counts.
struct walk_numbers {
    std::int64_t current;  ///< size of the set
    std::int32_t waited;   ///< consecutive plateau swaps
    std::uint32_t kicks;
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_state_words(std::int64_t n) {
    return kept_words<walk_numbers>(bitset_words(n) + 2 * n);
}

/// `values` is a set of this kind, of `size` vertices when the walk begins. Afterwards it holds the largest set seen,
/// in rising order if it is another one. A step is one applied move: an insertion, a swap or a kick. A kick follows
/// `patience` consecutive plateau swaps, or a set without any swap. Each step rates all n vertices.
template <vertex_set Kind, class Team>
OPTGAP_HD improve_result walk_from(Team& team, graph_view graph, std::int32_t* values, std::int64_t size,
                                   improve_result result, search_slice slice, draw source, std::int32_t* scratch) {
    std::int32_t const n = graph.n;
    std::int32_t const words = graph.row_words;
    auto* const members = reinterpret_cast<std::uint32_t*>(scratch);
    auto* const tight = reinterpret_cast<std::int32_t*>(members + words);
    auto* const kept = reinterpret_cast<std::uint32_t*>(tight + 2 * n);
    std::uint32_t* const leaving = kept + words;
    std::int64_t const image = words + 2 * std::int64_t(n);
    walk<Kind> const at{{graph}, members, tight, tight + n};
    walk_numbers now_at{size, 0, 0};
    if (slice.fresh()) {
        clear(team, members, n);
        team.each(size, [&](std::int64_t i) { team.fetch_or(&members[values[i] >> 5], 1u << (values[i] & 31)); });
        team.sync();
        team.each(n, [&](std::int64_t v) {
            at.tight[v] = at.rows.count(std::int32_t(v), members);
            at.stamp[v] = 0;
        });
        team.sync();
        result.start_objective = result.objective = size;
    } else {
        take_up(team, slice, now_at, scratch, image);
    }
    std::int64_t const best_before = result.objective;
    std::int32_t const patience = n;
    auto [current, waited, kicks] = now_at;
    for (std::int64_t step = slice.begin + 1; step <= slice.end && result.objective < n; ++step) {
        std::int64_t key = INT64_MAX;
        std::int32_t index = 0;
        for (std::int32_t u = team.rank(); u < n; u += team.size()) {
            std::int64_t const mine = rate(at, u);
            if (mine < key) {
                key = mine;
                index = u;
            }
        }
        ranked const chosen = team.min_by(key, index);
        result.evaluations += n;
        ++result.moves;
        // Stamps only order the vertices; past 2^31 steps all moves look equally old.
        std::int32_t const now = step < INT32_MAX ? std::int32_t(step) : INT32_MAX;
        auto const kind = offer(chosen.key >> offer_shift);
        if (kind == offer::nothing || (kind == offer::one_for_one && waited >= patience)) {
            std::int32_t v = to_range(random_word(source, draw_kick, kicks++), 0, n - 1);
            while (contains(members, v)) {
                v = v + 1 < n ? v + 1 : 0;
            }
            team.sync();
            current += force(team, at, v, now, leaving);
            waited = 0;
        } else if (kind == offer::insertion) {
            flip(team, at, chosen.index, now);
            ++current;
        } else {
            std::int32_t const member = only_member_against(at, chosen.index);
            std::int32_t const partner = kind == offer::two_for_one ? partner_of(at, chosen.index, member) : -1;
            team.sync();
            flip(team, at, member, now);
            flip(team, at, chosen.index, now);
            ++waited;
            if (partner >= 0) {
                flip(team, at, partner, now);
                ++current;
            }
        }
        if (current > result.objective) {
            result.objective = current;
            waited = 0;
            team.each(words, [&](std::int64_t w) { kept[w] = members[w]; });
            team.sync();
        }
    }
    if (result.objective > best_before) {
        list_members(team, kept, words, values);
    }
    keep(team, slice, walk_numbers{current, waited, kicks}, scratch, image);
    return result;
}

}  // namespace search

OPTGAP_KERNELS_END
