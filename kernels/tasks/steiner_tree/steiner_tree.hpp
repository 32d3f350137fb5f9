#pragma once
// Edges of least total weight that join all terminals.
//
//   edges 03 13 23 of 2 each and 01 12 of 3 each, terminals 0 1 2:   [[0, 1], [1, 2]] and [[0, 3], [3, 1], [3, 2]] cost
//   6

#include <cstdint>

#include "kernels/families/declarative_task.hpp"
#include "kernels/families/routes/weighted_edges.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/search/steiner_bound.hpp"
#include "kernels/search/steiner_exchange.hpp"
#include "kernels/search/steiner_table.hpp"
#include "kernels/tasks/steiner_tree/steiner_tree_generate.hpp"
#include "kernels/tasks/steiner_tree/steiner_tree_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::steiner_tree {

inline constexpr field graph_layout[] = {
    families::weighted_edges_field,
    {"count", field_kind::size, "there are 2 to 500 terminals", 2, families::max_edge_vertices},
    {"terminals", field_kind::list, "a terminal is a vertex, and none is there twice", 0, of(0, -1), of(1)},
};

struct task : families::searching<task, families::declarative_task> {
    using neighbourhood = vertex_changes;
    static constexpr sense objective_sense = sense::minimise;
    static constexpr char const* codes[] = {"no_edge", "not_connected", nullptr};
    static constexpr char const* bound_kinds[] = {"proven", "dual ascent", "farthest terminal", nullptr};
    static constexpr std::span<field const> layout = graph_layout;
    static constexpr std::int32_t code_no_edge = first_task_code;
    static constexpr std::int32_t code_not_connected = first_task_code + 1;

    static char const* check(words_view instance) {
        char const* const broken = check_layout(layout, instance);
        if (broken != nullptr) {
            return broken;
        }
        terminal_list const ends = terminals(instance);
        for (std::int32_t i = 0; i < ends.count; ++i) {
            for (std::int32_t j = 0; j < i; ++j) {
                if (ends.vertex[i] == ends.vertex[j]) {
                    return graph_layout[2].rule;
                }
            }
        }
        return families::check_weighted_edges(instance);
    }

    struct terminal_list {
        std::int32_t const* vertex;
        std::int32_t count;
    };
    OPTGAP_HD static terminal_list terminals(words_view instance) {
        std::int64_t const at = weighted_graph_words(instance[0]);
        return {instance.data + at + 1, instance[at]};
    }
    OPTGAP_HD static std::int64_t scratch_words(words_view instance) { return 6 * std::int64_t(instance[0]); }
    /// Written answers are trees: rows of two values.
    OPTGAP_HD static std::int64_t answer_words(words_view instance) { return 1 + 3 * (std::int64_t(instance[0]) - 1); }

    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return generated_words(shape_of(step_of(level)));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) {
        return 3 * std::int64_t(shape_of(step_of(level)).n);
    }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        draw_instance(team, source, shape_of(step_of(level)), words, scratch);
    }

    template <class Team>
    OPTGAP_HD static verdict verify(Team& team, words_view instance, answer_view answer, std::int32_t* scratch) {
        families::weighted_edges const graph = families::view_edges(instance);
        std::int64_t const most = terminals(instance).count - 1;
        if (answer.is_word() || (answer.is_rows() && answer.row_count() == 0) || !answer.is_rows()) {
            return worst(answer.is_word() ? code_unparsable : answer.is_rows() ? code_empty : code_bad_depth, most);
        }
        bool pairs = true;
        team.each(answer.rows, [&](std::int64_t r) { pairs = pairs && answer.row_lengths[r] == 2; });
        if (!team.all(pairs)) {
            return worst(code_wrong_length, most);
        }
        if (std::int32_t const at = first_out_of_range(team, answer.values, answer.count, graph.n); at >= 0) {
            return worst(code_out_of_range, most, at);
        }
        std::int64_t absent = 0;
        std::int64_t first = INT64_MAX;
        std::int64_t weight = 0;
        team.each(answer.rows, [&](std::int64_t r) {
            std::int32_t const own = graph.weight(answer.values[2 * r], answer.values[2 * r + 1]);
            absent += own == 0 ? 1 : 0;
            first = own == 0 && 2 * r < first ? 2 * r : first;
            weight += own;
        });
        absent = team.sum(absent);
        first = team.min_by(first, 0).key;
        weight = team.sum(weight);
        if (absent > 0) {
            return {code_no_edge, std::int32_t(first), 0, absent, answer.rows};
        }
        std::int32_t parts = 0;
        if (team.rank() == 0) {
            parts = terminal_parts(terminals(instance), answer, scratch, graph.n);
        }
        parts = team.broadcast(parts);
        if (parts > 1) {
            return {code_not_connected, -1, 0, parts - 1, most};
        }
        return {code_ok, -1, weight, 0, most};
    }

    /// The shortest paths from the first terminal to all others.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        builder const tree(instance, scratch);
        terminal_list const ends = terminals(instance);
        tree.begin(team, ends.vertex[0]);
        tree.measure(team);
        std::int32_t size = 0;
        for (std::int32_t k = 1; k < ends.count; ++k) {
            size = tree.join(team, ends.vertex[k], size);
        }
        return tree.write(team, size, answer);
    }

    /// From the first terminal on, joins the nearest terminal not yet joined by a shortest path (Takahashi & Matsuyama
    /// 1980); ties by number.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch) {
        return grow(team, instance, answer, scratch, [&](builder const& tree, std::int32_t k) {
            terminal_list const ends = terminals(instance);
            ranked own{INT64_MAX, 0};
            team.each(ends.count, [&](std::int64_t i) {
                std::int32_t const v = ends.vertex[i];
                own = k == 0                ? smaller(own, {i, ends.vertex[0]})
                      : tree.joined[v] == 0 ? smaller(own, {tree.distance[v], v})
                                            : own;
            });
            ranked const best = team.min_by(own.key, own.index);
            return best.key == INT64_MAX ? -1 : best.index;
        });
    }
    /// Begins at any terminal; a mistake joins any terminal not yet joined.
    OPTGAP_HD static std::int64_t noisy_greedy(words_view instance, draw source, std::int32_t* answer,
                                               std::int32_t* scratch) {
        solo team;
        draw_stream stream(source, 0);
        return grow(team, instance, answer, scratch, [&](builder const& tree, std::int32_t k) {
            terminal_list const ends = terminals(instance);
            search::noisy_pick pick(stream);
            for (std::int32_t i = 0; i < ends.count; ++i) {
                std::int32_t const v = ends.vertex[i];
                if (k == 0 || tree.joined[v] == 0) {
                    pick.offer(v, k == 0 ? 0 : tree.distance[v]);
                }
            }
            return pick.chosen();
        });
    }

    static std::int64_t exact_scratch_words(words_view instance) {
        std::int64_t const n = instance[0];
        std::int32_t const count = terminals(instance).count;
        std::int64_t const table = fits_table(count) ? search::steiner_table::scratch_words(n, count) : 0;
        std::int64_t const ascent = search::ascent_scratch_words(n) + search::steiner_exchange::scratch_words(n);
        return scratch_words(instance) + (table > ascent ? table : ascent);
    }
    /// Dual ascent and exchange of vertices, then the table, if there is room for it and the budget suffices for all of
    /// it.
    static solve_result exact(words_view instance, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
        solo team;
        families::weighted_edges const graph = families::view_edges(instance);
        terminal_list const ends = terminals(instance);
        builder const tree(instance, scratch);
        std::int32_t* const room = scratch + scratch_words(instance);
        solve_result result;
        greedy(team, instance, answer, scratch);
        std::int32_t size = answer[0];
        search::shortest_paths_from(team, ends.vertex[0], graph.rows, graph.n, tree.distance, tree.settled);
        std::int64_t farthest = 0;
        for (std::int32_t k = 1; k < ends.count; ++k) {
            std::int32_t const far = tree.distance[ends.vertex[k]];
            farthest = far > farthest ? far : farthest;
        }
        search::ascent_result const ascent =
            search::dual_ascent(graph.rows, graph.n, ends.vertex, ends.count, budget, room);
        result.steps = ascent.steps;
        std::int64_t bound = ascent.bound > farthest ? ascent.bound : farthest;
        if (tree.weight(size) > bound) {
            search::steiner_exchange exchange(graph.rows, graph.n, ends.vertex, ends.count, room);
            size = exchange.run(tree.edges, size, budget, result.steps);
        }
        if (tree.weight(size) > bound && fits_table(ends.count) &&
            result.steps + search::steiner_table::steps(graph.n, ends.count) <= budget) {
            result.steps += search::steiner_table::steps(graph.n, ends.count);
            size = search::steiner_table(graph.rows, graph.n, ends.vertex, ends.count, room).run(tree.edges);
            bound = tree.weight(size);
        }
        result.answer_words = tree.write(team, size, answer);
        result.objective = tree.weight(size);
        settle(result, bound, bound > farthest ? 1 : 2);
        return result;
    }

private:
    static constexpr bool fits_table(std::int32_t terminals) {
        return terminals <= search::steiner_table::max_terminals;
    }

    /// A tree under construction; lanes share it.
    struct builder {
        families::weighted_edges graph;
        std::int32_t* distance;  ///< distance of each vertex from the tree
        std::int32_t* settled;
        std::int32_t* parent;
        std::int32_t* joined;
        std::int32_t* edges;  ///< pairs

        OPTGAP_HD builder(words_view instance, std::int32_t* scratch)
            : graph(families::view_edges(instance)),
              distance(scratch),
              settled(distance + graph.n),
              parent(settled + graph.n),
              joined(parent + graph.n),
              edges(joined + graph.n) {}

        template <class Team>
        OPTGAP_HD void begin(Team& team, std::int32_t root) const {
            team.each(graph.n, [&](std::int64_t v) { joined[v] = v == root ? 1 : 0; });
            team.sync();
        }
        template <class Team>
        OPTGAP_HD void measure(Team& team) const {
            team.each(graph.n, [&](std::int64_t v) { distance[v] = joined[v] != 0 ? 0 : search::unreached; });
            team.sync();
            search::shortest_paths(team, graph.rows, graph.n, distance, settled, parent);
        }
        /// Adds the path from the tree to v; returns the number of edges of the tree afterwards. Synced.
        template <class Team>
        OPTGAP_HD std::int32_t join(Team& team, std::int32_t v, std::int32_t size) const {
            if (team.rank() == 0) {
                for (; joined[v] == 0; v = parent[v], ++size) {
                    joined[v] = 1;
                    edges[2 * size] = parent[v];
                    edges[2 * size + 1] = v;
                }
            }
            size = team.broadcast(size);
            team.sync();
            return size;
        }
        [[nodiscard]] std::int64_t weight(std::int32_t size) const {
            std::int64_t total = 0;
            for (std::int32_t i = 0; i < size; ++i) {
                total += graph.weight(edges[2 * i], edges[2 * i + 1]);
            }
            return total;
        }
        template <class Team>
        OPTGAP_HD std::int64_t write(Team& team, std::int32_t size, std::int32_t* answer) const {
            team.each(1 + 3 * std::int64_t(size), [&](std::int64_t i) {
                answer[i] = i == 0 ? size : i <= size ? 2 : edges[i - 1 - size];
            });
            team.sync();
            return 1 + 3 * std::int64_t(size);
        }
    };

    /// pick(tree, k) returns the terminal to join after k of them, -1 for none.
    template <class Team, class Pick>
    OPTGAP_HD static std::int64_t grow(Team& team, words_view instance, std::int32_t* answer, std::int32_t* scratch,
                                       Pick const& pick) {
        builder const tree(instance, scratch);
        tree.begin(team, pick(tree, 0));
        std::int32_t size = 0;
        for (std::int32_t k = 1;; ++k) {
            tree.measure(team);
            std::int32_t const next = pick(tree, k);
            if (next < 0) {
                return tree.write(team, size, answer);
            }
            size = tree.join(team, next, size);
        }
    }

    /// The number of parts into which the edges connect the terminals. Called by one lane.
    OPTGAP_HD static std::int32_t terminal_parts(terminal_list ends, answer_view answer, std::int32_t* root,
                                                 std::int32_t n) {
        auto const find = [&](std::int32_t v) {
            for (; root[v] != v; v = root[v]) {
                root[v] = root[root[v]];
            }
            return v;
        };
        for (std::int32_t v = 0; v < n; ++v) {
            root[v] = v;
        }
        for (std::int64_t r = 0; r < answer.rows; ++r) {
            root[find(answer.values[2 * r])] = find(answer.values[2 * r + 1]);
        }
        std::int32_t* const seen = root + n;
        for (std::int32_t v = 0; v < n; ++v) {
            seen[v] = 0;
        }
        std::int32_t parts = 0;
        for (std::int32_t k = 0; k < ends.count; ++k) {
            std::int32_t const own = find(ends.vertex[k]);
            parts += seen[own] == 0 ? 1 : 0;
            seen[own] = 1;
        }
        return parts;
    }
};

}  // namespace tasks::steiner_tree
OPTGAP_KERNELS_END
