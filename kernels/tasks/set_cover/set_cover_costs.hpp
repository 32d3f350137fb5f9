#pragma once
// Covers of least cost, for sets with costs: the greedy cover, then branch and bound with dual prices
// (weighted_cover.hpp), where a demand is an element. Runs on one lane of the CPU.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/weighted_cover.hpp"
#include "kernels/tasks/set_cover/set_cover_greedy.hpp"
#include "kernels/tasks/set_cover/set_cover_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

/// Longer lists are not made: these take 256 MB.
inline constexpr std::int64_t max_entries = std::int64_t(1) << 25;

/// Calls f(e) for each element of set j, in rising order.
template <class Function>
void each_held(cover_view sets, std::int32_t j, Function const& function) {
    for (std::int32_t w = 0; w < sets.row_words; ++w) {
        for (std::uint32_t bits = sets.row(j)[w]; bits != 0; bits &= bits - 1) {
            function(32 * w + lowest(bits));
        }
    }
}

inline std::int64_t entries_of(cover_view sets) {
    std::int64_t entries = 0;
    for (std::int64_t w = 0; w < std::int64_t(sets.s) * sets.row_words; ++w) {
        entries += popcount(sets.rows[w]);
    }
    return entries;
}

inline std::int64_t costs_scratch_words(cover_view sets) {
    std::int64_t const entries = entries_of(sets);
    std::int64_t const u = sets.u;
    std::int64_t const s = sets.s;
    return entries > max_entries ? 0 : 2 * entries + u + s + 2 + search::weighted_cover::scratch_words(s, u);
}

/// The sets' lists of elements and the elements' lists of sets, both rising.
inline search::cover_lists list_cover(cover_view sets, std::int64_t entries, std::int32_t* memory) {
    search::cover_lists to{sets.s, sets.u, sets.costs, nullptr, nullptr, nullptr, nullptr};
    to.vertex_first = memory;
    to.demand_first = to.vertex_first + sets.s + 1;
    to.vertex_demand = to.demand_first + sets.u + 1;
    to.demand_vertex = to.vertex_demand + entries;
    for (std::int32_t e = 0; e <= sets.u; ++e) {
        to.demand_first[e] = 0;
    }
    std::int32_t next = 0;
    for (std::int32_t j = 0; j < sets.s; ++j) {
        to.vertex_first[j] = next;
        each_held(sets, j, [&](std::int32_t e) {
            to.vertex_demand[next++] = e;
            ++to.demand_first[e];
        });
    }
    to.vertex_first[sets.s] = next;
    for (std::int32_t e = 0, before = 0; e <= sets.u; ++e) {
        before += to.demand_first[e];
        to.demand_first[e] = before;
    }
    // The lists are filled from the back, so that each list's end becomes its start.
    for (std::int32_t j = sets.s - 1; j >= 0; --j) {
        each_held(sets, j, [&](std::int32_t e) { to.demand_vertex[--to.demand_first[e]] = j; });
    }
    return to;
}

/// See task::exact.
inline solve_result min_cost(cover_view sets, std::int64_t budget, std::int32_t* answer, std::int32_t* scratch) {
    solo team;
    solve_result result;
    answer[0] = answer_flat;
    std::int64_t const size = greedy_cover(team, sets, answer + 1, scratch);
    if (size == 0) {
        result.status = baseline_status::infeasible;
        return result;
    }
    result.answer_words = 1 + size;
    result.objective = sets.cost_of(answer + 1, size);
    result.bound = 1;
    std::int64_t const entries = entries_of(sets);
    if (entries <= max_entries) {
        search::cover_lists const lists = list_cover(sets, entries, scratch);
        search::cover_result const found =
            search::weighted_cover(lists, lists.demand_vertex + entries).run(result.objective, budget, answer + 1);
        result.answer_words = found.size > 0 ? 1 + found.size : result.answer_words;
        result.objective = found.weight;
        result.bound = found.bound;
        result.steps = found.steps;
    }
    bool const proven = result.objective == result.bound;
    result.status = proven ? baseline_status::optimal : baseline_status::bounded;
    result.bound_kind = proven ? 0 : 2;
    return result;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
