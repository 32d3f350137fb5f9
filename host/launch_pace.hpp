#pragma once
// How many rows one launch takes, so that a trainer's kernels get their turn soon: learnt from how long earlier
// launches took. Plain arithmetic, tested without a GPU. Where the cuts fall changes no result.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optgap {

enum class launch_verb : std::int32_t { measure, generate, verify, floor, construct, improve, count_ };

/// What the rows of a list cost alike: the verb and the task, the words of the largest row, the steps each row takes.
struct launch_work {
    launch_verb verb;
    std::size_t task;
    std::int64_t words;
    std::int64_t steps;
};

/// The launch_work of all tasks in a slice.
struct row_load {
    launch_verb verb;
    std::vector<std::int64_t> words;  ///< per task
    std::int64_t steps = 1;
};

/// Seconds per row and step, kept per verb, task and power of two of the row's words. A slower measurement is believed
/// at once and a faster one by half: whoever shares the card makes launches shorter, and they grow back after it.
class launch_pace {
public:
    launch_pace(std::size_t tasks, double target_seconds)
        : target_(target_seconds), tasks_(tasks), seconds_(tasks * std::size_t(launch_verb::count_) * sizes, 0.0) {}

    /// Rows that take about the target together; 0 while nothing is known. A launch still takes one row for each warp
    /// that the card holds: fewer would not end sooner.
    [[nodiscard]] std::int64_t rows(launch_work const& work) const;
    /// `rows` rows took that long, in launches that kept the card full.
    void learn(launch_work const& work, std::int64_t rows, double seconds);

private:
    static constexpr std::size_t sizes = 64;

    [[nodiscard]] std::size_t place_of(launch_work const& work) const;

    double target_;
    std::size_t tasks_;
    std::vector<double> seconds_;
};

}  // namespace optgap
