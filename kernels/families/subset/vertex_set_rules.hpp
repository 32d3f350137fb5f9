#pragma once
// Rules shared by cliques and independent sets: a set of vertices without a forbidden pair. Forbidden are the
// non-adjacent pairs for cliques, the adjacent ones for independent sets.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/search/degree_greedy.hpp"

OPTGAP_KERNELS_BEGIN

namespace search {

/// The graph of forbidden pairs; its row words are computed when needed. For cliques a vertex also conflicts with
/// itself, and bits past n are set: intersect a row with a set of vertices before counting.
template <vertex_set Kind>
struct conflict_rows {
    graph_view graph;

    [[nodiscard]] OPTGAP_HD std::uint32_t word(std::int32_t v, std::int64_t w) const {
        return Kind == vertex_set::clique ? ~graph.row(v)[w] : graph.row(v)[w];
    }
    [[nodiscard]] OPTGAP_HD bool conflict(std::int32_t u, std::int32_t v) const {
        return (word(u, v >> 5) >> (v & 31)) & 1u;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t count(std::int32_t v, std::uint32_t const* members) const {
        std::int32_t found = 0;
        for (std::int32_t w = 0; w < graph.row_words; ++w) {
            found += popcount(word(v, w) & members[w]);
        }
        return found;
    }
};

/// Smallest i whose vertex conflicts with one at an earlier index. There must be one. Works in chunks as first_repeat
/// does.
template <vertex_set Kind, class Team>
OPTGAP_HD std::int32_t first_conflict(Team& team, conflict_rows<Kind> rows, std::int32_t const* values,
                                      std::int64_t count, std::uint32_t* earlier) {
    team.sync();
    clear(team, earlier, rows.graph.n);
    for (std::int64_t begin = 0; begin < count; begin += team.size()) {
        std::int64_t const i = begin + team.rank();
        bool const active = i < count;
        std::int32_t const v = values[active ? i : 0];
        bool found = false;
        for (std::int32_t w = 0; active && !found && w < rows.graph.row_words; ++w) {
            found = (rows.word(v, w) & earlier[w]) != 0;
        }
        for (std::int64_t j = begin; active && !found && j < i; ++j) {
            found = rows.conflict(v, values[j]);
        }
        ranked const first = team.min_by(found ? i : INT64_MAX, 0);
        if (first.key != INT64_MAX) {
            return std::int32_t(first.key);
        }
        if (active) {
            team.fetch_or(&earlier[v >> 5], 1u << (v & 31));
        }
        team.sync();
    }
    return -1;
}

/// The verdict on a list of vertices: the number of vertices as objective, or the conflicting pairs as first_task_code.
/// The scratch is a set.
template <vertex_set Kind, class Team>
OPTGAP_HD verdict verify_vertex_set(Team& team, graph_view graph, answer_view answer, std::int32_t* scratch) {
    std::int64_t const count = answer.count;
    verdict found;
    found.violation_max = count > 2 ? count * (count - 1) / 2 : 1;
    found.violation = found.violation_max;
    if (answer.is_word()) {
        found.code = code_unparsable;
        return found;
    }
    if (!answer.is_flat()) {
        found.code = answer.is_rows() && answer.rows == 0 ? code_empty : code_bad_depth;
        return found;
    }
    if (count == 0) {
        found.code = code_empty;
        return found;
    }
    found.where = first_out_of_range(team, answer.values, count, graph.n);
    if (found.where >= 0) {
        found.code = code_out_of_range;
        return found;
    }
    auto* const members = reinterpret_cast<std::uint32_t*>(scratch);
    found.where = first_repeat(team, answer.values, count, members, graph.n);
    if (found.where >= 0) {
        found.code = code_repeated;
        return found;
    }
    conflict_rows<Kind> const rows{graph};
    std::int64_t ends = 0;
    for (std::int64_t i = team.rank(); i < count; i += team.size()) {
        ends += rows.count(answer.values[i], members) - (Kind == vertex_set::clique ? 1 : 0);
    }
    found.violation = team.sum(ends) / 2;
    if (found.violation > 0) {
        found.code = first_task_code;
        found.where = first_conflict(team, rows, answer.values, count, members);
        return found;
    }
    found.objective = count;
    return found;
}

}  // namespace search

OPTGAP_KERNELS_END
