#pragma once
// The size of one launch, so that a trainer's kernels get their turn soon; learnt from the times of earlier launches.
// Plain arithmetic, tested without a GPU. The cuts do not change results.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "host/calls/verb.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// The properties that determine the cost of a list's rows: the verb and the task, the words of the largest row, and
/// the number of rows that are worked on at the same time, since few may take as long as many; 0: as many as the card
/// holds.
struct launch_work {
    verb which;
    std::size_t task;
    std::int64_t words;
    std::int64_t at_once = 0;
};

/// The launch_work of all tasks in a slice.
struct row_load {
    verb which;
    std::vector<std::int64_t> words;  ///< per task
};

/// Seconds per row, or per row and step of searches, kept per verb, task and powers of two of the row's words and of
/// the rows at once. A slower measurement counts in full and a faster one by half: launches shrink when another process
/// shares the card, and grow back afterwards.
class launch_pace {
public:
    explicit launch_pace(double target_seconds) : target_(target_seconds) {}

    [[nodiscard]] double target() const { return target_; }
    /// Seconds that one block of a launch aims at.
    [[nodiscard]] double block_target() const { return std::min(target_, launch_policy::block_seconds); }
    /// 0 while nothing is known.
    [[nodiscard]] double seconds(launch_work const& work) const;
    /// Rows that take about the target together; 0 while nothing is known. A launch still takes one row for each warp
    /// that the card holds: fewer would not end sooner.
    [[nodiscard]] std::int64_t rows(launch_work const& work) const;
    /// Records that `rows` rows took `seconds`, in launches that kept the card as full as `work` says.
    void learn(launch_work const& work, std::int64_t rows, double seconds);

private:
    [[nodiscard]] static std::uint64_t place_of(launch_work const& work);

    double target_;
    std::unordered_map<std::uint64_t, double> seconds_;
};

/// One launch's part of a list of searches: so many rows, and so many steps of each.
struct launch_cut {
    std::int64_t rows;
    std::int64_t steps;
    double row_seconds;  ///< on a full card; 0: unknown
};

/// The pace of one list of searches. It begins with the known pace and follows its own launches. It keeps these
/// measurements to itself: searches that have ended make launches quick, which does not predict the next list.
class search_pace {
public:
    search_pace(launch_pace const& known, launch_work const& work);

    [[nodiscard]] launch_work const& work() const { return work_; }
    /// The next launch with `steps` steps to go: as many steps as a block is to last, and rows that fill the target, at
    /// least one for each that is worked on at the same time. One step while nothing is known.
    [[nodiscard]] launch_cut cut(std::int64_t steps) const;
    /// Records that `steps` steps of `rows` rows took `seconds`.
    void learn(std::int64_t rows, std::int64_t steps, double seconds);
    /// Teaches `pace` the time of the searches; `moves` is the number of steps that all rows really made.
    void tell(launch_pace& pace, std::int64_t moves) const { pace.learn(work_, moves, total_); }

private:
    launch_work work_;
    double target_;
    double block_;
    double each_;
    double total_ = 0;
};

}  // namespace optgap
