#pragma once
// Vertices of least weight that meet every demand of a graph: an edge demands one of its ends, a vertex demands itself
// or a neighbour. Instance words are the graph's, then its weights. A chosen vertex marks vertices. A task defines
//
//   marked(graph, v, w)           word w of the set that choosing v marks
//   open(graph, marks, v)         number of demands counted at v that these marks leave open
//   gain(graph, marks, v)         number of open demands that v would meet
//   each_demand(graph, v, emit)   for each demand counted at v: emit.begin(), then emit.vertex(u) for all u that meet
//                                 it
//
// in addition to codes (one, for open demands), empty_is_wrong, and the generator.

#include <cstdint>

#include "kernels/core/check_layout.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/families/declarative_task.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/search/weighted_cover.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr std::int32_t max_vertex_weight = 1'000'000;

inline constexpr field weighted_graph_layout[] = {
    {"edges", field_kind::graph, "n is 1 to 20000, and an edge joins two different vertices"},
    {"weights", field_kind::list, "each vertex has a weight, 1 to 1000000", 1, max_vertex_weight, of(0)},
};

struct weighted_graph {
    graph_view graph;
    std::int32_t const* weight;
};

/// Calls f(v) for each neighbour v > above of u, in rising order.
template <class Function>
OPTGAP_HD void each_neighbour(graph_view graph, std::int32_t u, std::int32_t above, Function const& function) {
    for (std::int32_t w = 0; w < graph.row_words; ++w) {
        for (std::uint32_t bits = graph.row(u)[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const v = 32 * w + lowest(bits);
            if (v > above) {
                function(v);
            }
        }
    }
}

/// Adds `count` different edges; there must be room for them. Called by one lane.
OPTGAP_HD inline void add_random_edges(draw_stream& stream, std::uint32_t* rows, std::int32_t n, std::int64_t count) {
    solo lane;
    std::int64_t const row_words = bitset_words(n);
    while (count > 0) {
        std::int32_t const u = stream.uniform(0, n - 1);
        std::int32_t const v = stream.uniform(0, n - 1);
        if (u != v && !contains(rows + u * row_words, v)) {
            add_edge(lane, rows, n, u, v);
            --count;
        }
    }
}

template <class Task>
struct covering_set : declarative_task {
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* bound_kinds[] = {"proven", "dual prices", "trivial", nullptr};
    static constexpr std::span<field const> layout = weighted_graph_layout;

    static char const* check(words_view instance) { return check_layout(layout, instance); }

    OPTGAP_HD static weighted_graph view(words_view instance) {
        return {view_graph(instance), instance.data + graph_words(instance[0])};
    }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 2 * bitset_words(instance[0]); }
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + std::int64_t(instance[0]); }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        weighted_graph const on = view(instance);
        auto* const marks = reinterpret_cast<std::uint32_t*>(scratch);
        clear(team, marks, on.graph.n);
        std::int64_t const demands = all_open(team, on.graph, marks);
        std::int64_t const most = demands > 0 ? demands : 1;
        bool const flat = answer.is_flat() || answer.rows == 0;  // a list of no rows is the empty list
        if (!flat || (answer.count == 0 && Task::empty_is_wrong)) {
            return worst(answer.is_word() ? code_unparsable : flat ? code_empty : code_bad_depth, most);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, on.graph.n); at >= 0) {
            return worst(code_out_of_range, most, at);
        }
        if (std::int32_t const at =
                first_repeat(team, answer.values, answer.count, marks + on.graph.row_words, on.graph.n);
            at >= 0) {
            return worst(code_repeated, most, at);
        }
        team.each(on.graph.row_words, [&](std::int64_t w) {
            for (std::int64_t i = 0; i < answer.count; ++i) {
                marks[w] |= Task::marked(on.graph, answer.values[i], std::int32_t(w));
            }
        });
        team.sync();
        std::int64_t const open = all_open(team, on.graph, marks);
        if (open > 0) {
            return {first_task_code, -1, 0, open, most};
        }
        std::int64_t weight = 0;
        team.each(answer.count, [&](std::int64_t i) { weight += on.weight[answer.values[i]]; });
        return {code_ok, -1, team.sum(weight), 0, most};
    }

    /// The set of all vertices.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t*) {
        team.each(1 + std::int64_t(instance[0]),
                  [&](std::int64_t i) { answer[i] = i == 0 ? answer_flat : std::int32_t(i - 1); });
        team.sync();
        return 1 + std::int64_t(instance[0]);
    }

    /// Adds the vertex that meets most open demands per weight, ties by index, until none is open.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        weighted_graph const on = view(instance);
        return grow(team, instance, answer, scratch, [&](std::uint32_t const* marks) {
            ranked own{0, on.graph.n};
            team.each(on.graph.n, [&](std::int64_t v) {
                own = larger(own, {merit(on, marks, std::int32_t(v)), std::int32_t(v)});
            });
            ranked const best = team.max_by(own.key, own.index);
            return best.key > 0 ? best.index : -1;
        });
    }

    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        weighted_graph const on = view(instance);
        draw_stream stream(source, 0);
        return grow(team, instance, answer, scratch, [&](std::uint32_t const* marks) {
            search::noisy_pick pick(stream);
            for (std::int32_t v = 0; v < on.graph.n; ++v) {
                if (std::int64_t const key = merit(on, marks, v); key > 0) {
                    pick.offer(v, -key);
                }
            }
            return pick.chosen();
        });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        lister const counted = count_demands(instance);
        std::int64_t const n = instance[0];
        if (counted.entries > max_entries) {
            return scratch_words(instance);
        }
        return scratch_words(instance) + 2 * (counted.entries + n + 1) + counted.demands + 1 +
               search::weighted_cover::scratch_words(n, counted.demands);
    }

    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        weighted_graph const on = view(instance);
        solve_result result;
        result.answer_words = greedy(team, instance, answer, scratch);
        result.objective = 0;
        for (std::int64_t i = 1; i < result.answer_words; ++i) {
            result.objective += on.weight[answer[i]];
        }
        lister const counted = count_demands(instance);
        if (counted.entries > max_entries) {
            settle(result, result.objective > 0 ? 1 : 0, 2);
            return result;
        }
        search::cover_lists const lists = list_demands(on, counted, scratch);
        std::int32_t* const rest = lists.demand_first + counted.demands + 1;
        search::cover_result const found =
            search::weighted_cover(lists, rest).run(result.objective, budget, answer + 1);
        result.answer_words = found.size > 0 ? 1 + found.size : result.answer_words;
        result.objective = found.weight;
        result.steps = found.steps;
        settle(result, found.bound, 1);
        return result;
    }

private:
    /// Longer lists are not made: these take 256 MB.
    static constexpr std::int64_t max_entries = std::int64_t(1) << 25;

    struct lister {
        std::int64_t demands = 0;
        std::int64_t entries = 0;
        void begin() { ++demands; }
        void vertex(std::int32_t) { ++entries; }
    };
    static lister count_demands(words_view instance) {
        lister counted;
        graph_view const graph = view_graph(instance);
        for (std::int32_t v = 0; v < graph.n && counted.entries <= max_entries; ++v) {
            Task::each_demand(graph, v, counted);
        }
        return counted;
    }
    /// Builds in scratch the vertices' lists, then the demands' lists, and last demand_first.
    static search::cover_lists list_demands(weighted_graph on, lister const& counted, std::int32_t* scratch) {
        std::int32_t const n = on.graph.n;
        search::cover_lists to{n, std::int32_t(counted.demands), on.weight, nullptr, nullptr, nullptr, nullptr};
        to.vertex_first = scratch;
        to.vertex_demand = to.vertex_first + n + 1;
        to.demand_vertex = to.vertex_demand + counted.entries;
        to.demand_first = to.demand_vertex + counted.entries;
        struct writer {
            search::cover_lists& to;
            std::int32_t demand = -1;
            std::int32_t entry = 0;
            void begin() { to.demand_first[++demand] = entry; }
            void vertex(std::int32_t v) {
                to.demand_vertex[entry++] = v;
                ++to.vertex_first[v + 1];
            }
        } write{to};
        for (std::int32_t v = 0; v <= n; ++v) {
            to.vertex_first[v] = 0;
        }
        for (std::int32_t v = 0; v < n; ++v) {
            Task::each_demand(on.graph, v, write);
        }
        to.demand_first[to.m] = write.entry;
        for (std::int32_t v = 0; v < n; ++v) {
            to.vertex_first[v + 1] += to.vertex_first[v];
        }
        // The lists are filled from the back, so that each list's end becomes its start.
        for (std::int32_t d = to.m - 1; d >= 0; --d) {
            for (std::int32_t k = to.demand_first[d]; k < to.demand_first[d + 1]; ++k) {
                to.vertex_demand[--to.vertex_first[to.demand_vertex[k] + 1]] = d;
            }
        }
        for (std::int32_t v = 0; v < n; ++v) {
            to.vertex_first[v] = to.vertex_first[v + 1];
        }
        to.vertex_first[n] = write.entry;
        return to;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t all_open(Team& team, graph_view graph, std::uint32_t const* marks) {
        std::int64_t open = 0;
        team.each(graph.n, [&](std::int64_t v) { open += Task::open(graph, marks, std::int32_t(v)); });
        return team.sum(open);
    }
    OPTGAP_HD static std::int64_t merit(weighted_graph on, std::uint32_t const* marks, std::int32_t v) {
        return search::gain_per_weight(Task::gain(on.graph, marks, v), on.weight[v]);
    }
    /// Adds the vertices returned by pick(marks), until it returns -1.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t grow(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick) {
        graph_view const graph = view_graph(instance);
        auto* const marks = reinterpret_cast<std::uint32_t*>(scratch);
        clear(team, marks, graph.n);
        std::int64_t size = 1;
        for (std::int32_t v = pick(marks); v >= 0; v = pick(marks)) {
            team.sync();
            team.each(graph.row_words, [&](std::int64_t w) { marks[w] |= Task::marked(graph, v, std::int32_t(w)); });
            if (team.rank() == 0) {
                answer[size] = v;
            }
            ++size;
            team.sync();
        }
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return size;
    }
};

}  // namespace families
OPTGAP_KERNELS_END
