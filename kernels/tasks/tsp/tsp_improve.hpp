#pragma once
// Iterated local search over either neighbourhood: descend by best improvement, keep the tour when it is no longer than
// the best, kick the best tour, descend again. What happens in step k does not depend on how many steps follow.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/tsp/tsp_moves.hpp"
#include "kernels/tasks/tsp/tsp_neighbours.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

[[nodiscard]] OPTGAP_HD constexpr std::int64_t improve_words(std::int64_t n) {
    return matrix_search::whole(n) + (n <= matrix_cities ? matrix_search::words(n) : neighbour_search::words(n));
}

/// Takes up to `steps` steps, each a shortening move or a kick, from the n >= 4 cities in `best`, which holds the
/// shortest tour seen afterwards.
template <class Search, class Team>
OPTGAP_HD improve_result search_tour(Team& team, Search& search, words_view instance, std::int32_t* best,
                                     std::int64_t steps, draw source) {
    std::int32_t const n = search.n;
    search.load(team, instance);
    team.each(n, [&](std::int64_t i) { search.tour[i] = best[i]; });
    team.sync();
    search.permute(team, 0, n - 1);

    improve_result result;
    std::int64_t length = search.length(team);
    result.start_objective = length;
    result.objective = length;
    std::uint32_t kicks = 0;
    while (result.moves < steps) {
        tour_move const move = search.scan(team, result.evaluations);
        ++result.moves;
        if (move.delta < 0) {
            search.apply(team, move);
            length += move.delta;
            continue;
        }
        if (length <= result.objective) {
            result.objective = length;
            team.each(n, [&](std::int64_t i) { best[i] = search.tour[i]; });
            team.sync();
        }
        double_bridge const kick(source, kicks, n);
        ++kicks;
        team.each(n, [&](std::int64_t i) { search.tour[i] = best[kick.source_of(std::int32_t(i))]; });
        team.sync();
        search.permute(team, 0, n - 1);
        length = search.length(team);
    }
    if (length < result.objective) {
        result.objective = length;
        team.each(n, [&](std::int64_t i) { best[i] = search.tour[i]; });
        team.sync();
    }
    return result;
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
