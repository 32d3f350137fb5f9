#pragma once
// Two sides of a graph with as much weight as possible on the edges between them. Weights may be negative, but
// generated ones are not.
//
//   edges 01 of weight 3, 12 of 2, 02 of 1:   [0, 1, 0] cuts 5, the optimum

#include "kernels/core/weighted_graph.hpp"
#include "kernels/families/labels/labels.hpp"
#include "kernels/search/cut_dolls.hpp"
#include "kernels/tasks/max_cut/max_cut_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::max_cut {

// Purposes of random words.
inline constexpr std::uint32_t draw_edges = 0;

inline constexpr field cut_layout[] = {
    {"edges", field_kind::weighted_graph, "n is 1 to 5000, and an edge joins two different vertices", -INT32_MAX},
};

struct task : families::searching<task, families::labels_task<task>> {
    using neighbourhood = side_flips;
    static constexpr std::span<field const> layout = cut_layout;
    static constexpr std::int64_t default_budget = 2'000'000;  ///< sides assigned, 50 ns each at 30 vertices
    static constexpr char const* bound_kinds[] = {"proven", "smaller cuts", "trivial", nullptr};
    static constexpr std::int32_t floor_label = 0;

    OPTGAP_HD static std::int32_t items(words_view words) { return words[0]; }
    OPTGAP_HD static std::int32_t const* row(words_view words, std::int64_t u) { return words.data + 1 + u * words[0]; }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 10 + step_of(level);
        return n < 2'000 ? n : 2'000;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return weighted_graph_words(size_of(level));
    }
    /// 300 permille of the pairs; from 28 vertices on, four edges for each vertex.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        team.each(weighted_graph_words(n), [&](std::int64_t i) { words[i] = i == 0 ? n : 0; });
        team.sync();
        if (team.rank() == 0) {
            draw_stream stream(source, draw_edges);
            std::int32_t* const rows = words + 1;
            for (std::int32_t left = n < 28 ? n * (n - 1) * 3 / 20 : 4 * n; left > 0;) {
                std::int64_t const u = stream.uniform(0, n - 1);
                std::int64_t const v = stream.uniform(0, n - 1);
                if (u != v && rows[u * n + v] == 0) {
                    rows[u * n + v] = rows[v * n + u] = stream.uniform(1, 10);
                    --left;
                }
            }
        }
        team.sync();
    }

    /// The weight at each vertex.
    OPTGAP_HD static std::int64_t prepared_words(words_view words) { return 2 * std::int64_t(words[0]); }
    template <class Team>
    OPTGAP_HD static void prepare(Team& team, words_view words, std::int32_t* memory) {
        auto* const degree = reinterpret_cast<std::int64_t*>(memory);
        team.each(words[0], [&](std::int64_t u) {
            degree[u] = 0;
            for (std::int32_t v = 0; v < words[0]; ++v) {
                degree[u] += row(words, u)[v];
            }
        });
        team.sync();
    }
    OPTGAP_HD static std::int64_t key(words_view, std::int32_t const* memory, std::int32_t u) {
        return reinterpret_cast<std::int64_t const*>(memory)[u];
    }
    template <class Team>
    OPTGAP_HD static std::int64_t pull(Team& team, words_view words, std::int32_t const*, std::int32_t const* labels,
                                       std::int32_t u) {
        std::int64_t own = 0;
        team.each(words[0], [&](std::int64_t v) {
            own += labels[v] < 0 ? 0 : labels[v] == 0 ? row(words, u)[v] : -std::int64_t(row(words, u)[v]);
        });
        return team.sum(own);
    }
    template <class Team>
    OPTGAP_HD static void settle(Team&, words_view, std::int32_t*, std::int32_t, std::int32_t) {}

    /// Like other tasks of labels, except that if negative weights make the cut negative, nothing is cut.
    template <class Team>
    OPTGAP_HD static std::int64_t greedy(Team& team, words_view words, std::int32_t* answer, std::int32_t* memory) {
        std::int64_t const count = labels_task::greedy(team, words, answer, memory);
        bool const worse = worth(team, words, answer + 1) < 0;
        return worse ? floor(team, words, answer, memory) : count;
    }
    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view words, std::int32_t const* labels) {
        std::int64_t cut = 0;
        team.each(words[0], [&](std::int64_t u) {
            for (std::int32_t v = 0; v < u; ++v) {
                cut += labels[u] != labels[v] ? row(words, u)[v] : 0;
            }
        });
        return team.sum(cut);
    }

    struct search : optgap::search::cut_dolls {
        using numbers = optgap::search::cut_numbers;
        static std::int64_t words(words_view on) { return cut_dolls::words(on[0]); }
        search(words_view on, std::int32_t* memory, numbers& at) : cut_dolls(on[0], on.data + 1, memory, at) {}
    };
    static std::int64_t node_steps(words_view) { return 1; }
};

}  // namespace tasks::max_cut
OPTGAP_KERNELS_END
