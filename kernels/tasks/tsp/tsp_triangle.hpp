#pragma once
// Local search over a matrix with distances that 16 bits do not hold: D is read through the tour from the instance's
// own triangle, so that it needs no more scratch than a square of 16-bit cells, which is all that is known to be there
// before a whole matrix is read. The same moves at the same prices as in tsp_square.hpp; each scan gathers n² cells.

#include <cstdint>

#include "kernels/tasks/tsp/tsp_square.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

struct triangle_search : matrix_search {
    static constexpr std::int32_t bits = 32;
    static constexpr std::int32_t no_move = cell_limits<bits>::no_move;

    row_terms<bits>* terms;
    std::int32_t* edges;
    std::int32_t const* weights;  ///< by city

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t words(std::int64_t n) {
        return 4 * n + 2 * whole(n) + halves(n);
    }

    OPTGAP_HD triangle_search(words_view instance, std::int32_t* scratch)
        : matrix_search{city_count(instance), nullptr, nullptr},
          terms(reinterpret_cast<row_terms<bits>*>(scratch)),
          weights(instance.data + 2) {
        tour = scratch + 4 * n;
        edges = tour + whole(n);
        next = reinterpret_cast<narrow_cell*>(edges + whole(n));
    }

    [[nodiscard]] OPTGAP_HD std::int32_t edge(std::int32_t i) const { return edges[i]; }
    [[nodiscard]] OPTGAP_HD std::int32_t distance(std::int32_t a, std::int32_t b) const {
        return a > b ? weights[triangle(a) + b] : weights[triangle(b) + a];
    }
    /// For j = n too, which is 0 again.
    [[nodiscard]] OPTGAP_HD std::int32_t cell(std::int32_t i, std::int32_t j) const {
        std::int32_t const column = j == n ? 0 : j;
        bool const barred = i == column || after(i) == column || after(column) == i;
        return barred ? no_move : distance(tour[i], tour[column]);
    }
    [[nodiscard]] OPTGAP_HD cell_pair<bits> load(std::int32_t i, std::int32_t w) const {
        std::int32_t const at = i < n ? i : i - n;
        return {{cell(at, w)}, {cell(at, w + 1)}};
    }

    /// The instance holds all there is.
    template <class Team>
    OPTGAP_HD void load(Team& team, words_view) {
        team.sync();
    }

    template <class Team>
    OPTGAP_HD void permute(Team& team, std::int32_t, std::int32_t) {
        team.each(n, [&](std::int64_t i) { edges[i] = distance(tour[i], tour[after(std::int32_t(i))]); });
        team.sync();
        team.each(n, [&](std::int64_t i) { terms[i] = terms_of(*this, std::int32_t(i)); });
        team.sync();
    }

    template <class Team>
    OPTGAP_HD std::int64_t length(Team& team) const {
        std::int64_t mine = 0;
        team.each(n, [&](std::int64_t i) { mine += edges[i]; });
        return team.sum(mine);
    }

    template <class Team>
    OPTGAP_HD tour_move scan(Team& team, std::int64_t& evaluations) const {
        evaluations += evaluations_per_scan();
        if constexpr (Team::size() == 1) {
            return scan_alone();
        } else {
            return best_move(team, *this);
        }
    }

    template <class Team>
    OPTGAP_HD void apply(Team& team, tour_move const& move) {
        make_move(*this, team, move.i(n), move.j(n), move.kind(n), move.turned());
    }

    template <class Team, class Source>
    OPTGAP_HD void rearrange(Team& team, std::int32_t first, std::int32_t last, Source const& source_of) {
        team.each(last - first + 1,
                  [&](std::int64_t k) { next[k] = narrow_cell(tour[source_of(first + std::int32_t(k))]); });
        team.sync();
        team.each(last - first + 1, [&](std::int64_t k) { tour[first + k] = next[k]; });
        team.sync();
        permute(team, first, last);
    }

private:
    /// Four rows at a time are in tour order, in a ring.
    [[nodiscard]] OPTGAP_HD tour_move scan_alone() const {
        constexpr std::int32_t length = matrix_cities + 20;
        std::int32_t ring[4][length];
        for (auto& row : ring) {
            for (std::int32_t j = n; j < length; ++j) {
                row[j] = 0;
            }
        }
        auto const fill = [&](std::int32_t i) {
            std::int32_t* const row = ring[i & 3];
            std::int32_t const at = i % n;
            std::int32_t const city = tour[at];
            for (std::int32_t j = 0; j < n; ++j) {
                std::int32_t const other = tour[j];
                std::int32_t const high = other > city ? other : city;
                std::int32_t const low = other > city ? city : other;
                // No triangle holds the city itself: any distance will do.
                row[j] = weights[high == low ? 0 : high * (high - 1) / 2 + low];
            }
            row[at] = no_move;
            row[before(at)] = no_move;
            row[after(at)] = no_move;
            row[n] = row[0];
        };
        column_costs<bits, std::int32_t> costs(n);
        fill(0);
        fill(1);
        for (std::int32_t i = 0; i < n; i += 2) {
            fill(i + 2);
            fill(i + 3);
            costs.rate(ring[i & 3], ring[(i + 1) & 3], ring[(i + 2) & 3], ring[(i + 3) & 3], terms[i], terms[after(i)]);
        }
        return costs.best(*this);
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
