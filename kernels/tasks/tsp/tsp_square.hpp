#pragma once
// Local search over a full square of cells, 16 bits wide if the distances allow it. Row c holds the distances from city
// c in tour order, so that a scan runs along rows and a move only permutes columns. `slot` maps positions to the rows
// of their cities.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/core/scratch.hpp"
#include "kernels/tasks/tsp/tsp_scan.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

/// Shared by the searches over all pairs.
struct matrix_search {
    std::int32_t n;

    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t whole(std::int64_t words) { return (words + 3) / 4 * 4; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t halves(std::int64_t count) { return whole((count + 1) / 2); }

    [[nodiscard]] OPTGAP_HD std::int32_t after(std::int32_t i) const { return i + 1 == n ? 0 : i + 1; }
    [[nodiscard]] OPTGAP_HD std::int32_t before(std::int32_t i) const { return i == 0 ? n - 1 : i - 1; }
    /// One evaluation for each segment, place and orientation.
    [[nodiscard]] OPTGAP_HD std::int64_t evaluations_per_scan() const {
        std::int64_t const m = n;
        return m * (m - 3) / 2 + m * (m - 2) + 2 * m * (m - 3) + (m > 4 ? 2 * m * (m - 4) : 0);
    }
};

/// The terms of row i, after its edges and its row.
template <class Search>
OPTGAP_HD row_terms<Search::bits> terms_of(Search const& search, std::int32_t i) {
    using word = cell_word<Search::bits>;
    row_terms<Search::bits> terms;
    terms.of[0] = word::both(-search.edge(i));
    std::int32_t const left = search.before(i);
    std::int32_t last = i;
    for (std::int32_t k = 1; k < move_kinds; ++k) {
        std::int32_t const right = search.after(last);
        std::int32_t const closed = search.cell(left, right) - search.edge(left) - search.edge(last);
        terms.of[k] = word::both(smaller_of(closed, cell_limits<Search::bits>::longest));
        last = right;
    }
    return terms;
}

/// All lanes hold the same pointers; `Shared` if these point into a GPU's shared memory.
template <int Bits, bool Shared = false>
struct square_search : matrix_search {
    static constexpr std::int32_t bits = Bits;
    using cell_type = typename cell_word<bits>::cell;
    using word = cell_word<bits>;
    static constexpr std::int32_t no_move = cell_limits<bits>::no_move;

    template <class Cell>
    using pointer = scratch_pointer<Cell, Shared>;

    std::int32_t stride;  ///< cells in a row: column n repeats column 0, and a row is whole words
    std::int32_t spare;   ///< number of rows beyond the number of cities
    std::int32_t origin;  ///< slot of city 0; the others follow cyclically
    pointer<plain_cell<row_terms<bits>>> terms;
    pointer<plain_cell<std::int32_t>> tour;
    pointer<cell_word<16>> next;
    pointer<cell_word<16>> slot;  ///< by position; the first two are repeated after the last
    pointer<word> edges;
    pointer<word> cells;

    /// A team of one writes each row some slots before its old one.
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t spare_rows(std::int64_t n) { return n <= 64 ? 2 : 4; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t stride_of(std::int64_t n) { return (n + 2) / 2 * 2; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t cell_words(std::int64_t count) {
        return bits == 16 ? halves(count) : whole(count);
    }
    /// The scan of a team of one reads up to 17 cells past the last row.
    [[nodiscard]] OPTGAP_HD static constexpr std::int64_t words(std::int64_t n) {
        return 4 * n + whole(n) + halves(n) + halves(n + 2) + cell_words(n) +
               cell_words((n + spare_rows(n)) * stride_of(n) + 24);
    }

    OPTGAP_HD square_search(words_view instance, std::int32_t* scratch)
        : matrix_search{city_count(instance)},
          stride(std::int32_t(stride_of(n))),
          spare(spare_rows(n)),
          origin(spare),
          terms{reinterpret_cast<row_terms<bits>*>(scratch)},
          tour{scratch + 4 * n} {
        std::int32_t* const rest = tour + whole(n);
        next = {reinterpret_cast<narrow_cell*>(rest)};
        slot = {reinterpret_cast<narrow_cell*>(rest + halves(n))};
        edges = {reinterpret_cast<cell_type*>(rest + halves(n) + halves(n + 2))};
        cells = {reinterpret_cast<cell_type*>(rest + halves(n) + halves(n + 2) + cell_words(n))};
    }

    [[nodiscard]] OPTGAP_HD cell_type* row(std::int32_t in_slot) const {
        return cells + std::int64_t(in_slot) * stride;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t edge(std::int32_t i) const { return edges[i]; }
    [[nodiscard]] OPTGAP_HD std::int32_t cell(std::int32_t i, std::int32_t j) const { return row(slot[i])[j]; }
    /// For i up to n + 1, cyclically.
    [[nodiscard]] OPTGAP_HD cell_pair<bits> load(std::int32_t i, std::int32_t w) const {
        std::int32_t const pitch = stride * std::int32_t(sizeof(cell_type));
        word const* const at = reinterpret_cast<word const*>(
            reinterpret_cast<unsigned char const*>(reinterpret_cast<word const*>(row(0)) + w) + slot[i] * pitch);
        return {at[0], at[0].shifted(at[1])};
    }

    /// Builds everything but the tour, with the cities in the order of their numbers.
    template <class Team>
    OPTGAP_HD void load(Team& team, words_view instance) {
        distances const d(instance);
        origin = spare;
        team.each(spare, [&](std::int64_t s) {
            for (std::int32_t j = 0; j < stride; ++j) {
                row(std::int32_t(s))[j] = 0;
            }
        });
        team.each(24, [&](std::int64_t k) { row(n + spare)[k] = 0; });
        for (std::int32_t i = 0; i < n; ++i) {
            for (std::int32_t j = team.rank(); j <= i; j += team.size()) {
                cell_type const distance = cell_type(i == j ? no_move : d(i, j));
                row(origin + i)[j] = distance;
                row(origin + j)[i] = distance;
            }
        }
        team.sync();
        team.each(n, [&](std::int64_t at) {
            std::int32_t const i = std::int32_t(at);
            row(origin + i)[n] = row(origin + i)[0];
            row(origin + i)[stride - 1] = row(origin + i)[0];
            slot[i] = narrow_cell(origin + i);
            edges[i] = row(origin + i)[after(i)];
        });
        team.sync();
    }

    /// Updates everything after positions first … last of the tour were permuted among each other.
    template <class Team>
    OPTGAP_HD void permute(Team& team, std::int32_t first, std::int32_t last) {
        std::int32_t const changed = last - first + 1;
        std::int32_t const edges_touched = smaller_of(changed + 1, n);
        square_search const old = *this;  // a copy that no store to a cell can change, so that it stays in registers
        // The edges of the old tour become cells again; next holds the old position of each city that moved.
        team.each(edges_touched, [&](std::int64_t k) {
            std::int32_t const i = old.cyclic(first - 1 + std::int32_t(k));
            std::int32_t const j = old.after(i);
            old.put(i, j, old.edges[i]);
            old.put(j, i, old.edges[i]);
        });
        team.each(changed, [&](std::int64_t k) {
            std::int32_t const i = first + std::int32_t(k);
            std::int32_t const city = old.slot[i] - old.origin;
            old.next[city < 0 ? city + old.n + old.spare : city] = narrow_cell(i);
        });
        team.sync();
        if constexpr (Team::size() == 1) {
            move_rows_alone(first, last);
            origin = origin < spare ? origin + n : origin - spare;
        } else {
            move_columns(team, first, last);
        }
        square_search const now = *this;
        // If rows moved, all of them have new slots; otherwise only the cities that moved, and the copies of the first
        // two.
        std::int32_t const slots_from = Team::size() == 1 ? 0 : first;
        std::int32_t const slots_changed = Team::size() == 1 ? n : changed;
        team.each(slots_changed + 2, [&](std::int64_t k) {
            std::int32_t const i =
                k < slots_changed ? slots_from + std::int32_t(k) : n + std::int32_t(k) - slots_changed;
            now.slot[i] = narrow_cell(now.slot_of(now.tour[now.cyclic(i)]));
        });
        team.sync();
        team.each(edges_touched, [&](std::int64_t k) {
            std::int32_t const i = now.cyclic(first - 1 + std::int32_t(k));
            std::int32_t const j = now.after(i);
            now.edges[i] = now.row(now.slot[i])[j];
            now.put(i, j, no_move);
            now.put(j, i, no_move);
        });
        team.sync();
        std::int32_t const rows_touched = smaller_of(changed + 4, n);
        team.each(rows_touched, [&](std::int64_t k) {
            std::int32_t const i = now.cyclic(first - 3 + std::int32_t(k));
            now.terms[i] = terms_of(now, i);
        });
        team.sync();
    }

    template <class Team>
    OPTGAP_HD std::int64_t length(Team& team) const {
        std::int64_t mine = 0;
        team.each(n, [&](std::int64_t i) { mine += edges[i]; });
        return team.sum(mine);
    }

    /// The best move of all; delta 0 if none shortens the tour.
    template <class Team>
    OPTGAP_HD tour_move scan(Team& team, std::int64_t& evaluations) const {
        evaluations += evaluations_per_scan();
        if constexpr (Team::size() == 1) {
            column_costs<bits, std::conditional_t<bits == 16, std::int16_t, std::int32_t>> costs(n);
            for (std::int32_t i = 0; i < n; i += 2) {
                std::int32_t const i1 = after(i);
                std::int32_t const i2 = after(i1);
                costs.rate(row(slot[i]), row(slot[i1]), row(slot[i2]), row(slot[after(i2)]), terms[i], terms[i1]);
            }
            return costs.best(*this);
        } else {
            return best_move(team, *this);
        }
    }

    template <class Team>
    OPTGAP_HD void apply(Team& team, tour_move const& move) {
        make_move(*this, team, move.i(n), move.j(n), move.kind(n), move.turned());
    }

    /// Sets tour[p] = old tour[source_of(p)] for p in first … last, and updates the rest.
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
    [[nodiscard]] OPTGAP_HD std::int32_t slot_of(std::int32_t city) const {
        std::int32_t const at = origin + city;
        return at < n + spare ? at : at - n - spare;
    }

    /// Maps an index up to n before or past a position to a position.
    [[nodiscard]] OPTGAP_HD std::int32_t cyclic(std::int32_t i) const { return i < 0 ? i + n : i >= n ? i - n : i; }

    /// Writes a cell, and for column 0 also its copy behind the last one.
    OPTGAP_HD void put(std::int32_t i, std::int32_t j, std::int32_t distance) const {
        cell_type* const cells_of = row(slot[i]);
        cells_of[j] = cell_type(distance);
        if (j == 0) {
            cells_of[n] = cell_type(distance);
        }
    }
    /// The old column of column j of the new rows; column n repeats column 0.
    [[nodiscard]] OPTGAP_HD std::int32_t source(std::int32_t j, std::int32_t first, std::int32_t last) const {
        std::int32_t const column = j < n ? j : 0;
        return column >= first && column <= last ? next[tour[column]] : column;
    }

    /// Words of a row that a lane holds at a time.
    static constexpr std::int32_t held_words = 4;

    /// Brings columns first … last of every row into the order of `tour`, in place: each lane reads its words of a row
    /// before any lane writes one. The first column's copy behind the last one moves with it.
    template <class Team>
    OPTGAP_HD void move_columns(Team& team, std::int32_t first, std::int32_t last) const {
        constexpr std::int32_t columns = word::columns;
        square_search const held = *this;
        std::int32_t const begin = first / columns;
        std::int32_t const end = first == 0 ? held.stride / columns : last / columns + 1;
        lane_grid const grid(team, end - begin);
        if (held_words * grid.across < end - begin) {
            held.move_wide_columns(team, begin, end, first, last);
            return;
        }
        std::int32_t const mine = begin + grid.lane;  // and then every grid.across-th word
        std::uint32_t from[held_words] = {};          // a word's two columns
        OPTGAP_UNROLL
        for (std::int32_t k = 0; k < held_words; ++k) {
            std::int32_t const w = mine + k * grid.across;
            if (w < end) {
                from[k] = std::uint32_t(held.source(columns * w, first, last)) |
                          std::uint32_t(held.source(columns * w + columns - 1, first, last)) << 16;
            }
        }
        for (std::int32_t batch = 0; batch < held.n; batch += grid.groups) {
            std::int32_t const city = batch + grid.group;
            std::int32_t const stop = city < held.n ? end : 0;
            cell_type* const cells_of = held.row(held.origin + city);
            word moved[held_words] = {};  // without zeros the row before is kept in registers where nothing is read
            OPTGAP_UNROLL
            for (std::int32_t k = 0; k < held_words; ++k) {
                if (mine + k * grid.across < stop) {
                    moved[k] = word::of(cells_of[from[k] & 0xFFFFu], cells_of[from[k] >> 16]);
                }
            }
            team.sync();
            OPTGAP_UNROLL
            for (std::int32_t k = 0; k < held_words; ++k) {
                if (mine + k * grid.across < stop) {
                    reinterpret_cast<word*>(cells_of)[mine + k * grid.across] = moved[k];
                }
            }
        }
    }

    /// The same for more words than the lanes hold, by means of a spare row.
    template <class Team>
    OPTGAP_HD void move_wide_columns(Team& team, std::int32_t begin, std::int32_t end, std::int32_t first,
                                     std::int32_t last) const {
        constexpr std::int32_t columns = word::columns;
        cell_type const* const old = row(0);
        for (std::int32_t city = 0; city < n; ++city) {
            word* const words_of = reinterpret_cast<word*>(row(origin + city));
            team.each(stride / columns, [&](std::int64_t w) { reinterpret_cast<word*>(row(0))[w] = words_of[w]; });
            team.sync();
            team.each(end - begin, [&](std::int64_t k) {
                std::int32_t const w = begin + std::int32_t(k);
                words_of[w] = word::of(old[source(columns * w, first, last)],
                                       old[source(columns * w + columns - 1, first, last)]);
            });
            team.sync();
        }
    }

    /// Up to `vector` columns that keep their order or are reversed.
    struct column_copy {
        std::int32_t to, from;
        bool turned;
    };
    static constexpr std::int32_t vector = 16;

    /// The same by one lane, for all columns: it writes each row `spare` slots before its old one, over a row that is
    /// no longer read. A move leaves few runs of columns, which are copied in whole vectors. Cells that a copy writes
    /// beyond its run are overwritten by the next copy, or lie in a row that is no longer read.
    OPTGAP_HD void move_rows_alone(std::int32_t first, std::int32_t last) {
        column_copy copies[matrix_cities + 3];
        std::int32_t count = 0;
        for (std::int32_t j = 0; j <= n;) {
            std::int32_t const from = source(j, first, last);
            std::int32_t end = j + 1;
            if (j < first || (j > last && j < n)) {
                end = j < first ? first : n;
            }
            bool const turned = end == j + 1 && end < n && source(end, first, last) == from - 1;
            std::int32_t const step = turned ? -1 : 1;
            while (end < n && end >= first && end <= last && source(end, first, last) == from + step * (end - j)) {
                ++end;
            }
            std::int32_t const most = stride < vector ? 1 : turned ? vector / 2 : vector;
            for (std::int32_t k = 0; k < end - j; k += most) {
                copies[count++] = {j + k, from + step * k, turned};
            }
            j = end;
        }
        square_search const held = *this;
        std::int32_t from = origin;
        for (std::int32_t city = 0; city < held.n; ++city) {
            cell_type const* const old = held.row(from);
            cell_type* const fresh = held.row(from < held.spare ? from + held.n : from - held.spare);
            for (std::int32_t c = 0; c < count; ++c) {
                cell_type const* const source_cell = old + copies[c].from;
                cell_type* const cell = fresh + copies[c].to;
                if (held.stride < vector) {
                    *cell = *source_cell;
                } else if (copies[c].turned) {
                    copy_turned(cell, source_cell);
                } else {
                    copy_vector(cell, source_cell);
                }
            }
            from = from + 1 < held.n + held.spare ? from + 1 : 0;
        }
    }

    OPTGAP_HD static void copy_vector(cell_type* to, cell_type const* from) {
        cell_type held[16];
        std::memcpy(held, from, sizeof held);
        std::memcpy(to, held, sizeof held);
    }
    /// Copies eight cells, from `from` on backwards.
    OPTGAP_HD static void copy_turned(cell_type* to, cell_type const* from) {
        cell_type held[8];
        cell_type turned[8];
        std::memcpy(held, from - 7, sizeof held);
        for (std::int32_t k = 0; k < 8; ++k) {
            turned[k] = held[7 - k];
        }
        std::memcpy(to, turned, sizeof turned);
    }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
