#include "host/curriculum/learners.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace optgap {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// The size of a group-relative gradient: nothing where all rollouts of a group agree, 1 at a half.
double signal(double share) { return 4 * share * (1 - share); }

class one_ability final : public learner {
public:
    one_ability(double start, double rate) : start_(start), now_(start), rate_(rate) {}

    [[nodiscard]] double chance(std::int32_t d) const override { return logistic(start_ - double(d)); }
    void taught(std::int32_t, double share) override { now_ += rate_ * signal(share); }
    void end_step() override { start_ = now_; }
    [[nodiscard]] double ability() const override { return start_; }

private:
    double start_;
    double now_;
    double rate_;
};

class many_skills final : public learner {
public:
    many_skills(double start, double rate) : rate_(rate) {
        for (int d = 0; d < steps; ++d) {
            first_.push_back(start - d);
        }
        start_ = now_ = first_;
    }

    [[nodiscard]] double chance(std::int32_t d) const override {
        return d < steps ? guessed + (1 - guessed - slipped) * logistic(start_[std::size_t(d)]) : guessed;
    }
    void taught(std::int32_t d, double share) override {
        for (std::int32_t other = 0; other < steps; ++other) {
            now_[std::size_t(other)] += rate_ * signal(share) * std::pow(passed_on, std::abs(other - d));
        }
    }
    void end_step() override {
        for (std::size_t d = 0; d < steps; ++d) {
            now_[d] -= forgotten * (now_[d] - first_[d]);
        }
        start_ = now_;
    }
    [[nodiscard]] double ability() const override {
        double sum = -0.5;
        for (double const skill : start_) {
            sum += logistic(skill);
        }
        return sum;
    }

private:
    static constexpr std::int32_t steps = 60;
    static constexpr double passed_on = 0.8;    ///< to the next step
    static constexpr double forgotten = 0.002;  ///< of what was learnt, per training step
    static constexpr double guessed = 0.02;
    static constexpr double slipped = 0.05;

    std::vector<double> first_;
    std::vector<double> start_;
    std::vector<double> now_;
    double rate_;
};

/// A learner with fixed chances.
class fixed_chance final : public learner {
public:
    explicit fixed_chance(double chance) : chance_(chance) {}

    [[nodiscard]] double chance(std::int32_t) const override { return chance_; }
    void taught(std::int32_t, double) override {}
    void end_step() override {}
    [[nodiscard]] bool learns() const override { return false; }
    [[nodiscard]] double ability() const override { return 0; }

private:
    double chance_;
};

std::unique_ptr<learner> starting_at(learner_kind kind, double start, double rate) {
    if (kind == learner_kind::ability) {
        return std::make_unique<one_ability>(start, rate);
    }
    return std::make_unique<many_skills>(start, rate);
}

}  // namespace

std::unique_ptr<learner> make_learner(learner_kind kind, std::int32_t task, std::int32_t tasks, double rate) {
    double const place = tasks == 1 ? 0.0 : double(task) / (tasks - 1);
    double const start = tasks == 1 ? 0.0 : -1.0 + 7.0 * place;
    // Faster and slower ones alternate, so that the rate does not depend on the start.
    bool const skills = kind == learner_kind::skills;
    return starting_at(kind, start, rate * (!skills ? 1.0 : task % 2 == 0 ? 0.5 : 2.0));
}

std::unique_ptr<learner> make_uneven_learner(learner_kind kind, std::int32_t task, double rate) {
    std::int32_t const role = task % uneven_kinds;
    switch (role) {
        case 0: return std::make_unique<fixed_chance>(0.98);
        case 1: return std::make_unique<fixed_chance>(0.0);
        case 2: return std::make_unique<fixed_chance>(0.5);
        case 3: return starting_at(kind, -5.0, rate);
        default: return starting_at(kind, role < 6 ? 0.0 : 4.0, rate * (role % 2 == 0 ? 0.5 : 2.0));
    }
}

}  // namespace optgap
