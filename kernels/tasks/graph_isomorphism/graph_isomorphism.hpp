#pragma once
// Maps the vertices of one graph to those of another so that as many edges as possible land on edges. In generated
// graphs all can.
//
//   0-1, 1-2, 2-3 onto 0-2, 0-3, 1-3:   [2, 0, 3, 1] keeps all three edges

#include "kernels/families/order/order.hpp"
#include "kernels/tasks/graph_isomorphism/graph_isomorphism_generate.hpp"
#include "kernels/tasks/graph_isomorphism/graph_isomorphism_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::graph_isomorphism {

inline constexpr field two_graphs[] = {
    {"edges1", field_kind::graph, "n is 1 to 1000, and an edge of the first graph joins two different vertices"},
    {"edges2", field_kind::graph, "an edge of the second graph joins two different vertices of as many"},
};

struct task : families::order_task<task> {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::span<field const> layout = two_graphs;
    static constexpr abilities can{.improves = false, .decides = true};
    using rule = image_rule;

    OPTGAP_HD static std::int32_t size(words_view instance) { return instance[0]; }

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        if (instance[0] > max_vertices) {
            return two_graphs[0].rule;
        }
        return edges_of(first_graph(instance)) == edges_of(second_graph(instance))
                   ? nullptr
                   : "both graphs have the same number of edges";
    }

    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* images, std::int32_t*) {
        graph_view const first = first_graph(instance);
        graph_view const second = second_graph(instance);
        std::int64_t own = 0;
        team.each(first.n, [&](std::int64_t v) { own += landed(first, second, images, std::int32_t(v), images[v]); });
        return team.sum(own) / 2;
    }

    /// The vertex with the most neighbours that have images, ties by index.
    OPTGAP_HD static std::int32_t place(words_view instance, families::placed_things const& placed) {
        graph_view const first = first_graph(instance);
        ranked best{-1, 0};
        for (std::int32_t v = 0; v < first.n; ++v) {
            if (placed.order[v] < 0) {
                std::int64_t count = 0;
                each_neighbour(first, v, [&](std::int32_t u) { count += placed.order[u] >= 0 ? 1 : 0; });
                best = larger(best, {count, v});
            }
        }
        return best.index;
    }
    OPTGAP_HD static std::int32_t moment(words_view instance, families::placed_things const& placed) {
        return place(instance, placed);
    }
    /// Its image is the vertex on which most of its edges land, among these one of the most similar degree.
    OPTGAP_HD static std::int64_t key(words_view instance, std::int32_t v, families::placed_things const& placed,
                                      std::int32_t i) {
        graph_view const first = first_graph(instance);
        graph_view const second = second_graph(instance);
        std::int64_t const more = first.degree(v) - second.degree(i);
        return (more < 0 ? -more : more) - landed(first, second, placed.order, v, i) * first.n;
    }

    static std::int64_t most(words_view instance) { return edges_of(first_graph(instance)); }
    static std::int64_t least_loss(words_view instance) { return lost_by_degrees(instance); }
    static std::int64_t write_sequence(words_view instance, std::int32_t const* choices, std::int32_t* answer) {
        std::int32_t const n = size(instance);
        answer[0] = answer_flat;
        for (std::int32_t k = 0; k < n; ++k) {
            answer[1 + choices[k] / n] = choices[k] % n;
        }
        return answer_words(instance);
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level);
        return n < 600 ? n : 600;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return 2 * graph_words(size_of(level)); }
    /// The scratch holds ends of edges, and labels of both graphs.
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return 6 * size_of(level); }

    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* scratch) {
        std::int32_t const n = size_of(level);
        regular_shape const shape(source, n);
        std::int32_t* const ends = scratch;
        std::int32_t* const labels = scratch + 4 * n;
        std::uint32_t* const rows = begin_graph(team, words, n);
        if (team.rank() == 0) {
            regular_edges(shape, ends, rows).draw_all(source);
            write_labels(source, n, labels);
        }
        team.sync();
        for (std::int32_t g = 0; g < 2; ++g) {
            std::uint32_t* const own = begin_graph(team, words + g * graph_words(n), n);
            team.each(shape.edges(), [&](std::int64_t e) {
                add_edge(team, own, n, labels[g * n + ends[2 * e]], labels[g * n + ends[2 * e + 1]]);
            });
            team.sync();
        }
    }

    static std::int64_t planted_words(draw, difficulty level) { return 1 + std::int64_t(size_of(level)); }
    static std::int64_t planted_scratch_words(draw, difficulty level) { return 2 * std::int64_t(size_of(level)); }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t* labels) {
        std::int32_t const n = size_of(level);
        write_labels(source, n, labels);
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < n; ++i) {
            answer[1 + labels[i]] = labels[n + i];
        }
        return planted_words(source, level);
    }

private:
    /// The number of edges from v to vertices with images that land on edges if v is mapped to `image`.
    OPTGAP_HD static std::int64_t landed(graph_view first, graph_view second, std::int32_t const* images,
                                         std::int32_t v, std::int32_t image) {
        std::int64_t count = 0;
        each_neighbour(first, v,
                       [&](std::int32_t u) { count += images[u] >= 0 && second.adjacent(images[u], image) ? 1 : 0; });
        return count;
    }
    OPTGAP_HD static void write_labels(draw source, std::int32_t n, std::int32_t* labels) {
        for (std::int32_t i = 0; i < 2 * n; ++i) {
            labels[i] = i % n;
        }
        draw_stream first(source, draw_labels);
        shuffle(first, labels, n);
        draw_stream second(source, draw_images);
        shuffle(second, labels + n, n);
    }
};

}  // namespace tasks::graph_isomorphism
OPTGAP_KERNELS_END
