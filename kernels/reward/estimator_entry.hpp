#pragma once
// What the registry of estimators holds of each: its declaration, and its function for the host.

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/reward/declarations.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/estimator_batch.hpp"
#include "kernels/reward/reward_group.hpp"
#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN

/// Stand-ins, to ask which function a declaration has.
using asked_team = solo;
struct asked_row {
    OPTGAP_HD std::int64_t operator()(std::int64_t k) const { return k; }
};
struct asked_present {
    OPTGAP_HD bool operator()(std::int64_t) const { return true; }
};
using asked_group = reward_group<asked_team, asked_row, asked_present>;

template <class Estimator>
concept of_groups = requires(asked_group const& group) {
    Estimator::advantages(group);
};
template <class Estimator>
concept of_scores = requires(score_group<asked_team> const& group) {
    Estimator::score_column(group);
};
template <class Estimator>
concept of_batches = requires(estimator_batch& all, advantage_spec const& spec) {
    Estimator::batch(all, spec);
};

template <class Estimator>
constexpr bool runs_on_device() {
    if constexpr (requires { Estimator::on_device; }) {
        return Estimator::on_device;
    } else {
        return !of_batches<Estimator> && !Estimator::info.reads.lengths && !Estimator::info.reads.components;
    }
}

/// One thread's groups.
template <class Estimator>
[[gnu::flatten]] void advantages_of(group_range const& range, group_rule const& rule) {
    std::array<double, sum_lanes> partial;
    solo team;
    for (std::int64_t g = range.first; g < range.last; ++g) {
        std::int64_t const first = range.begin[g];
        std::int64_t const count = range.begin[g + 1] - first;
        if (range.order == nullptr) {
            group_advantage<Estimator>(
                team, range.rewards + first, count, [](std::int64_t k) { return k; }, rule, partial.data(),
                range.out + first, range.inputs);
        } else {
            std::int64_t const* const rows = range.order + first;
            group_advantage<Estimator>(
                team, range.rewards, count, [rows](std::int64_t k) { return rows[k]; }, rule, partial.data(), range.out,
                range.inputs);
        }
    }
}

template <class Estimator>
void scores_of(score_range const& range, advantage_spec const& spec, rank_room const& room) {
    solo team;
    rank_scores<Estimator>(team, range, spec, room);
}

template <class Estimator>
estimator_entry estimator_entry_of(estimator form) {
    static_assert(int(of_groups<Estimator>) + int(of_scores<Estimator>) + int(of_batches<Estimator>) == 1,
                  "an estimator has one of advantages, score_column and batch");
    estimator_entry entry{&Estimator::info, form, runs_on_device<Estimator>()};
    if constexpr (of_groups<Estimator>) {
        entry.groups = advantages_of<Estimator>;
    } else if constexpr (of_scores<Estimator>) {
        static_assert(Estimator::info.reads.scores, "score_column reads scores");
        entry.scores = scores_of<Estimator>;
    } else {
        entry.batch = Estimator::batch;
    }
    if constexpr (requires { Estimator::constant; }) {
        entry.constant = Estimator::constant;
        entry.reads_batch = [](advantage_spec const&) { return true; };
    }
    if constexpr (requires { Estimator::reads_batch; }) {
        entry.reads_batch = Estimator::reads_batch;
    }
    if constexpr (requires { Estimator::reads_lengths; }) {
        entry.reads_lengths = Estimator::reads_lengths;
    } else {
        entry.reads_lengths = [](advantage_spec const&) { return Estimator::info.reads.lengths; };
    }
    return entry;
}

template <class List>
std::vector<estimator_entry> estimator_entries() {
    std::vector<estimator_entry> out;
    List::each([&]<class Estimator>(Estimator, estimator form) { out.push_back(estimator_entry_of<Estimator>(form)); });
    std::ranges::sort(out, {}, &estimator_entry::form);
    return out;
}

OPTGAP_KERNELS_END
