#pragma once
// Routes in a plane that begin and end at place 0: closed tours through some places (orienteering), or a set of tours
// through all places (vehicle_routing). Both have the instance words:
//
//   [n, limit, x 0, y 0, …, x n-1, y n-1, amount 0, …, amount n-1]      amounts: prizes, demands; that of place 0 is 0
//
// If distances are given instead of points, all x and y are 0, and n rows of n distances follow the amounts.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/check_layout.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/rounded_distance.hpp"
#include "kernels/families/declarative_task.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr std::int32_t max_places = 200;
inline constexpr std::int32_t max_coordinate = 10'000;
inline constexpr std::int32_t max_amount = 1'000'000;

inline constexpr field places_field = {"n", field_kind::size, "there are 2 to 200 places", 2, max_places};
inline constexpr field points_field = {
    "points", field_kind::table, "each place has two coordinates, 0 to 10000", 0, max_coordinate, of(0), 2};

/// Distances between points, rounded as in TSPLIB's EUC_2D: they may break the triangle inequality, by at most one.
/// Given distances may break it by any amount.
struct places {
    std::int32_t const* xy = nullptr;
    std::int32_t n = 0;
    std::int32_t const* given = nullptr;  ///< n rows of n distances; nullptr: computed from points

    [[nodiscard]] OPTGAP_HD std::int32_t distance(std::int32_t a, std::int32_t b) const {
        if (given != nullptr) {
            return given[std::int64_t(a) * n + b];
        }
        return std::int32_t(
            rounded_distance(std::int64_t(xy[2 * a]) - xy[2 * b], std::int64_t(xy[2 * a + 1]) - xy[2 * b + 1], 1));
    }
    /// The length from place 0 through the list and back. A list that contains place 0 is already a closed tour.
    template <class Team>
    [[nodiscard]] OPTGAP_HD std::int64_t closed_length(Team& team, std::int32_t const* list, std::int64_t count) const {
        std::int64_t length = 0;
        bool home = false;
        team.each(count, [&](std::int64_t i) {
            length += i > 0 ? distance(list[i - 1], list[i]) : 0;
            home = home || list[i] == 0;
        });
        length = team.sum(length);
        if (count == 0) {
            return 0;
        }
        return length + (team.any(home) ? distance(list[count - 1], list[0])
                                        : distance(list[count - 1], 0) + distance(0, list[0]));
    }
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t routes_words(std::int64_t n) { return 2 + 3 * n; }

struct routes_view {
    places at;
    std::int32_t limit;
    std::int32_t const* amount;
};
/// The view of a task that has only points.
OPTGAP_HD inline routes_view view_points(words_view instance) {
    std::int32_t const n = instance[0];
    return {{instance.data + 2, n, nullptr}, instance[1], instance.data + 2 + 2 * std::int64_t(n)};
}
OPTGAP_HD inline routes_view view_routes(words_view instance) {
    routes_view view = view_points(instance);
    std::int64_t const words = routes_words(view.at.n);
    view.at.given = instance.count > words ? instance.data + words : nullptr;
    return view;
}

/// Writes the words of an instance whose points are U(0, 99)². The caller writes amounts and limit, which depend on the
/// points. Synced.
template <class Team>
OPTGAP_HD void draw_places(Team& team, draw source, std::uint32_t purpose, std::int32_t n, std::int32_t* words) {
    if (team.rank() == 0) {
        words[0] = n;
    }
    fill_uniform(team, source, purpose, 0, 99, words + 2, 2 * std::int64_t(n));
    team.sync();
}

}  // namespace families
OPTGAP_KERNELS_END
