#pragma once
// Baselines of chests: all plans if there are few chests, annealing of one plan otherwise.

#include <cstdint>

#include "kernels/tasks/chests/chests_plan.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::chests {

/// The fewest turns that open a chest with `left` hardness remaining if every usable weapon may be used on it in full:
/// the strongest first, and bare hands for the rest if that takes fewer turns.
inline std::int64_t min_turns(room const& on, std::int32_t chest, std::int32_t left, bool const* usable) {
    std::int64_t turns = 0;
    std::int32_t limit = INT32_MAX;  // damage of the weapons before
    while (left > 0) {
        std::int32_t power = 1;
        std::int32_t uses = 0;
        for (std::int32_t weapon = 0; weapon < on.n; ++weapon) {
            std::int32_t const own = on.damage(weapon, chest);
            if (weapon == chest || !usable[weapon] || own >= limit || own < power || own == 1) {
                continue;
            }
            uses = own > power ? on.uses[weapon] : uses + on.uses[weapon];
            power = own;
        }
        if (power == 1) {
            return turns + left;
        }
        for (; uses > 0 && left > 0; --uses) {
            left -= power;
            ++turns;
        }
        limit = power;
    }
    return turns;
}

/// A lower bound for every run of the instance: each chest may use all weapons, except for the first chest, which only
/// bare hands can open.
inline std::int64_t turns_bound(room const& on) {
    bool all[max_chests];
    for (bool& usable : all) {
        usable = true;
    }
    std::int64_t sum = 0;
    std::int64_t first = INT64_MAX;
    for (std::int32_t chest = 0; chest < on.n; ++chest) {
        std::int64_t const least = min_turns(on, chest, on.hardness[chest], all);
        std::int64_t const more = on.hardness[chest] - least;
        sum += least;
        first = more < first ? more : first;
    }
    return sum + first;
}

/// Every plan of at most five chests, except those that the bound excludes. A node costs one step: the next chest opens
/// by bare hands, and the uses of its weapon are aimed at others.
class all_plans {
public:
    static constexpr std::int32_t most = 5;
    static constexpr std::int32_t max_slots = most * max_uses;

    all_plans(words_view instance, std::int64_t budget, std::int64_t turns)
        : on_(instance), budget_(budget), best_(turns) {}

    void run() {
        std::int32_t slot = 0;
        for (std::int32_t chest = 0; chest < on_.n; ++chest) {
            left_[chest] = on_.hardness[chest];
            usable_[chest] = true;
            first_[chest] = slot;
            slot += on_.uses[chest];
        }
        for (std::int32_t& target : target_) {
            target = -1;
        }
        open_next(0, 0);
    }
    [[nodiscard]] bool whole() const { return !cut_; }
    [[nodiscard]] bool found() const { return found_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] std::int64_t turns() const { return best_; }
    [[nodiscard]] std::int32_t const* order() const { return best_order_; }
    [[nodiscard]] std::int32_t const* targets() const { return best_target_; }

private:
    static std::int32_t rest(std::int32_t left) { return left > 0 ? left : 0; }

    [[nodiscard]] bool hopeless(std::int32_t opened, std::int64_t turns) const {
        std::int64_t sum = turns;
        std::int64_t next = opened == on_.n ? 0 : INT64_MAX;
        for (std::int32_t chest = 0; chest < on_.n; ++chest) {
            if (usable_[chest]) {
                std::int64_t const least = min_turns(on_, chest, left_[chest], usable_);
                std::int64_t const more = rest(left_[chest]) - least;
                sum += least;
                next = more < next ? more : next;
            }
        }
        return sum + next >= best_;
    }
    void open_next(std::int32_t opened, std::int64_t turns) {
        if (steps_ == budget_) {
            cut_ = true;
            return;
        }
        ++steps_;
        if (hopeless(opened, turns)) {
            return;
        }
        if (opened == on_.n) {
            best_ = turns;
            found_ = true;
            for (std::int32_t i = 0; i < on_.n; ++i) {
                best_order_[i] = order_[i];
            }
            for (std::int32_t i = 0; i < max_slots; ++i) {
                best_target_[i] = target_[i];
            }
            return;
        }
        for (std::int32_t chest = 0; chest < on_.n && !cut_; ++chest) {
            if (usable_[chest]) {
                usable_[chest] = false;
                order_[opened] = chest;
                aim(opened + 1, chest, 0, 0, turns + rest(left_[chest]));
                usable_[chest] = true;
            }
        }
    }
    /// Aims the uses of the weapon from `used` on, at chests from `from` on.
    void aim(std::int32_t opened, std::int32_t weapon, std::int32_t used, std::int32_t from, std::int64_t turns) {
        if (cut_) {
            return;
        }
        if (used < on_.uses[weapon]) {
            for (std::int32_t chest = from; chest < on_.n; ++chest) {
                std::int32_t const power = on_.damage(weapon, chest);
                if (usable_[chest] && left_[chest] > 0 && power > 1) {
                    target_[first_[weapon] + used] = chest;
                    left_[chest] -= power;
                    aim(opened, weapon, used + 1, chest, turns + 1);
                    left_[chest] += power;
                    target_[first_[weapon] + used] = -1;
                }
            }
        }
        open_next(opened, turns);
    }

    room on_;
    std::int64_t budget_;
    std::int64_t best_;
    std::int64_t steps_ = 0;
    bool cut_ = false;
    bool found_ = false;
    bool usable_[most];  ///< weapons of chests that are not opened
    std::int32_t left_[most];
    std::int32_t first_[most];
    std::int32_t order_[most] = {};
    std::int32_t best_order_[most] = {};
    std::int32_t target_[max_slots];
    std::int32_t best_target_[max_slots];
};

/// One plan, cooled repeatedly on the same schedule, which does not depend on the budget; the best one is kept.
class annealing {
public:
    static std::int64_t words(words_view instance) {
        room const on(instance);
        return plan::words(instance) + on.n + on.whole_uses();
    }
    annealing(words_view instance, std::int32_t* scratch)
        : on_(instance), now_(instance, scratch), order_(scratch + plan::words(instance)), targets_(order_ + on_.n) {
        now_.prepare();
    }

    void run(answer_view const& start, std::int64_t budget) {
        now_.read(start);
        note();
        std::int64_t heat = 0;
        for (std::int64_t step = 0; step < budget; ++step) {
            if (step % stage == 0) {
                heat = step % period == 0 ? hottest : heat * 941 / 1000;
            }
            now_.step({}, step, heat);
            if (now_.turns() < best_) {
                note();
            }
        }
        now_.copy(order_, targets_);
    }
    [[nodiscard]] plan const& best() const { return now_; }

private:
    static constexpr std::int64_t period = 320'000;
    static constexpr std::int64_t stage = period / 64;
    static constexpr std::int64_t hottest = 20 * 256;

    void note() {
        best_ = now_.turns();
        for (std::int32_t i = 0; i < on_.n; ++i) {
            order_[i] = now_.order()[i];
        }
        for (std::int32_t i = 0; i < now_.slots(); ++i) {
            targets_[i] = now_.targets()[i];
        }
    }

    room on_;
    plan now_;
    std::int64_t best_ = 0;
    std::int32_t* order_;
    std::int32_t* targets_;
};

}  // namespace tasks::chests
OPTGAP_KERNELS_END
