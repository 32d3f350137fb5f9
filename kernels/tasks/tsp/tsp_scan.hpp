#pragma once
// The scan of all 2-opt and Or-opt moves over distances in tour order, D[i][j] = d(tour[i], tour[j]), by best
// improvement. With the terms of row i
//
//   t0 = -e[i]     tk = D[i-1][i+k] - e[i-1] - e[i+k-1]  for k = 1 … 3,     e[i] = D[i][i+1],
//
// a move costs the sum of two cells, one term and -e[j]:
//
//   kind 0, 2-opt of i, j                              D[i][j] + D[i+1][j+1] + t0
//   kind k, Or-opt of k cities from i between j, j+1   D[i][j] + D[i+k-1][j+1] + tk
//           the same, reversed                         D[i+k-1][j] + D[i][j+1] + tk
//
// D holds no_move where i = j and where i and j are neighbours in the tour. That excludes every sum that is not a move,
// because it has such a cell. It also excludes Or-opt moves that put back an edge they removed; these are 2-opt moves
// of the same cost, and kind 0 wins ties. For n <= 5 it excludes terms whose edge is already in the tour, for the same
// reason.
//
// A lane owns columns and walks down the rows, so that each cell is read once and e[j] is subtracted once in each
// column. The full square holds each 2-opt move twice; the smaller i wins. Counted in sm_90's code (nvcc 13.0): 19
// instructions a row for 64 columns of 16 bits, 384 rated moves, of which 6 are VIADDMNMX and 4 read memory.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/tsp/tsp_cells.hpp"
#include "kernels/tasks/tsp/tsp_moves.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::tsp {

inline constexpr std::int32_t move_kinds = 4;

/// t0 … t3 of a row, in each column of a word.
template <int Bits>
struct alignas(16) row_terms {
    cell_word<Bits> of[move_kinds];
};

/// A word of a row, and the same cells shifted by one column.
template <int Bits>
struct cell_pair {
    cell_word<Bits> own;
    cell_word<Bits> next;
};

/// How lanes share a table of width `wide`: `across` lanes work on a row, and the rows are divided among `groups` of
/// these. Lanes left over get no column.
struct lane_grid {
    std::int32_t across, groups, lane, group;

    template <class Team>
    OPTGAP_HD lane_grid(Team const& team, std::int32_t width) {
        across = 1;
        while (across < width) {
            across = across < 32 ? 2 * across : across + 32;
        }
        across = smaller_of(across, team.size());
        groups = team.size() / across;
        group = team.rank() / across;
        lane = team.rank() - group * across;
        if (group >= groups) {
            group = 0;
            lane = width;
        }
    }
};

/// A lane's best (delta, kind) and the columns that reach it: bit columns · (step mod 32) + half.
struct lane_best {
    std::int32_t delta = 0;
    std::int32_t kind = 0;
    std::uint64_t columns = 0;

    OPTGAP_HD void offer(std::int32_t cost, std::int32_t of_kind, std::int32_t bit) {
        if (cost < delta || (cost == delta && of_kind < kind)) {
            delta = cost;
            kind = of_kind;
            columns = 0;
        }
        if (cost == delta && of_kind == kind) {
            columns |= std::uint64_t(1) << bit;
        }
    }
};

/// The rank of the move of `kind` with ends i and j if it costs `delta`, otherwise INT32_MAX.
template <class Search>
OPTGAP_HD std::int32_t rank_if(Search const& search, std::int32_t kind, std::int32_t i, std::int32_t j,
                               std::int32_t delta) {
    std::int32_t const n = search.n;
    std::int32_t const ahead = kind == 0 ? 1 : kind - 1;
    std::int32_t const tail = i + ahead < n ? i + ahead : i + ahead - n;
    std::int32_t const rest = delta - search.terms[i].of[kind][0] + search.edge(j);
    if (search.cell(i, j) + search.cell(tail, j + 1) == rest) {
        return tour_move::rank_of(n, kind, i, j, false);
    }
    return kind >= 2 && search.cell(tail, j) + search.cell(i, j + 1) == rest ? tour_move::rank_of(n, kind, i, j, true)
                                                                             : INT32_MAX;
}

/// The costs, without e[j], of the moves in the lanes' columns: one column of words from row `first` on.
template <class Search>
OPTGAP_HD row_terms<Search::bits> min_of_column(Search const& search, std::int32_t first, std::int32_t rows,
                                                std::int32_t w) {
    using word = cell_word<Search::bits>;
    word const barred = word::both(cell_limits<Search::bits>::no_move);
    row_terms<Search::bits> least{{barred, barred, barred, barred}};
    cell_pair<Search::bits> head = search.load(first, w);
    cell_pair<Search::bits> second = search.load(first + 1, w);
#ifdef __CUDACC__
#pragma unroll 3
#endif
    for (std::int32_t i = first; i < first + rows; ++i) {
        cell_pair<Search::bits> const third = search.load(i + 2, w);
        row_terms<Search::bits> const term = search.terms[i];
        word const crossed = head.own + second.next;
        least.of[0] = min_sum(crossed, term.of[0], least.of[0]);
        least.of[1] = min_sum(head.own + head.next, term.of[1], least.of[1]);
        least.of[2] = min_sum(crossed, term.of[2], least.of[2]);
        least.of[2] = min_sum(second.own + head.next, term.of[2], least.of[2]);
        least.of[3] = min_sum(head.own + third.next, term.of[3], least.of[3]);
        least.of[3] = min_sum(third.own + head.next, term.of[3], least.of[3]);
        head = second;
        second = third;
    }
    return least;
}

/// The best move of all, ties by rank; delta 0 if none shortens the tour.
template <class Search, class Team>
OPTGAP_HD tour_move best_move(Team& team, Search const& search) {
    constexpr std::int32_t columns = cell_word<Search::bits>::columns;
    std::int32_t const n = search.n;
    std::int32_t const width = (n + columns - 1) / columns;
    lane_grid const grid(team, width);
    // All groups take equally many rows; where they overlap, a move is found twice.
    std::int32_t const rows = (n + grid.groups - 1) / grid.groups;
    std::int32_t const first = smaller_of(grid.group * rows, n - rows);
    lane_best mine;
    std::int32_t step = 0;
    for (std::int32_t w = grid.lane; w < width; w += grid.across, ++step) {
        row_terms<Search::bits> const least = min_of_column(search, first, rows, w);
        for (std::int32_t half = 0; half < columns; ++half) {
            std::int32_t const j = w * columns + half;
            for (std::int32_t kind = 0; j < n && kind < move_kinds; ++kind) {
                mine.offer(least.of[kind][half] - search.edge(j), kind, step % 32 * columns + half);
            }
        }
    }
    ranked const found = team.min_by(mine.delta, mine.kind);
    tour_move best;
    best.delta = std::int32_t(found.key);
    if (best.delta == 0) {
        return best;
    }
    if (mine.delta != best.delta || mine.kind != found.index) {
        mine.columns = 0;
    }
    // All lanes go through the rows of the marked columns, one column after the other.
    std::int32_t rank = INT32_MAX;
    while (team.any(mine.columns != 0)) {
        std::int32_t marked = INT32_MAX;
        if (mine.columns != 0) {
            std::int32_t const bit = lowest(mine.columns);
            marked = (grid.lane + bit / columns * grid.across) * columns + bit % columns;
        }
        std::int32_t const column = std::int32_t(team.min_by(marked, 0).key);
        if (marked == column) {
            mine.columns &= mine.columns - 1;
        }
        for (std::int32_t j = column; j < n; j += 32 * grid.across * columns) {
            for (std::int32_t i = team.rank(); i < n; i += team.size()) {
                rank = smaller_of(rank, rank_if(search, found.index, i, j, best.delta));
            }
        }
    }
    best.rank = std::int32_t(team.min_by(rank, 0).key);
    return best;
}

/// The scan of a team of one: the least costs of all columns, without e[j], row after row in whole vectors. The results
/// are the same, byte for byte, as those of the walk down the columns.
template <int Bits, class Cell>
struct column_costs {
    static constexpr std::int32_t vector = 16;
    std::int32_t vectors;
    Cell least[move_kinds][matrix_cities + vector];

    OPTGAP_HD explicit column_costs(std::int32_t n) : vectors((n + vector - 1) / vector) {
        for (auto& costs : least) {
            for (std::int32_t j = 0; j < vectors * vector; ++j) {
                costs[j] = Cell(cell_limits<Bits>::no_move);
            }
        }
    }

    /// Rates the rows r0 and r1, which r2 and r3 follow. A row has one column more than the whole vectors.
    template <class From>
    OPTGAP_HD void rate(From const* r0, From const* r1, From const* r2, From const* r3, row_terms<Bits> const& terms0,
                        row_terms<Bits> const& terms1) {
        Cell const a0 = Cell(terms0.of[0][0]), a1 = Cell(terms0.of[1][0]);
        Cell const a2 = Cell(terms0.of[2][0]), a3 = Cell(terms0.of[3][0]);
        Cell const b0 = Cell(terms1.of[0][0]), b1 = Cell(terms1.of[1][0]);
        Cell const b2 = Cell(terms1.of[2][0]), b3 = Cell(terms1.of[3][0]);
        for (std::int32_t j = 0; j < vectors * vector; ++j) {
            Cell const crossed0 = Cell(r0[j] + r1[j + 1]);
            Cell const crossed1 = Cell(r1[j] + r2[j + 1]);
            Cell const pair0 = lesser(crossed0, Cell(r1[j] + r0[j + 1]));
            Cell const pair1 = lesser(crossed1, Cell(r2[j] + r1[j + 1]));
            Cell const three0 = lesser(Cell(r0[j] + r2[j + 1]), Cell(r2[j] + r0[j + 1]));
            Cell const three1 = lesser(Cell(r1[j] + r3[j + 1]), Cell(r3[j] + r1[j + 1]));
            Cell const one0 = Cell(r0[j] + r0[j + 1]);
            Cell const one1 = Cell(r1[j] + r1[j + 1]);
            least[0][j] = lesser(least[0][j], lesser(Cell(crossed0 + a0), Cell(crossed1 + b0)));
            least[1][j] = lesser(least[1][j], lesser(Cell(one0 + a1), Cell(one1 + b1)));
            least[2][j] = lesser(least[2][j], lesser(Cell(pair0 + a2), Cell(pair1 + b2)));
            least[3][j] = lesser(least[3][j], lesser(Cell(three0 + a3), Cell(three1 + b3)));
        }
    }

    /// The result of `best_move`.
    template <class Search>
    [[nodiscard]] OPTGAP_HD tour_move best(Search const& search) {
        std::int32_t const n = search.n;
        tour_move best;
        std::int32_t kind = 0;
        for (std::int32_t k = 0; k < move_kinds; ++k) {
            Cell delta = 0;
            for (std::int32_t j = 0; j < n; ++j) {
                least[k][j] = Cell(least[k][j] - search.edge(j));
                delta = lesser(delta, least[k][j]);
            }
            if (delta < best.delta) {
                best.delta = delta;
                kind = k;
            }
        }
        for (std::int32_t j = 0; best.delta < 0 && j < n; ++j) {
            if (least[kind][j] != best.delta) {
                continue;
            }
            std::int32_t rank = INT32_MAX;
            for (std::int32_t i = 0; rank == INT32_MAX; ++i) {
                rank = rank_if(search, kind, i, j, best.delta);
            }
            best.rank = smaller_of(best.rank, rank);
        }
        return best;
    }

private:
    OPTGAP_HD static constexpr Cell lesser(Cell a, Cell b) { return a < b ? a : b; }
};

}  // namespace tasks::tsp
OPTGAP_KERNELS_END
