#pragma once
// Local search over orders. A step moves one item to the place with the least loss; moves that change nothing are made
// as well. When no move gains any more, a few items of the best order move at random, and the search continues from
// there (iterated local search, Stützle 1998). It may be cut after any step and resumed. A rule defines
//
//   best_move(order, n, from)     for the item at `from`: its best place once it is taken out, and the change of the
//                                 loss, at most 0; among equal places any, but always the same
//
// An exact search runs it first: with a good order known, branches that cannot be better are pruned early.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/search_slice.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct order_move {
    std::int64_t change;
    std::int32_t place;  ///< of the item, in the order after the move
};

/// The state of a walk.
struct insertion_numbers {
    std::int64_t loss;  ///< of the current order
    std::int64_t best;
    std::int64_t steps;
    std::int32_t next;  ///< place of the item to be moved next
    std::int32_t idle;  ///< consecutive places at which nothing gained
};

/// Words of scratch that are kept between slices: the current order and the best one.
[[nodiscard]] constexpr std::int64_t walk_words(std::int64_t n) { return 2 * n; }

/// Moves the item at `from` to `to`; the items between close up.
inline void move_in_order(std::int32_t* order, std::int32_t from, std::int32_t to) {
    std::int32_t const thing = order[from];
    for (; from < to; ++from) {
        order[from] = order[from + 1];
    }
    for (; from > to; --from) {
        order[from] = order[from - 1];
    }
    order[to] = thing;
}

template <class Rule, class Loss>
class insertion_walk {
public:
    /// `scratch` has walk_words(n) words; loss(order) is the loss of a whole order.
    insertion_walk(Rule& rule, Loss const& loss, std::int32_t n, std::int32_t* scratch)
        : rule_(rule), loss_(loss), n_(n), order_(scratch), best_(scratch + n) {}

    void begin(std::int32_t const* order, std::int64_t loss) {
        now_ = {loss, loss, 0, 0, 0};
        for (std::int32_t i = 0; i < n_; ++i) {
            order_[i] = best_[i] = order[i];
        }
    }
    void take_up(search_slice const& slice) {
        solo lane;
        optgap::take_up(lane, slice, now_, order_, walk_words(n_));
    }
    void keep(search_slice const& slice) const {
        solo lane;
        optgap::keep(lane, slice, now_, order_, walk_words(n_));
    }

    [[nodiscard]] std::int64_t steps() const { return now_.steps; }
    /// Every walk has this length, whatever it finds.
    [[nodiscard]] bool ended() const { return now_.steps >= turns * n_; }

    /// Calls found(order, loss) for each order that is better than all before, until a loss is at most `enough`.
    template <class Found>
    void run(std::int64_t end, std::int64_t enough, Found const& found) {
        while (!ended() && now_.steps < end && now_.best > enough) {
            if (now_.idle == n_) {
                kick();
            }
            order_move const move = rule_.best_move(order_, n_, now_.next);
            ++now_.idle;
            if (move.change <= 0) {
                move_in_order(order_, now_.next, move.place);
                now_.loss += move.change;
                now_.idle = move.change < 0 ? 0 : now_.idle;
                if (now_.loss < now_.best) {
                    now_.best = now_.loss;
                    for (std::int32_t i = 0; i < n_; ++i) {
                        best_[i] = order_[i];
                    }
                    found(best_, now_.best);
                }
            }
            now_.next = now_.next + 1 < n_ ? now_.next + 1 : 0;
            ++now_.steps;
        }
    }

private:
    static constexpr std::int64_t turns = 32;  ///< rounds over all places
    static constexpr std::uint32_t moved = 3;  ///< items that one kick moves

    /// Returns to the best order and moves a few of its items to random places. The random words belong to the step.
    void kick() {
        for (std::int32_t i = 0; i < n_; ++i) {
            order_[i] = best_[i];
        }
        for (std::uint32_t k = 0; k < moved; ++k) {
            philox_block const word = random_block({}, k, std::uint32_t(now_.steps));
            move_in_order(order_, to_range(word.word[0], 0, n_ - 1), to_range(word.word[1], 0, n_ - 1));
        }
        now_.loss = loss_(order_);
        now_.idle = 0;
    }

    Rule& rule_;
    Loss const& loss_;
    std::int32_t n_;
    std::int32_t* order_;
    std::int32_t* best_;
    insertion_numbers now_{};
};

}  // namespace search
OPTGAP_KERNELS_END
