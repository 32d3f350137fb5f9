#pragma once
// Learners made of formulas, to compare curricula without a model.

#include <cstdint>
#include <memory>

namespace optgap {

enum class learner_kind : std::int32_t {
    ability = 0,  ///< one number, whatever it was taught at
    skills,       ///< one number per ladder step: teaches its neighbours less, forgets, guesses and slips
};

/// Learns one task. What a step's groups teach is there from the next step on.
class learner {
public:
    virtual ~learner() = default;
    /// Of a correct rollout at ladder step `d`.
    [[nodiscard]] virtual double chance(std::int32_t d) const = 0;
    /// A group at step `d` of which `share` is correct.
    virtual void taught(std::int32_t d, double share) = 0;
    virtual void end_step() = 0;
    /// False of one whose chances nothing moves.
    [[nodiscard]] virtual bool learns() const { return true; }
    /// About how many steps of the ladder it has.
    [[nodiscard]] virtual double ability() const = 0;
};

/// Learner `task` of `tasks`: abilities start evenly from -1 to 6; those of kind `skills` learn at half to twice the
/// rate.
std::unique_ptr<learner> make_learner(learner_kind kind, std::int32_t task, std::int32_t tasks, double rate);

/// Of a mixture in which tasks differ: of every eight one is learnt already, one is impossible, one is a coin (a half
/// at any step, whatever it is taught), one starts far below the ladder, and four are make_learner's that learn at half
/// and at twice the rate.
std::unique_ptr<learner> make_uneven_learner(learner_kind kind, std::int32_t task, double rate);
inline constexpr std::int32_t uneven_kinds = 8;
inline constexpr std::int32_t learnt_last_step = 5;  ///< where the ladder of a task that is learnt already ends

}  // namespace optgap
