#pragma once
// k vertices of a graph such that the vertex farthest from all of them is as near as possible.
//
//   edges 01 12 23 of 5, 1, 5, k = 2:   [0, 3] leaves vertex 1 at 5, [1, 3] leaves 0 at 5, [0, 2] leaves 1 at 1 and 3
//   at 5

#include <algorithm>

#include "kernels/core/bitset.hpp"
#include "kernels/core/rounded_distance.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/families/routes/weighted_edges.hpp"
#include "kernels/search/ball_cover.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/k_center/k_center_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::k_center {

// Purposes of random words.
inline constexpr std::uint32_t draw_points = 0;
inline constexpr std::uint32_t draw_labels = 1;

inline constexpr field graph_layout[] = {
    families::weighted_edges_field,
    {"k", field_kind::number, "k, the number of centres, is 1 to n", 1, of(0)},
};

struct task : families::searching<task, families::declarative_task> {
    using neighbourhood = centre_swaps;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "radii", "shortest edge", nullptr};
    static constexpr std::span<field const> layout = graph_layout;

    static char const* check(words_view instance) {
        char const* const broken = check_layout(layout, instance);
        return broken != nullptr ? broken : families::check_weighted_edges(instance);
    }

    OPTGAP_HD static std::int32_t centres(words_view instance) { return instance[weighted_graph_words(instance[0])]; }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 4 * std::int64_t(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(centres(instance)); }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 12 + step_of(level);
        return n < families::max_edge_vertices ? n : families::max_edge_vertices;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return weighted_graph_words(size_of(level)) + 1;
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return 6 * size_of(level); }
    /// Points in a square, each joined to its three nearest, plus the shortest spanning tree, so that they are
    /// connected.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = size_of(level);
        std::int32_t* const rows = families::begin_weighted_edges(team, words, n);
        if (team.rank() == 0) {
            points const at{scratch, scratch + n, n};
            place(source, at, scratch + 2 * n);
            join_nearest(at, rows);
            join_tree(at, rows, scratch + 2 * n);
            words[weighted_graph_words(n)] = 3 + n / 8;
        }
        team.sync();
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        families::weighted_edges const graph = families::view_edges(instance);
        std::int32_t const n = graph.n;
        std::int64_t const most = centres(instance);
        bool const flat = answer.is_flat() || answer.rows == 0;  // a list of no rows is the empty list
        if (!flat || answer.count != most) {
            return worst(answer.is_word() ? code_unparsable : flat ? code_wrong_length : code_bad_depth, most);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, n); at >= 0) {
            return worst(code_out_of_range, most, at);
        }
        if (std::int32_t const at =
                first_repeat(team, answer.values, answer.count, reinterpret_cast<std::uint32_t*>(scratch), n);
            at >= 0) {
            return worst(code_repeated, most, at);
        }
        team.sync();
        std::int32_t* const distance = scratch;
        team.each(n, [&](std::int64_t v) { distance[v] = search::unreached; });
        team.sync();
        team.each(answer.count, [&](std::int64_t i) { distance[answer.values[i]] = 0; });
        team.sync();
        search::shortest_paths(team, graph.rows, n, distance, scratch + n);
        return {code_ok, -1, farthest(team, distance, n).key, 0, most};
    }

    /// The vertices 0 … k - 1.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        team.each(answer_words(instance),
                  [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : std::int32_t(i - 1); });
        team.sync();
        return answer_words(instance);
    }

    /// Starts with the vertex whose farthest vertex is nearest, then always takes the one farthest from those chosen;
    /// ties by number.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return spread(team, instance, answer, scratch, [&](std::int32_t const* key) {
            ranked own{INT64_MAX, 0};
            team.each(instance[0], [&](std::int64_t v) { own = smaller(own, {key[v], std::int32_t(v)}); });
            return team.min_by(own.key, own.index).index;
        });
    }
    /// A mistake takes any vertex that is not yet a centre.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return spread(team, instance, answer, scratch, [&](std::int32_t const* key) {
            search::noisy_pick pick(stream);
            for (std::int32_t v = 0; v < instance[0]; ++v) {
                if (key[v] != 0) {
                    pick.offer(v, key[v]);
                }
            }
            return pick.chosen() < 0 ? 0 : pick.chosen();
        });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        return scratch_words(instance) + 2 * n * n + n * bitset_words(n) +
               search::ball_cover::scratch_words(n, centres(instance));
    }
    /// The least radius is one of the distances. It is found by binary search: can k balls of that radius cover all
    /// vertices? Only a complete search refutes a radius, so a search that is cut keeps the bound of the ones before
    /// it.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        families::weighted_edges const graph = families::view_edges(instance);
        std::int32_t const n = graph.n;
        std::int32_t const k = centres(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        result.objective = radius(instance, answer, scratch);
        // A vertex that is not a centre is at least one edge away.
        settle(result, k < n ? min_weight(graph) : 0, 2);
        std::int64_t const paths = 1 + std::int64_t(n) * n * n / 10'000;
        if (result.status == baseline_status::optimal || paths > budget) {
            return result;
        }
        result.steps = paths;
        std::int32_t* const distance = scratch + scratch_words(instance);
        std::int32_t* const radii = distance + n * n;
        auto* const balls = reinterpret_cast<std::uint32_t*>(radii + n * n);
        for (std::int32_t v = 0; v < n; ++v) {
            search::shortest_paths_from(team, v, graph.rows, n, distance + v * n, scratch);
        }
        std::int32_t const count = sorted_radii(distance, n, radii);
        std::int32_t low = 0;  // all smaller radii are refuted
        std::int32_t high = place_of(radii, count, std::int32_t(result.objective));
        std::int64_t const node = 1 + std::int64_t(n) * bitset_words(n) * k / 10'000;
        while (low < high) {
            std::int32_t const middle = (low + high) / 2;
            draw_balls(distance, n, radii[middle], balls);
            search::ball_cover search(balls, n, k, reinterpret_cast<std::int32_t*>(balls + n * bitset_words(n)));
            search::cover_end const end = search.run(node, budget, result.steps);
            if (end == search::cover_end::cut) {
                break;
            }
            if (end == search::cover_end::none) {
                low = middle + 1;
                continue;
            }
            list_centres(search, n, k, answer, scratch);
            result.objective = radius(instance, answer, scratch);
            high = place_of(radii, count, std::int32_t(result.objective));
        }
        settle(result, low < high && radii[low] < result.bound ? result.bound : radii[low], 1);
        return result;
    }

private:
    struct points {
        std::int32_t* x;
        std::int32_t* y;
        std::int32_t n;

        [[nodiscard]] OPTGAP_HD std::int32_t squared(std::int32_t u, std::int32_t v) const {
            return (x[u] - x[v]) * (x[u] - x[v]) + (y[u] - y[v]) * (y[u] - y[v]);
        }
        [[nodiscard]] OPTGAP_HD std::int32_t length(std::int32_t u, std::int32_t v) const {
            std::int64_t const rounded = rounded_distance(x[u] - x[v], y[u] - y[v], 1);
            return rounded > 0 ? std::int32_t(rounded) : 1;
        }
    };

    /// A third of the points lie within 8 of one of two places; one of these attracts two in three of them.
    OPTGAP_HD static void place(draw source, points const& at, std::int32_t* label) {
        draw_stream stream(source, draw_points);
        std::int32_t middle[4];
        for (std::int32_t& coordinate : middle) {
            coordinate = stream.uniform(8, 91);
        }
        draw_stream labels(source, draw_labels);
        for (std::int32_t i = 0; i < at.n; ++i) {
            label[i] = i;
        }
        shuffle(labels, label, at.n);
        for (std::int32_t i = 0; i < at.n; ++i) {
            std::int32_t x = stream.uniform(0, 99);
            std::int32_t y = stream.uniform(0, 99);
            if (i < at.n / 3) {
                std::int32_t const* const near = middle + (i % 3 == 0 ? 0 : 2);
                do {
                    x = stream.uniform(-8, 8);
                    y = stream.uniform(-8, 8);
                } while (x * x + y * y > 64);
                x += near[0];
                y += near[1];
            }
            at.x[label[i]] = x;
            at.y[label[i]] = y;
        }
    }
    OPTGAP_HD static void join_nearest(points const& at, std::int32_t* rows) {
        for (std::int32_t u = 0; u < at.n; ++u) {
            ranked last{-1, -1};
            for (std::int32_t nearest = 0; nearest < 3 && nearest + 1 < at.n; ++nearest) {
                ranked best{INT64_MAX, 0};
                for (std::int32_t v = 0; v < at.n; ++v) {
                    ranked const own{at.squared(u, v), v};
                    bool const later = own.key > last.key || (own.key == last.key && own.index > last.index);
                    best = v != u && later ? smaller(best, own) : best;
                }
                families::join(rows, at.n, u, best.index, at.length(u, best.index));
                last = best;
            }
        }
    }
    /// Prim's tree; `scratch` is 2 n words.
    OPTGAP_HD static void join_tree(points const& at, std::int32_t* rows, std::int32_t* scratch) {
        std::int32_t* const from = scratch;
        std::int32_t* const gap = scratch + at.n;
        for (std::int32_t v = 0; v < at.n; ++v) {
            from[v] = 0;
            gap[v] = at.squared(0, v);
        }
        from[0] = -1;
        for (std::int32_t size = 1; size < at.n; ++size) {
            ranked best{INT64_MAX, 0};
            for (std::int32_t v = 0; v < at.n; ++v) {
                best = from[v] >= 0 ? smaller(best, {gap[v], v}) : best;
            }
            std::int32_t const u = best.index;
            families::join(rows, at.n, u, from[u], at.length(u, from[u]));
            from[u] = -1;
            for (std::int32_t v = 0; v < at.n; ++v) {
                if (from[v] >= 0 && at.squared(u, v) < gap[v]) {
                    gap[v] = at.squared(u, v);
                    from[v] = u;
                }
            }
        }
    }

    template <class Team>
    OPTGAP_HD static ranked farthest(Team& team, std::int32_t const* distance, std::int32_t n) {
        ranked own{-1, n};
        team.each(n, [&](std::int64_t v) { own = larger(own, {distance[v], std::int32_t(v)}); });
        return team.max_by(own.key, own.index);
    }

    /// pick(key) returns the next centre, by the least key: at first the distance of the farthest vertex, then minus
    /// the distance from the centres, 0 for centres.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t spread(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                         Pick const& pick) {
        families::weighted_edges const graph = families::view_edges(instance);
        std::int32_t const n = graph.n;
        std::int32_t* const key = scratch;
        std::int32_t* const distance = key + n;
        std::int32_t* const settled = distance + n;
        for (std::int32_t u = 0; u < n; ++u) {
            search::shortest_paths_from(team, u, graph.rows, n, distance, settled);
            ranked const end = farthest(team, distance, n);
            if (team.rank() == 0) {
                key[u] = std::int32_t(end.key);
            }
            team.sync();
        }
        for (std::int32_t i = 0; i < centres(instance); ++i) {
            std::int32_t const centre = pick(key);
            team.sync();
            search::shortest_paths_from(team, centre, graph.rows, n, distance, settled);
            team.each(n, [&](std::int64_t v) {
                std::int32_t const own = -distance[v];
                key[v] = i == 0 || own > key[v] ? own : key[v];
            });
            if (team.rank() == 0) {
                answer[0] = answer_flat;
                answer[1 + i] = centre;
            }
            team.sync();
        }
        return answer_words(instance);
    }

    static std::int64_t radius(words_view instance, std::int32_t const* answer, std::int32_t* scratch) {
        solo team;
        return verify(team, instance, view_answer({answer, answer_words(instance)}), scratch).objective;
    }
    static std::int32_t min_weight(families::weighted_edges graph) {
        std::int32_t least = families::max_edge_weight;
        for (std::int64_t i = 0; i < std::int64_t(graph.n) * graph.n; ++i) {
            least = graph.rows[i] > 0 && graph.rows[i] < least ? graph.rows[i] : least;
        }
        return least;
    }
    /// The distinct distances in rising order, starting with 0.
    static std::int32_t sorted_radii(std::int32_t const* distance, std::int32_t n, std::int32_t* radii) {
        std::copy(distance, distance + std::int64_t(n) * n, radii);
        std::sort(radii, radii + std::int64_t(n) * n);
        return std::int32_t(std::unique(radii, radii + std::int64_t(n) * n) - radii);
    }
    static std::int32_t place_of(std::int32_t const* radii, std::int32_t count, std::int32_t radius) {
        return std::int32_t(std::lower_bound(radii, radii + count, radius) - radii);
    }
    static void draw_balls(std::int32_t const* distance, std::int32_t n, std::int32_t radius, std::uint32_t* balls) {
        std::int64_t const words = bitset_words(n);
        for (std::int32_t v = 0; v < n; ++v) {
            for (std::int64_t w = 0; w < words; ++w) {
                std::uint32_t bits = 0;
                for (std::int32_t u = std::int32_t(32 * w); u < n && u < 32 * (w + 1); ++u) {
                    bits |= distance[v * n + u] <= radius ? 1u << (u % 32) : 0u;
                }
                balls[v * words + w] = bits;
            }
        }
    }
    /// The centres found by the search, filled up to the wanted number with further vertices by number.
    static void list_centres(search::ball_cover const& search, std::int32_t n, std::int32_t k, std::int32_t* answer,
                             std::int32_t* taken) {
        std::fill(taken, taken + n, 0);
        std::int32_t size = 0;
        answer[0] = answer_flat;
        for (; size < search.size(); ++size) {
            answer[1 + size] = search.chosen()[size];
            taken[search.chosen()[size]] = 1;
        }
        for (std::int32_t v = 0; size < k; ++v) {
            if (taken[v] == 0) {
                answer[1 + size++] = v;
            }
        }
    }
};

}  // namespace tasks::k_center
OPTGAP_KERNELS_END
