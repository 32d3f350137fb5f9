#pragma once
// Iterated local search over either neighbourhood: descend by best improvement, keep the tour if it is no longer than
// the best, kick the best tour, descend again. Step k does not depend on how many steps follow.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/tasks/tsp/tsp_neighbours.hpp"
#include "kernels/tasks/tsp/tsp_square.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// Words of scratch. Reads all distances, because the search depends on the longest.
[[nodiscard]] inline std::int64_t improve_words(words_view instance) {
    std::int64_t const n = city_count(instance);
    std::int64_t searching = neighbour_search::words(n);
    if (n <= matrix_cities) {
        solo alone;
        searching = narrow_distances(alone, instance) ? square_search<16>::words(n) : square_search<32>::words(n);
    }
    return matrix_search::whole(n) + searching;  // more than verifying the start needs
}

/// Words of the neighbourhood that are kept between slices: making lists costs more than a scan, making a matrix does
/// not.
[[nodiscard]] OPTGAP_HD constexpr std::int64_t list_words(std::int64_t n) {
    return n <= matrix_cities ? 0 : neighbour_search::near * n;
}
OPTGAP_HD inline std::int32_t* lists_of(matrix_search const&) { return nullptr; }
OPTGAP_HD inline std::int32_t* lists_of(neighbour_search const& search) { return search.lists; }

/// Kept between slices: the number of kicks, the best tour, the present one, the lists.
using tour_numbers = std::uint32_t;
[[nodiscard]] OPTGAP_HD constexpr std::int64_t improve_state_words(std::int64_t n) {
    return kept_words<tour_numbers>(2 * n + list_words(n));
}

/// Makes steps, each a shortening move or a kick, up to step `end`; afterwards `best` holds the shortest tour seen.
template <class Search, class Team>
OPTGAP_HD void descend_and_kick(Team& team, Search& search, std::int32_t* best, std::int64_t end, draw const& source,
                                std::uint32_t& kicks_made, improve_result& found) {
    std::int32_t const n = search.n;
    improve_result result = found;
    std::uint32_t kicks = kicks_made;
    std::int64_t length = search.length(team);
    if (result.moves == 0) {
        result.start_objective = length;
        result.objective = length;
    }
    while (result.moves < end) {
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
    kicks_made = kicks;
    found = result;
}

/// Makes the slice's steps from the n >= 4 cities in `best`. A kernel contains this function three times, out of line.
/// Its arguments are references on purpose: they stay in memory, loops read what they need before they begin, and 128
/// registers suffice.
template <class Search, class Team>
OPTGAP_APART OPTGAP_HD void search_tour(Team& team, Search& search, words_view const& instance, std::int32_t* best,
                                        improve_result& result, search_slice const& slice, draw const& source) {
    std::int32_t const n = search.n;
    tour_numbers kicks = 0;
    if (!slice.fresh()) {
        take_up(team, slice, kicks, best, n);
        std::int32_t const* const kept = slice.state + kept_words<tour_numbers>(n);
        team.each(n, [&](std::int64_t i) { search.tour[i] = kept[i]; });
        team.each(list_words(n), [&](std::int64_t i) { lists_of(search)[i] = kept[n + i]; });
    } else {
        team.each(n, [&](std::int64_t i) { search.tour[i] = best[i]; });
    }
    if (slice.fresh() || list_words(n) == 0) {
        search.load(team, instance);
    }
    team.sync();
    search.permute(team, 0, n - 1);
    descend_and_kick(team, search, best, slice.end, source, kicks, result);
    keep(team, slice, kicks, best, n);
    if (slice.state != nullptr) {
        std::int32_t* const kept = slice.state + kept_words<tour_numbers>(n);
        team.each(n, [&](std::int64_t i) { kept[i] = search.tour[i]; });
        team.each(slice.fresh() ? list_words(n) : 0, [&](std::int64_t i) { kept[n + i] = lists_of(search)[i]; });
        team.sync();
    }
}

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
