#pragma once
// Local search for bisections: the best swap of two vertices (Kernighan & Lin 1970) under a short tabu list (Glover
// 1989), restarted from random halves. The landscape has few deep valleys, so a new start is better than a longer walk.
//
// An odd graph has one additional vertex, n, without edges, so that every bisection has two parts of `size` vertices.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/bisection/bisection_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

/// A bisection under local search.
struct walk {
    std::int64_t* pull;     ///< for v: its weight into part 1 minus that into part 0; moves in that direction cut less
    std::int32_t* side;     ///< 0 or 1
    std::int32_t* free_at;  ///< the step from which v may move again
    std::int32_t* kept;     ///< sides of the best bisection
    std::int32_t* order;    ///< a restart's shuffle
    weighted_graph graph;
    std::int32_t vertices;  ///< even

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t scratch_words(std::int64_t n) { return 6 * (n + 1); }
    OPTGAP_HD walk(weighted_graph graph_, std::int32_t* scratch)
        : pull(reinterpret_cast<std::int64_t*>(scratch)),
          side(scratch + 2 * (graph_.n + 1)),
          free_at(side + graph_.n + 1),
          kept(free_at + graph_.n + 1),
          order(kept + graph_.n + 1),
          graph(graph_),
          vertices(graph_.n + graph_.n % 2) {}

    [[nodiscard]] OPTGAP_HD std::int32_t weight(std::int32_t u, std::int32_t v) const {
        return u < graph.n && v < graph.n ? graph.weight(u, v) : 0;
    }
};

struct swap_choice {
    std::int64_t gain;
    std::int32_t u, v;  ///< u in part 0, v in part 1; u is -1 when every vertex of a part is tabu
};

/// The swap that reduces the cut most, ties by smallest (u, v). Only pairs that could be better than the pair of the
/// two best single vertices are rated; `rated` counts those of this lane.
template <class Team>
OPTGAP_HD swap_choice best_swap(Team& team, walk const& at, std::int32_t step, std::int64_t& rated) {
    ranked best[2] = {{INT64_MIN, 0}, {INT64_MIN, 0}};
    for (std::int32_t v = team.rank(); v < at.vertices; v += team.size()) {
        if (at.free_at[v] <= step) {
            std::int32_t const s = at.side[v];
            best[s] = larger(best[s], {s == 0 ? at.pull[v] : -at.pull[v], v});
        }
    }
    ranked const first = team.max_by(best[0].key, best[0].index);
    ranked const second = team.max_by(best[1].key, best[1].index);
    if (first.key == INT64_MIN || second.key == INT64_MIN) {
        return {0, -1, -1};
    }
    std::int64_t const enough = first.key + second.key - 2 * std::int64_t(at.weight(first.index, second.index));
    ranked found{INT64_MIN, 0};
    for (std::int32_t u = 0; u < at.vertices; ++u) {
        if (at.side[u] != 0 || at.free_at[u] > step || at.pull[u] + second.key < enough) {
            continue;
        }
        std::int64_t const needed = enough - at.pull[u];
        for (std::int32_t v = team.rank(); v < at.vertices; v += team.size()) {
            if (at.side[v] == 1 && -at.pull[v] >= needed && at.free_at[v] <= step) {
                std::int64_t const gain = at.pull[u] - at.pull[v] - 2 * std::int64_t(at.weight(u, v));
                found = larger(found, {gain, u * at.vertices + v});
                ++rated;
            }
        }
    }
    ranked const chosen = team.max_by(found.key, found.index);
    return {chosen.key, chosen.index / at.vertices, chosen.index % at.vertices};
}

/// Computes `pull` from `side`, frees every vertex and returns the cut.
template <class Team>
OPTGAP_HD std::int64_t start_walk(Team& team, walk const& at) {
    team.each(at.vertices, [&](std::int64_t v) {
        std::int64_t pull = 0;
        for (std::int32_t u = 0; v < at.graph.n && u < at.graph.n; ++u) {
            std::int64_t const weight = at.graph.weight(std::int32_t(v), u);
            pull += at.side[u] != 0 ? weight : -weight;
        }
        at.pull[v] = pull;
        at.free_at[v] = 0;
    });
    team.sync();
    return cut_weight(team, at.graph, at.side);
}

template <class Team>
OPTGAP_HD void apply_swap(Team& team, walk const& at, swap_choice const& chosen, std::int32_t free_at) {
    std::int32_t const n = at.graph.n;
    if (chosen.u < n) {
        std::int32_t const* const row = at.graph.row(chosen.u);
        team.each(n, [&](std::int64_t x) { at.pull[x] += 2 * std::int64_t(row[x]); });
    }
    if (chosen.v < n) {
        std::int32_t const* const row = at.graph.row(chosen.v);
        team.each(n, [&](std::int64_t x) { at.pull[x] -= 2 * std::int64_t(row[x]); });
    }
    if (team.rank() == 0) {
        at.side[chosen.u] = 1;
        at.side[chosen.v] = 0;
        at.free_at[chosen.u] = free_at;
        at.free_at[chosen.v] = free_at;
    }
    team.sync();
}

/// Random halves: the first half of a shuffle goes to part 0.
template <class Team>
OPTGAP_HD void draw_halves(Team& team, walk const& at, draw source, std::uint32_t restart) {
    if (team.rank() == 0) {
        for (std::int32_t v = 0; v < at.vertices; ++v) {
            at.order[v] = v;
        }
        draw_stream stream(source, restart);
        shuffle(stream, at.order, at.vertices);
    }
    team.sync();
    team.each(at.vertices, [&](std::int64_t i) { at.side[at.order[i]] = 2 * i >= at.vertices; });
    team.sync();
}

/// The state that a walk keeps between slices, besides the first arrays of its scratch.
struct walk_numbers {
    std::int64_t current;  ///< cut
    std::int64_t valley;   ///< the smallest one since the last restart
    std::int32_t now;      ///< swaps since the last restart
    std::int32_t last_better;
    std::uint32_t restarts;
};
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_image_words(std::int64_t n) { return 4 * (n + 1); }
[[nodiscard]] OPTGAP_HD constexpr std::int64_t walk_state_words(std::int64_t n) {
    return kept_words<walk_numbers>(walk_image_words(n));
}

/// Walks, at first from the parts in `side`, and leaves the best ones in `kept` if this slice found better ones than
/// the slices before. A step is one applied swap or one restart, which follows `2 n` swaps without a better cut in this
/// walk. Purpose i of the random words is restart i.
template <class Team>
OPTGAP_HD improve_result walk_from(Team& team, walk const& at, improve_result result, search_slice slice, draw source) {
    std::int32_t const patience = 2 * at.vertices;
    std::int32_t const tenure = 1 + at.vertices / 8;
    auto* const scratch = reinterpret_cast<std::int32_t*>(at.pull);
    walk_numbers saved{};
    if (slice.fresh()) {
        saved.current = saved.valley = start_walk(team, at);
        result.start_objective = result.objective = saved.current;
    } else {
        take_up(team, slice, saved, scratch, walk_image_words(at.graph.n));
    }
    auto [current, valley, now, last_better, restarts] = saved;
    std::int64_t rated = 0;
    for (; result.moves < slice.end && result.objective > 0; ++result.moves) {
        swap_choice chosen{0, -1, -1};
        if (now - last_better < patience) {
            chosen = best_swap(team, at, now, rated);
            team.sync();
        }
        if (chosen.u < 0) {
            draw_halves(team, at, source, restarts++);
            current = start_walk(team, at);
            valley = current;
            now = 0;
            last_better = 0;
        } else {
            apply_swap(team, at, chosen, ++now + tenure);
            current -= chosen.gain;
        }
        if (current < valley) {
            valley = current;
            last_better = now;
        }
        if (current < result.objective) {
            result.objective = current;
            team.each(at.vertices, [&](std::int64_t v) { at.kept[v] = at.side[v]; });
            team.sync();
        }
    }
    result.evaluations += team.sum(rated);
    keep(team, slice, walk_numbers{current, valley, now, last_better, restarts}, scratch, walk_image_words(at.graph.n));
    return result;
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
