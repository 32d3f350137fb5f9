#pragma once
// The shortest plan, by depth-first searches with a growing limit (IDA*, Korf 1985). Its memory is proportional to the
// plan's length, it has a valid bound at every moment, and it may be cut after any node. Runs on one lane.
//
// A world is a state that actions change:
//
//   actions()             number of actions
//   sensible(a, last)     whether action a may be tried after `last` (-1: a is the first): it is legal and does not
//                         undo `last`
//   act(a), undo(a)
//   rest()                lower bound on the number of actions still needed; 0 at the goal and nowhere else

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

/// The state of the search, apart from its plan.
struct deepening_numbers {
    std::int64_t nodes;
    std::int32_t weight;  ///< of rest(): above 1 a plan is found sooner, but the first one may not be the shortest
    std::int32_t limit;   ///< if the weight is 1, no plan is shorter
    std::int32_t next;    ///< the least limit that changes anything
    std::int32_t depth;
    std::int32_t ended;
    std::int32_t reserved;
};

template <class World>
class iterative_deepening {
public:
    /// For plans of at most `most` actions.
    static std::int64_t words(std::int64_t most) { return 2 * (most + 1); }

    iterative_deepening(World& world, deepening_numbers& at, std::int32_t* scratch, std::int64_t most)
        : world_(world), at_(at), plan_(scratch), tried_(scratch + most + 1) {}

    /// Starts a search. Nodes continue to be counted. The world is at the start, or where this search left it.
    void begin(std::int32_t weight) {
        while (at_.depth > 0) {
            world_.undo(plan_[--at_.depth]);
        }
        at_ = {at_.nodes, weight, weight * world_.rest(), INT32_MAX, 0, 0, 0};
        tried_[0] = 0;
    }
    /// Brings the world from the start to the state at which the search was cut.
    void take_up() {
        for (std::int32_t k = 0; k < at_.depth; ++k) {
            world_.act(plan_[k]);
        }
    }

    /// Enters one more node, or starts again with a larger limit; true at the goal. Plans of more than `most` actions
    /// are not searched: if there is no shorter one, the search has ended.
    bool node(std::int64_t most) {
        ++at_.nodes;
        for (;;) {
            std::int32_t const action = tried_[at_.depth];
            if (action == world_.actions()) {
                if (at_.depth == 0) {
                    begin_again();
                    return false;
                }
                world_.undo(plan_[--at_.depth]);
                continue;
            }
            ++tried_[at_.depth];
            if (!world_.sensible(action, at_.depth > 0 ? plan_[at_.depth - 1] : -1)) {
                continue;
            }
            world_.act(action);
            std::int32_t const rest = world_.rest();
            std::int32_t const length = at_.depth + 1 + at_.weight * rest;
            bool const useless = at_.depth + 1 + rest > most;
            if (useless || length > at_.limit) {
                at_.next = !useless && length < at_.next ? length : at_.next;
                world_.undo(action);
                continue;
            }
            plan_[at_.depth++] = action;
            tried_[at_.depth] = 0;
            at_.ended = rest == 0 ? 1 : 0;
            return rest == 0;
        }
    }

    [[nodiscard]] std::int32_t const* plan() const { return plan_; }

private:
    void begin_again() {
        at_.limit = at_.next;
        at_.next = INT32_MAX;
        at_.ended = at_.limit == INT32_MAX ? 1 : 0;
        tried_[0] = 0;
    }

    World& world_;
    deepening_numbers& at_;
    std::int32_t* plan_;
    std::int32_t* tried_;  ///< the action tried at each depth
};

}  // namespace search
OPTGAP_KERNELS_END
