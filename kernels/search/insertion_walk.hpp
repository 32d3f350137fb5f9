#pragma once
// Local search over orders: one thing a step moves to where the loss is least, place by place; a move that changes
// nothing is made as well. Where no move gains any more, a few things of the best order move at random, and it goes on
// from there (iterated local search, Stützle 1998). It may be cut after any step and taken up again. A rule says
//
//   best_move(order, n, from)     of the thing at `from`: where it had best stand once it is taken out, and the change
//                                 of the loss, at most 0; of equal ones any, always the same
//
// It is what an exact search wants first: with a good order in hand, branches that cannot be better fall early.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/search_slice.hpp"
#include "kernels/core/team.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct order_move {
    std::int64_t change;
    std::int32_t place;  ///< of the thing, in the order after the move
};

/// Where a walk stands.
struct insertion_numbers {
    std::int64_t loss;  ///< of the current order
    std::int64_t best;
    std::int64_t steps;
    std::int32_t next;  ///< place whose thing is to be moved
    std::int32_t idle;  ///< places in turn where nothing gained
};

/// Of scratch, kept between slices: the order and the best one.
[[nodiscard]] constexpr std::int64_t walk_words(std::int64_t n) { return 2 * n; }

/// The thing at `from` comes to stand at `to`; those between close up.
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
    /// `scratch` is of walk_words(n); loss(order) that of a whole order.
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
    /// Every walk is as long as that, whatever it finds.
    [[nodiscard]] bool ended() const { return now_.steps >= turns * n_; }

    /// found(order, loss) for each that is better than all before, until one is at most `enough`.
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
    static constexpr std::int64_t turns = 32;  ///< of all places
    static constexpr std::uint32_t moved = 3;  ///< things a kick

    /// Back to the best order, of which a few things go anywhere. The random words are the step's.
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
