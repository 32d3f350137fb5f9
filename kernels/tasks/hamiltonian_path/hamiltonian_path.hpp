#pragma once
// All vertices of a directed graph in an order in which as many as possible are successors of the vertex before. In a
// generated graph all can be.
//
//   successors [1] [2] [0, 3] []:   [0, 1, 2, 3] keeps all three steps, [3, 0, 1, 2] two

#include "kernels/families/order/order.hpp"
#include "kernels/tasks/hamiltonian_path/hamiltonian_path_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::hamiltonian_path {

// Purposes of random words.
inline constexpr std::uint32_t draw_path = 0;
inline constexpr std::uint32_t draw_arcs =
    1;  ///< block 3 p + k for the k-th arc of the path's p-th vertex: whether it leads ahead, and where to

inline constexpr field arcs_layout[] = {
    {"n", field_kind::size, "n, the number of vertices, is 2 to 5000", 2, 5000},
    {"successors", field_kind::sets, "the successors of each of n vertices are among 0 to n - 1", 0, of(0, -1), of(0),
     of(0)},
};

struct task : families::order_task<task> {
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::span<field const> layout = arcs_layout;
    static constexpr abilities can{.improves = false, .decides = true};
    using rule = successor_rule;

    OPTGAP_HD static std::int32_t size(words_view instance) { return instance[0]; }

    static char const* check(words_view instance) {
        if (char const* const broken = check_layout(layout, instance)) {
            return broken;
        }
        arcs_view const graph(instance);
        for (std::int32_t v = 0; v < graph.n; ++v) {
            if (graph.has(v, v)) {
                return "a vertex is among its own successors";
            }
        }
        return nullptr;
    }

    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* order, std::int32_t*) {
        arcs_view const graph(instance);
        std::int64_t own = 0;
        team.each(graph.n - 1, [&](std::int64_t i) { own += graph.has(order[i], order[i + 1]) ? 1 : 0; });
        return team.sum(own);
    }

    struct nothing {};
    OPTGAP_HD static nothing moment(words_view, families::placed_things const&) { return {}; }
    /// The successor of the last vertex that has the fewest successors left (Warnsdorff 1823). If the path is stuck,
    /// and at its beginning, the first remaining vertex.
    OPTGAP_HD static std::int64_t key(words_view instance, nothing, families::placed_things const& placed,
                                      std::int32_t i) {
        arcs_view const graph(instance);
        if (placed.count == 0 || !graph.has(placed.order[placed.count - 1], i)) {
            return families::last_resort + i;
        }
        std::int64_t left = 0;
        for (std::int64_t w = 0; w < graph.row_words; ++w) {
            left += popcount(graph.row(i)[w] & ~placed.taken[w]);
        }
        return left;
    }

    static std::int64_t most(words_view instance) { return instance[0] - 1; }
    static std::int64_t least_loss(words_view) { return 0; }

    /// The fragments of the path, one after the other.
    static std::int64_t write_sequence(words_view instance, std::int32_t const* choices, std::int32_t* answer) {
        std::int32_t const n = size(instance);
        auto const after = [&](std::int32_t u) {
            std::int32_t i = 0;
            while (choices[i] / (n + 1) != u) {
                ++i;
            }
            return choices[i] % (n + 1);
        };
        auto const follows = [&](std::int32_t v) {
            std::int32_t i = 0;
            while (i < n && choices[i] % (n + 1) != v) {
                ++i;
            }
            return i < n;
        };
        std::int32_t count = 0;
        for (std::int32_t first = 0; first < n; ++first) {
            for (std::int32_t v = follows(first) ? n : first; v < n; v = after(v)) {
                answer[1 + count++] = v;
            }
        }
        answer[0] = answer_flat;
        return answer_words(instance);
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level);
        return n < 1'000 ? n : 1'000;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 1 + size_of(level) * bitset_words(size_of(level));
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return size_of(level); }

    /// A path through all vertices, and further arcs until each has three successors. Half of these, if possible, lead
    /// at least two steps ahead on the path: short cuts past vertices that few others lead to.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t* path) {
        std::int32_t const n = size_of(level);
        std::int64_t const row_words = bitset_words(n);
        if (team.rank() == 0) {
            words[0] = n;
            write_path(source, n, path);
        }
        team.sync();
        team.each(n, [&](std::int64_t place) {
            auto const p = std::int32_t(place);
            std::int32_t at[3] = {p + 1 < n ? p + 1 : p, p, p};  // p itself stands for none
            for (std::int32_t count = p + 1 < n ? 1 : 0; count < 3; ++count) {
                philox_block const block = random_block(source, draw_arcs, std::uint32_t(3 * p + count));
                bool const ahead = to_range(block.word[0], 0, 999) < 500 && p + 2 < n;
                std::int32_t q = to_range(block.word[1], ahead ? p + 2 : 0, n - 1);
                while (q == p || q == at[0] || q == at[1]) {
                    q = q + 1 < n ? q + 1 : 0;
                }
                at[count] = q;
            }
            std::int32_t* const row = words + 1 + path[p] * row_words;
            for (std::int64_t w = 0; w < row_words; ++w) {
                std::uint32_t bits = 0;
                for (std::int32_t const q : at) {
                    bits |= path[q] / 32 == w ? 1u << (path[q] % 32) : 0u;
                }
                row[w] = std::int32_t(bits);
            }
        });
        team.sync();
    }

    static std::int64_t planted_words(draw, difficulty level) { return 1 + std::int64_t(size_of(level)); }
    static std::int64_t planted_scratch_words(draw, difficulty) { return 0; }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t*) {
        answer[0] = answer_flat;
        write_path(source, size_of(level), answer + 1);
        return planted_words(source, level);
    }

private:
    OPTGAP_HD static void write_path(draw source, std::int32_t n, std::int32_t* path) {
        for (std::int32_t i = 0; i < n; ++i) {
            path[i] = i;
        }
        draw_stream stream(source, draw_path);
        shuffle(stream, path, n);
    }
};

}  // namespace tasks::hamiltonian_path
OPTGAP_KERNELS_END
