#pragma once
// Items in a line so that the sum of the entries matrix[i][j] with i before j is as large as possible.
//
//   matrix 0 5 1 | 2 0 4 | 3 1 0:   [0, 1, 2] gains 5 + 1 + 4 = 10, the optimum

#include "kernels/families/order/order.hpp"
#include "kernels/tasks/linear_ordering/linear_ordering_moves.hpp"
#include "kernels/tasks/linear_ordering/linear_ordering_rule.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::linear_ordering {

// Purposes of random words.
inline constexpr std::uint32_t draw_order = 0;
inline constexpr std::uint32_t draw_pairs =
    1;  ///< block k for the k-th pair: forward, backward, whether they are swapped

inline constexpr field matrix_layout[] = {
    {"n", field_kind::size, "n, the number of items, is 2 to 1000", 2, 1000},
    {"matrix", field_kind::table, "an entry of the n by n matrix is 0 to 1000000", 0, 1'000'000, of(0), of(0)},
};

struct task : families::searching<task, families::order_task<task>> {
    using neighbourhood = families::insertions<task, passed_entries>;
    static constexpr sense objective_sense = sense::maximise;
    static constexpr std::span<field const> layout = matrix_layout;
    using rule = backward_rule;
    using sets = backward_sets;
    using moves = backward_moves;

    OPTGAP_HD static std::int32_t size(words_view instance) { return instance[0]; }

    template <class Team>
    OPTGAP_HD static std::int64_t worth(Team& team, words_view instance, std::int32_t const* order, std::int32_t*) {
        matrix_view const matrix(instance);
        std::int64_t own = 0;
        team.each(matrix.n, [&](std::int64_t i) {
            for (std::int64_t j = i + 1; j < matrix.n; ++j) {
                own += matrix(order[i], order[j]);
            }
        });
        return team.sum(own);
    }

    struct nothing {};
    OPTGAP_HD static nothing moment(words_view, families::placed_things const&) { return {}; }
    /// The item with the largest surplus over the other remaining items (Becker 1967 takes the quotient).
    OPTGAP_HD static std::int64_t key(words_view instance, nothing, families::placed_things const& placed,
                                      std::int32_t i) {
        matrix_view const matrix(instance);
        std::int64_t lead = 0;
        for (std::int32_t j = 0; j < matrix.n; ++j) {
            lead += placed.has(j) ? 0 : matrix(i, j) - matrix(j, i);
        }
        return -lead;
    }

    /// The sum of all entries off the diagonal.
    static std::int64_t most(words_view instance) {
        matrix_view const matrix(instance);
        std::int64_t all = 0;
        for (std::int32_t i = 0; i < matrix.n; ++i) {
            for (std::int32_t j = 0; j < matrix.n; ++j) {
                all += i != j ? matrix(i, j) : 0;
            }
        }
        return all;
    }
    static std::int64_t least_loss(words_view instance) { return matrix_view(instance).least_loss(); }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level) / 2;
        return n < 200 ? n : 200;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 1 + std::int64_t(size_of(level)) * size_of(level);
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty level) { return size_of(level); }
    /// With respect to a hidden order, forward entries are larger, except for 300 permille of the pairs.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* place) {
        std::int32_t const n = size_of(level);
        if (team.rank() == 0) {
            words[0] = n;
            for (std::int32_t i = 0; i < n; ++i) {
                place[i] = i;
            }
            draw_stream stream(source, draw_order);
            shuffle(stream, place, n);
        }
        team.sync();
        team.each(std::int64_t(n) * n, [&](std::int64_t k) {
            std::int32_t const i = std::int32_t(k / n);
            std::int32_t const j = std::int32_t(k % n);
            if (i == j) {
                words[1 + k] = 0;
            } else if (i < j) {
                philox_block const block = random_block(source, draw_pairs, std::uint32_t(k));
                std::int32_t const forward = to_range(block.word[0], 1, 20);
                std::int32_t const backward = to_range(block.word[1], 0, 8);
                bool const ahead = (place[i] < place[j]) != (to_range(block.word[2], 0, 999) < 300);
                words[1 + k] = ahead ? forward : backward;
                words[1 + std::int64_t(j) * n + i] = ahead ? backward : forward;
            }
        });
        team.sync();
    }
};

}  // namespace tasks::linear_ordering
OPTGAP_KERNELS_END
