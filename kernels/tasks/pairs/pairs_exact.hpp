#pragma once
// Baselines of pairs: all runs of a grid of two rows, otherwise annealing of one nested order.

#include <cstdint>
#include <initializer_list>

#include "kernels/tasks/pairs/pairs_plan.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::pairs {

/// The fewest moves that make the four cards of two rows vanish, by layers of states with equally many moves. Taking
/// and putting down cost no move, so a layer contains all states that they reach from one of its states. A step expands
/// one state.
class all_runs {
public:
    static constexpr std::int32_t side = 2;
    static constexpr std::int64_t words() { return 3 * std::int64_t(states); }

    all_runs(deal const& on, std::int64_t budget, std::int32_t* scratch)
        : on_(on), budget_(budget), from_(scratch), layer_(scratch + states), next_(scratch + 2 * states) {}

    /// Writes the operations of a best run behind the block's first word; false if the budget was too small.
    bool run(std::int32_t* answer) {
        for (std::int32_t state = 0; state < states; ++state) {
            from_[state] = unseen;
        }
        scene start;
        for (std::int32_t card = 0; card < cards; ++card) {
            start.place[card] = card;
        }
        from_[start.code()] = first;
        layer_[0] = start.code();
        for (std::int32_t size = 1; size > 0;) {
            for (std::int32_t i = 0; i < size; ++i) {
                if (steps_ == budget_) {
                    return false;
                }
                ++steps_;
                if (scene(layer_[i]).is_over()) {
                    write(layer_[i], answer);
                    return true;
                }
                for (std::int32_t operation : {op_take, op_put}) {
                    visit(layer_[i], operation, layer_, size);
                }
            }
            std::int32_t further = 0;
            for (std::int32_t i = 0; i < size; ++i) {
                for (std::int32_t operation = op_up; operation <= op_right; ++operation) {
                    visit(layer_[i], operation, next_, further);
                }
            }
            std::int32_t* const swapped = layer_;
            layer_ = next_;
            next_ = swapped;
            size = further;
        }
        return false;
    }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] std::int32_t count() const { return count_; }

private:
    static constexpr std::int32_t cards = side * side;
    static constexpr std::int32_t gone = 8;  ///< lower values: 0 to 3 are cells, from 4 on places in the deck
    static constexpr std::int32_t places = gone + 1;
    static constexpr std::int32_t states = cards * places * places * places * places;
    static constexpr std::int32_t unseen = -2;
    static constexpr std::int32_t first = -1;

    /// The place of each card, named by its first cell, and the current cell.
    struct scene {
        std::int32_t place[cards] = {};
        std::int32_t here = 0;

        scene() = default;
        explicit scene(std::int32_t code) {
            for (std::int32_t& one : place) {
                one = code % places;
                code /= places;
            }
            here = code;
        }
        [[nodiscard]] std::int32_t code() const {
            std::int32_t code = here;
            for (std::int32_t card = cards - 1; card >= 0; --card) {
                code = code * places + place[card];
            }
            return code;
        }
        [[nodiscard]] bool is_over() const {
            bool over = true;
            for (std::int32_t const one : place) {
                over = over && one == gone;
            }
            return over;
        }
        /// The card there, -1 for none.
        [[nodiscard]] std::int32_t card_at(std::int32_t wanted) const {
            for (std::int32_t card = 0; card < cards; ++card) {
                if (place[card] == wanted) {
                    return card;
                }
            }
            return -1;
        }
        [[nodiscard]] std::int32_t held() const {
            std::int32_t count = 0;
            while (count < cards && card_at(cards + count) >= 0) {
                ++count;
            }
            return count;
        }
    };

    bool apply(scene& now, std::int32_t operation) const {
        if (operation < op_take) {
            std::int32_t const bit = operation < op_left ? side : 1;
            bool const forward = operation == op_down || operation == op_right;
            if (((now.here & bit) == 0) != forward) {
                return false;
            }
            now.here ^= bit;
            return true;
        }
        std::int32_t const held = now.held();
        std::int32_t const top = held > 0 ? now.card_at(cards + held - 1) : -1;
        std::int32_t const card = now.card_at(now.here);
        if (operation == op_put) {
            if (top < 0 || card >= 0) {
                return false;
            }
            now.place[top] = now.here;
            return true;
        }
        if (card < 0) {
            return false;
        }
        bool const matches = top >= 0 && on_.cards[top] == on_.cards[card];
        now.place[card] = matches ? gone : cards + held;
        if (matches) {
            now.place[top] = gone;
        }
        return true;
    }
    void visit(std::int32_t state, std::int32_t operation, std::int32_t* list, std::int32_t& size) {
        scene now(state);
        if (apply(now, operation) && from_[now.code()] == unseen) {
            from_[now.code()] = state * operations + operation;
            list[size++] = now.code();
        }
    }
    void write(std::int32_t state, std::int32_t* answer) {
        count_ = 0;
        for (std::int32_t at = state; from_[at] >= 0; at = from_[at] / operations) {
            ++count_;
        }
        std::int32_t place = count_;
        for (std::int32_t at = state; from_[at] >= 0; at = from_[at] / operations) {
            answer[place--] = from_[at] % operations;
        }
    }

    deal on_;
    std::int64_t budget_;
    std::int64_t steps_ = 0;
    std::int32_t count_ = 0;
    std::int32_t* from_;  ///< state · operations + operation
    std::int32_t* layer_;
    std::int32_t* next_;
};

/// One order, cooled repeatedly on the same schedule, which does not depend on the budget; the best one is kept.
class annealing {
public:
    static std::int64_t words(words_view instance) { return plan::words(instance) + deal(instance).cells(); }
    annealing(words_view instance, std::int32_t* scratch)
        : now_(instance, scratch), best_order_(scratch + plan::words(instance)), size_(deal(instance).cells()) {
        now_.prepare();
    }

    void run(std::int64_t budget) {
        now_.sweep();
        note();
        std::int64_t heat = 0;
        for (std::int64_t step = 0; step < budget; ++step) {
            if (step % stage == 0) {
                heat = step % period == 0 ? hottest : heat * cooling / 1000;
            }
            now_.step({}, step, heat);
            if (now_.moves() < best_) {
                note();
            }
        }
        now_.copy(best_order_);
    }
    [[nodiscard]] plan const& best() const { return now_; }

private:
    static constexpr std::int64_t period = 400'000;
    static constexpr std::int64_t stage = period / 64;
    static constexpr std::int64_t hottest = 256;
    static constexpr std::int64_t cooling = 975;

    void note() {
        best_ = now_.moves();
        for (std::int32_t i = 0; i < size_; ++i) {
            best_order_[i] = now_.cells()[i];
        }
    }

    plan now_;
    std::int32_t* best_order_;
    std::int32_t size_;
    std::int64_t best_ = 0;
};

}  // namespace tasks::pairs
OPTGAP_KERNELS_END
