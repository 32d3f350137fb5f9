#pragma once
// Oracle for orienteering, written from README.md.

#include <algorithm>
#include <numeric>

#include "tests/support/reference_routes.hpp"
#include "tests/support/reference_rules.hpp"

namespace optgap::reference::orienteering {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    routes_plan const plan(instance);
    std::int64_t farthest = 0;
    for (std::int32_t v = 0; v < plan.n; ++v) {
        farthest += plan.distance(0, v) + plan.distance(v, 0) + 1;
    }
    std::int64_t const most = std::max<std::int64_t>(1, farthest - plan.limit);
    answer_lists answer(answer_block);
    if (answer.shape == answer_shape::list && answer.values.size() > 1 && answer.values.front() == 0 &&
        answer.values.back() == 0) {
        answer.values.pop_back();  // place 0 at both ends does not change the trip
    }
    if (auto const broken = broken_list(answer, plan.n, most, true)) {
        return *broken;
    }
    // The same circle, starting at place 0.
    std::vector<std::int32_t> trip = answer.values;
    if (auto const home = std::find(trip.begin(), trip.end(), 0); home != trip.end()) {
        std::rotate(trip.begin(), home, trip.end());
        trip.erase(trip.begin());
    }
    if (std::int64_t const length = plan.length(trip); length > plan.limit) {
        return {first_task_code, -1, 0, length - plan.limit, most};
    }
    std::int64_t prize = 0;
    for (std::int32_t const v : trip) {
        prize += plan.amounts[std::size_t(v)];
    }
    return {code_ok, -1, prize, 0, most};
}

/// Tries every order of the places, as long as trips are short enough to be completed; up to 10 places.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    routes_plan const plan(instance);
    if (plan.n > 10) {
        return std::nullopt;
    }
    std::int64_t best = 0;
    std::vector<std::int32_t> trip;
    std::vector<bool> in(std::size_t(plan.n), false);
    auto const extend = [&](auto const& self, std::int64_t prize) -> void {
        if (plan.length(trip) <= plan.limit) {
            best = std::max(best, prize);
        }
        for (std::int32_t v = 1; v < plan.n; ++v) {
            if (!in[std::size_t(v)]) {
                in[std::size_t(v)] = true;
                trip.push_back(v);
                // The way out alone must not exceed the limit, and every further way is at least 0.
                if (plan.length(trip) - plan.distance(v, 0) <= plan.limit) {
                    self(self, prize + plan.amounts[std::size_t(v)]);
                }
                trip.pop_back();
                in[std::size_t(v)] = false;
            }
        }
    };
    extend(extend, 0);
    return best;
}

}  // namespace optgap::reference::orienteering
