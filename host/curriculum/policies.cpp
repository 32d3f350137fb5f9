#include "host/curriculum/policies.hpp"

#include <algorithm>

#include "kernels/core/rng.hpp"

namespace optgap {
namespace {

void place(curriculum_window& window, std::int32_t low, std::int32_t high) {
    window.low = low;
    window.high = high;
    window.since.assign(std::size_t(high - low + 1), {});
}

/// RLVE: only the top step counts; reset whether it is promoted or not.
void advance_window(curriculum_spec const& spec, curriculum_window& window) {
    rollout_counts const& top = window.since.back();
    std::int64_t const attempts = tried(spec, top);
    if (attempts < samples_needed(spec)) {
        return;
    }
    bool const mastered = double(top.correct) / double(attempts) >= spec.accuracy;
    bool const hopeless = top.correct == 0 && window.high == 0;
    std::int32_t high = window.high;
    window.status = curriculum_status::learning;
    if (mastered && high < window.top) {
        ++high;
    } else if (mastered) {
        window.status = curriculum_status::at_limit;
    } else if (hopeless) {
        window.status = curriculum_status::stuck;
    }
    place(window, std::max(window.low, high - spec.width + 1), high);
}

void move_up(curriculum_window& window, std::int32_t width, std::int32_t by) {
    std::int32_t const high = std::int32_t(std::min<std::int64_t>(std::int64_t(window.high) + by, window.top));
    bool const at_top = high == window.high;
    place(window, at_top ? std::min(window.low + 1, high) : std::max(window.low, high - width + 1), high);
}

void move_down(curriculum_window& window, std::int32_t width) {
    if (window.low > 0) {
        place(window, window.low - 1, std::min(window.high, window.low + width - 2));
    } else {
        place(window, 0, std::max(0, window.high - 1));
    }
}

/// This project's rule. The window moves up when its whole accuracy is surely above `up` (by all but one of its steps
/// when it is surely mastered), and down when the lowest step's is surely below `down`. At an end of the scale it
/// narrows instead. Returns false when nothing was decided.
bool decide_adaptive(curriculum_spec const& spec, curriculum_window& window) {
    rollout_counts all;
    for (rollout_counts const& counts : window.since) {
        all += counts;
    }
    std::int64_t const attempts = tried(spec, all);
    if (attempts < samples_needed(spec)) {
        return false;
    }
    rollout_counts const lowest = window.since.front();
    bool const one_step = window.low == window.high;
    bool const mastered = surely_above(all.correct, attempts, spec.accuracy, spec.z);
    if (mastered && one_step && window.high == window.top) {
        window.status = curriculum_status::at_limit;
        place(window, window.low, window.high);
    } else if (mastered ||
               (surely_above(all.correct, attempts, spec.up, spec.z) && !(one_step && window.high == window.top))) {
        window.status = curriculum_status::learning;
        move_up(window, spec.width, mastered ? std::max(1, spec.width - 1) : 1);
    } else if (surely_below(lowest.correct, tried(spec, lowest), spec.down, spec.z)) {
        bool const bottom = one_step && window.low == 0;
        window.status = bottom ? curriculum_status::stuck : curriculum_status::learning;
        move_down(window, spec.width);
    } else if (attempts >= spec.memory) {
        // Neither: the policy has moved on from the oldest outcomes.
        window.status = curriculum_status::learning;
        for (rollout_counts& counts : window.since) {
            counts = times(counts, 1, 2);
        }
    } else {
        return false;
    }
    return true;
}

/// Steps that leave the window at its lower end keep their counts in `below`; steps that a move down takes in again
/// begin at zero.
void advance_adaptive(curriculum_spec const& spec, curriculum_window& window) {
    curriculum_window const before = window;
    if (!decide_adaptive(spec, window) || spec.choice == step_choice::uniform) {
        return;
    }
    std::vector<rollout_counts> below = before.below;
    below.insert(below.end(), before.since.begin(), before.since.end());
    // `below` ends at the step before.high; counts at or above the new lower end are dropped.
    below.resize(below.size() - std::size_t(before.high + 1 - std::min(window.low, before.high + 1)));
    std::size_t const kept = std::min(max_below, std::size_t(window.low));
    std::size_t const unknown = kept - std::min(kept, below.size());
    window.below.assign(unknown, {});
    window.below.insert(window.below.end(), below.end() - std::ptrdiff_t(kept - unknown), below.end());
    // Only where there are enough counts for two tests; else mastered steps would be tried again and again.
    for (rollout_counts& counts : window.below) {
        counts = tried(spec, counts) >= 2 * std::int64_t(samples_needed(spec)) ? times(counts, 1, 2) : counts;
    }
}

}  // namespace

std::int64_t tried(curriculum_spec const& spec, rollout_counts const& counts) {
    return counts.attempts + (spec.truncated == cut_off_counts::as_wrong ? counts.truncated : 0);
}

bool surely_above(std::int64_t correct, std::int64_t attempts, double share, double z) {
    double const n = double(attempts);
    double const excess = double(correct) - n * share;
    return excess > 0 && excess * excess >= z * z * n * share * (1 - share);
}

bool surely_below(std::int64_t correct, std::int64_t attempts, double share, double z) {
    return surely_above(attempts - correct, attempts, 1 - share, z);
}

std::int32_t samples_needed(curriculum_spec const& spec) {
    if (spec.samples > 0) {
        return spec.samples;
    }
    if (spec.policy == curriculum_policy::window) {
        return spec.rule == window_rule::public_code ? 128 : 8 * spec.rollouts;
    }
    return 4 * spec.rollouts;
}

scale_range steps_of(curriculum_spec const& spec) {
    bool const chooses = spec.policy == curriculum_policy::beta || spec.policy == curriculum_policy::replay;
    return chooses && spec.range.empty() ? scale_range{0, 30} : spec.range;
}

curriculum_window first_window(curriculum_spec const& spec, std::int32_t top) {
    curriculum_window window;
    window.top = top;
    scale_range const range = steps_of(spec);
    if (range.empty()) {
        place(window, 0, spec.policy == curriculum_policy::adaptive ? std::min(spec.width - 1, top) : 0);
        return window;
    }
    place(window, range.low, std::min(range.high, top));
    if (spec.policy == curriculum_policy::replay) {
        window.seen.assign(window.since.size(), -1);
    }
    return window;
}

void advance(curriculum_spec const& spec, std::span<curriculum_cell const> arrived, std::int64_t step,
             curriculum_window& window) {
    bool const top_only = spec.policy == curriculum_policy::window;
    std::int32_t const lowest = window.low - std::int32_t(window.below.size());
    auto const before_window = [first = top_only ? window.high : lowest](curriculum_cell const& cell) {
        return cell.level.code < first;
    };
    auto const in_window = [last = window.high](curriculum_cell const& cell) { return cell.level.code <= last; };
    auto const begin = std::ranges::partition_point(arrived, before_window);
    arrived = {begin, std::partition_point(begin, arrived.end(), in_window)};
    if (spec.policy == curriculum_policy::beta) {
        advance_beta(spec, arrived, window);
        return;
    }
    if (spec.policy == curriculum_policy::replay) {
        advance_replay(arrived, step, window);
        return;
    }
    for (curriculum_cell const& cell : arrived) {
        std::int32_t const d = cell.level.code;
        (d < window.low ? window.below[std::size_t(d - lowest)] : window.since[std::size_t(d - window.low)]) +=
            cell.counts;
    }
    top_only ? advance_window(spec, window) : advance_adaptive(spec, window);
}

std::int32_t step_for(curriculum_spec const& spec, curriculum_window const& window, std::int64_t step,
                      std::uint32_t word, std::uint64_t seed) {
    switch (spec.policy) {
        case curriculum_policy::beta: return nearest_step(spec, window, spec.target, seed);
        case curriculum_policy::replay: return ranked_step(spec, window, step, seed);
        case curriculum_policy::adaptive:
            if (spec.choice == step_choice::nearest) {
                return nearest_step(spec, window, 0.5, seed);
            }
            break;
        default: break;
    }
    return to_range(word, window.low, window.high);
}

std::int32_t stage_of(curriculum_spec const& spec, std::int64_t step, std::uint32_t word) {
    std::int64_t const easy = spec.mixture[0];
    std::int64_t const medium = easy + spec.mixture[1];
    std::int64_t const all = medium + spec.mixture[2];
    std::int64_t share = 0;
    if (spec.order == stage_order::mixed) {
        share = to_range(word, 0, std::int32_t(all - 1));
    } else if (step >= std::int64_t(spec.pass_steps) * spec.passes) {
        share = all - 1;
    } else {
        share = step % spec.pass_steps * all / spec.pass_steps;
    }
    return share < easy ? 0 : share < medium ? 1 : 2;
}

}  // namespace optgap
