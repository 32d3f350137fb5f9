#pragma once
// Learners made of formulas, to compare curricula without a model.

#include <cstdint>
#include <memory>

namespace optgap {

enum class learner_kind : std::int32_t {
    ability = 0,  ///< one number for all steps
    skills,       ///< one number per step: teaches its neighbours less, forgets, guesses and slips
};

/// Learns one task. The groups of a training step take effect from the next step on.
class learner {
public:
    virtual ~learner() = default;
    /// The chance of a correct rollout at step `d` of the difficulty scale.
    [[nodiscard]] virtual double chance(std::int32_t d) const = 0;
    /// Learns from a group at step `d` of which `share` is correct.
    virtual void taught(std::int32_t d, double share) = 0;
    virtual void end_step() = 0;
    /// Whether its chances can change.
    [[nodiscard]] virtual bool learns() const { return true; }
    /// The approximate number of steps that it has mastered.
    [[nodiscard]] virtual double ability() const = 0;
};

/// Learner `task` of `tasks`: abilities start evenly from -1 to 6; those of kind `skills` learn at half to twice the
/// rate.
std::unique_ptr<learner> make_learner(learner_kind kind, std::int32_t task, std::int32_t tasks, double rate);

/// A learner of a mixture of different tasks: of every eight, one is learnt already, one is impossible, one is a coin
/// (a half at any step, whatever it is taught), one starts far below the difficulty scale, and four are make_learner's
/// that learn at half and at twice the rate.
std::unique_ptr<learner> make_uneven_learner(learner_kind kind, std::int32_t task, double rate);
inline constexpr std::int32_t uneven_kinds = 8;
inline constexpr std::int32_t learnt_last_step = 5;  ///< the last step of a task that is learnt already

}  // namespace optgap
