#pragma once
// Oracle for vehicle_routing, written from README.md.

#include <algorithm>
#include <numeric>

#include "tests/support/reference_routes.hpp"
#include "tests/support/reference_rules.hpp"

namespace optgap::reference::vehicle_routing {

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    routes_plan const plan(instance);
    std::int64_t const customers = plan.n - 1;
    answer_lists const answer(answer_block);
    if (answer.shape == answer_shape::word) {
        return worst(code_unparsable, customers);
    }
    if (answer.shape == answer_shape::rows ? answer.rows.empty() : answer.values.empty()) {
        return worst(code_empty, customers);
    }
    if (answer.shape == answer_shape::list) {
        return worst(code_bad_depth, customers);
    }
    std::set<std::size_t> ends;  // for routes that name place 0 at both ends
    std::size_t begin = 0;
    for (auto const& route : answer.rows) {
        if (route.size() > 1 && route.front() == 0 && route.back() == 0) {
            ends.insert({begin, begin + route.size() - 1});
        }
        begin += route.size();
    }
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (!ends.contains(i) && (answer.values[i] < 1 || answer.values[i] >= plan.n)) {
            return worst(code_out_of_range, customers, std::int32_t(i));
        }
    }
    std::set<std::int32_t> seen;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        if (!ends.contains(i) && !seen.insert(answer.values[i]).second) {
            return worst(code_repeated, customers, std::int32_t(i));
        }
    }
    if (std::int64_t const served = std::int64_t(seen.size()); served < customers) {
        return {first_task_code, -1, 0, customers - served, customers};
    }
    std::int64_t excess = 0;
    std::int64_t length = 0;
    std::int32_t first = -1;
    std::int32_t position = 0;
    for (auto const& route : answer.rows) {
        std::int64_t load = 0;
        for (std::int32_t const v : route) {
            load += plan.amounts[std::size_t(v)];
            if (load > plan.limit && first < 0) {
                first = position;
            }
            ++position;
        }
        excess += std::max<std::int64_t>(0, load - plan.limit);
        length += plan.length(route);
    }
    if (excess > 0) {
        std::int64_t const demand = std::accumulate(plan.amounts.begin(), plan.amounts.end(), std::int64_t(0));
        return {first_task_code + 1, first, 0, excess, demand - plan.limit};
    }
    return {code_ok, -1, length, 0, customers};
}

/// All orders of the customers, each cut into routes optimally; up to 7 customers.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    routes_plan const plan(instance);
    if (plan.n > 8) {
        return std::nullopt;
    }
    std::vector<std::int32_t> order(std::size_t(plan.n) - 1);
    std::iota(order.begin(), order.end(), 1);
    std::int64_t best = INT64_MAX;
    do {
        std::vector<std::int64_t> least(order.size() + 1, INT64_MAX);
        least[0] = 0;
        for (std::size_t from = 0; from < order.size(); ++from) {
            std::int64_t load = 0;
            for (std::size_t to = from + 1; to <= order.size(); ++to) {
                load += plan.amounts[std::size_t(order[to - 1])];
                if (load <= plan.limit) {
                    std::vector<std::int32_t> const route(order.begin() + std::ptrdiff_t(from),
                                                          order.begin() + std::ptrdiff_t(to));
                    least[to] = std::min(least[to], least[from] + plan.length(route));
                }
            }
        }
        best = std::min(best, least.back());
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

}  // namespace optgap::reference::vehicle_routing
