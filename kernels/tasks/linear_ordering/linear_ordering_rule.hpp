#pragma once
// The bound of linear_ordering. An order loses, for each pair, the entry of the opposite direction. A lower bound on
// the loss is the lesser entry of each pair that is still open.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"
#include "kernels/search/insertion_walk.hpp"
#include "kernels/search/sequence_search.hpp"
#include "kernels/search/subset_order.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::linear_ordering {

struct matrix_view {
    std::int32_t n;
    std::int32_t const* entries;

    OPTGAP_HD explicit matrix_view(words_view instance) : n(instance[0]), entries(instance.data + 1) {}

    OPTGAP_HD std::int64_t operator()(std::int64_t i, std::int64_t j) const { return entries[i * n + j]; }
    [[nodiscard]] std::int64_t lesser(std::int32_t i, std::int32_t j) const {
        return (*this)(i, j) < (*this)(j, i) ? (*this)(i, j) : (*this)(j, i);
    }
    [[nodiscard]] std::int64_t least_loss() const {
        std::int64_t loss = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = i + 1; j < n; ++j) {
                loss += lesser(i, j);
            }
        }
        return loss;
    }
};

/// A node's state: the set of items to come, the loss of the order so far, the lesser entries to come, the last item.
class backward_rule {
public:
    static bool fits(words_view instance) { return instance[0] <= 64; }
    static std::int64_t words(words_view) { return 0; }
    static search::sequence_shape shape(words_view instance) { return {instance[0], instance[0], 4}; }

    backward_rule(words_view instance, std::int32_t*) : matrix_(instance) {}

    [[nodiscard]] std::int64_t node_steps() const { return 1; }
    std::int64_t begin(std::int64_t* state) const {
        state[0] = std::int64_t(first_bits(matrix_.n));
        state[1] = 0;
        state[2] = matrix_.least_loss();
        state[3] = -1;
        return state[2];
    }
    /// An item does not come next if swapping it with the one before would be better.
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        auto const last = std::int32_t(state[3]);
        for (auto left = std::uint64_t(state[0]); left != 0; left &= left - 1) {
            std::int32_t const j = lowest(left);
            std::int64_t const gain = last < 0 ? 0 : matrix_(j, last) - matrix_(last, j);
            if (last < 0 || gain < 0 || (gain == 0 && last < j)) {
                offer(j);
            }
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t j, std::int64_t* next) const {
        std::uint64_t const left = std::uint64_t(state[0]) & ~bit(j);
        next[0] = std::int64_t(left);
        next[1] = state[1];
        next[2] = state[2];
        next[3] = j;
        for (std::uint64_t bits = left; bits != 0; bits &= bits - 1) {
            std::int32_t const i = lowest(bits);
            next[1] += matrix_(i, j);
            next[2] -= matrix_.lesser(i, j);
        }
        return {next[1] + next[2], 0};
    }

private:
    matrix_view matrix_;
};

/// Moves of one item: each item that it passes reverses one pair.
class backward_moves {
public:
    static std::int64_t words(words_view) { return 0; }

    backward_moves(words_view instance, std::int32_t*) : matrix_(instance) {}

    search::order_move best_move(std::int32_t const* order, std::int32_t n, std::int32_t from) const {
        std::int32_t const moved = order[from];
        search::order_move best{0, from};
        std::int64_t change = 0;
        for (std::int32_t i = from - 1; i >= 0; --i) {
            change += matrix_(order[i], moved) - matrix_(moved, order[i]);
            best = change < best.change ? search::order_move{change, i} : best;
        }
        change = 0;
        for (std::int32_t i = from + 1; i < n; ++i) {
            change += matrix_(moved, order[i]) - matrix_(order[i], moved);
            best = change < best.change ? search::order_move{change, i} : best;
        }
        return best;
    }

private:
    matrix_view matrix_;
};

/// The loss of an item as the last of its set.
class backward_sets {
public:
    static std::int64_t words() { return search::max_subset_things * search::subset_sums::words(); }

    backward_sets(words_view instance, std::int32_t* scratch) {
        matrix_view const matrix(instance);
        for (std::int32_t i = 0; i < matrix.n; ++i) {
            loss_[i] = search::subset_sums(matrix.n, scratch + i * search::subset_sums::words(),
                                           [&](std::int32_t j) { return i != j ? matrix(i, j) : 0; });
        }
    }

    [[nodiscard]] std::int64_t last(std::uint32_t set, std::int32_t i) const { return loss_[i].total(set); }

private:
    search::subset_sums loss_[search::max_subset_things];
};

}  // namespace tasks::linear_ordering
OPTGAP_KERNELS_END
