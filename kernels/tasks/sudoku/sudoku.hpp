#pragma once
// Sudoku: each row, each column and each box of r rows and c columns holds 1 … n = r c once.
//
//   boxes of 2 x 2:   [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]] keeps all 12 constraints

#include "kernels/families/cells/cells.hpp"
#include "kernels/families/cells/latin_square.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sudoku {

// Purposes of random words.
inline constexpr std::uint32_t draw_grid = 0;
inline constexpr std::uint32_t draw_holes = 1;

inline constexpr field puzzle_layout[] = {
    {"n", field_kind::size, "n, the number of rows, is 2 to 63", 2, 63},
    {"box", field_kind::list, "a box has 1 to n rows and columns", 1, of(0), 2},
    {"grid", field_kind::table, "a cell of the n by n grid is 0 (empty) to n", 0, of(0), of(0), of(0)},
};

/// The size of a box, and the number of empty cells.
struct shape_of_level {
    std::int32_t box_rows;
    std::int32_t box_columns;
    std::int32_t holes_permille;

    [[nodiscard]] OPTGAP_HD std::int32_t n() const { return box_rows * box_columns; }
    [[nodiscard]] OPTGAP_HD std::int32_t holes() const { return n() * n() * holes_permille / 1000; }
};

struct task : families::cells_task<task> {
    static constexpr std::span<field const> layout = puzzle_layout;

    OPTGAP_HD static families::cells_board board(words_view words) {
        return {words[0], words[0], 1, words[0], words.data + 3};
    }
    OPTGAP_HD static std::int32_t constraints(words_view words) { return 3 * words[0]; }
    /// The constraints of rows, then of columns, then of boxes.
    OPTGAP_HD static families::cells_constraint constraint(words_view words, std::int32_t k) {
        std::int32_t const n = words[0];
        auto const kind = families::constraint_kind::all_different;
        if (k < 2 * n) {
            return {kind, n, k < n ? k * n : k - n, k < n ? 1 : n};
        }
        std::int32_t const box = k - 2 * n;
        std::int32_t const across = n / words[2];
        return {kind, n, box / across * words[1] * n + box % across * words[2], 1, words[2], n};
    }
    static char const* check_more(words_view words) {
        return words[1] * words[2] == words[0] ? nullptr : "a box has n cells";
    }

    OPTGAP_HD static shape_of_level shape(difficulty level) {
        std::int32_t const d = step_of(level);
        auto const between = [&](std::int32_t from, std::int32_t to, std::int32_t low, std::int32_t high) {
            return d >= to ? high : low + (high - low) * (d - from) / (to - from);
        };
        return d < 4    ? shape_of_level{2, 2, between(0, 3, 500, 625)}
               : d < 8  ? shape_of_level{2, 3, between(4, 7, 550, 640)}
               : d < 24 ? shape_of_level{3, 3, between(8, 23, 620, 710)}
               : d < 36 ? shape_of_level{3, 4, between(24, 35, 600, 640)}
               : d < 60 ? shape_of_level{4, 4, between(36, 59, 580, 610)}
                        : shape_of_level{5, 5, between(60, 100, 520, 580)};
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return 3 + std::int64_t(shape(level).n()) * shape(level).n();
    }
    static families::cells_shape planted_shape(draw, difficulty level) { return {shape(level).n(), shape(level).n()}; }
    OPTGAP_HD static std::int64_t plant_words(draw, difficulty level) {
        return families::latin_square_words(shape(level).n());
    }

    /// Shuffles lines within their bands, and the bands; order[i] is the line of the pattern that comes i-th.
    OPTGAP_HD static void shuffle_lines(draw_stream& stream, std::int32_t bands, std::int32_t lines,
                                        std::int32_t* order, std::int32_t* band_order) {
        for (std::int32_t b = 0; b < bands; ++b) {
            band_order[b] = b;
        }
        shuffle(stream, band_order, bands);
        for (std::int32_t b = 0; b < bands; ++b) {
            for (std::int32_t i = 0; i < lines; ++i) {
                order[b * lines + i] = band_order[b] * lines + i;
            }
            shuffle(stream, order + b * lines, lines);
        }
    }

    /// A pattern with shuffled lines and values, then 4 n^2 switches of cycles between two rows of a band or two
    /// columns of a stack, which keep the values of each box.
    OPTGAP_HD static void draw_plant(draw source, difficulty level, std::int32_t* grid) {
        shape_of_level const on = shape(level);
        std::int32_t const n = on.n();
        std::int32_t* const rows = grid + n * n;
        std::int32_t* const columns = rows + n;
        std::int32_t* const values = columns + n;
        draw_stream stream(source, draw_grid);
        shuffle_lines(stream, on.box_columns, on.box_rows, rows, values);
        shuffle_lines(stream, on.box_rows, on.box_columns, columns, values);
        for (std::int32_t v = 0; v < n; ++v) {
            values[v] = 1 + v;
        }
        shuffle(stream, values, n);
        for (std::int32_t i = 0; i < n * n; ++i) {
            std::int32_t const row = rows[i / n];
            std::int32_t const shift = row % on.box_rows * on.box_columns + row / on.box_rows;
            grid[i] = values[(shift + columns[i % n]) % n];
        }
        for (std::int32_t k = 0; k < 4 * n * n; ++k) {
            bool const in_band = k % 2 == 0;
            std::int32_t const across = in_band ? n : 1;  // distance from one line to the next
            std::int32_t const lines = in_band ? on.box_rows : on.box_columns;
            std::int32_t const begin = stream.uniform(0, n / lines - 1) * lines;
            std::int32_t const first = stream.uniform(0, lines - 1);
            std::int32_t const second = (first + stream.uniform(1, lines - 1)) % lines;
            families::switch_cycle(grid + (begin + first) * across, grid + (begin + second) * across, n + 1 - across,
                                   stream.uniform(0, n - 1));
        }
    }

    /// Each row has the same number of empty cells, or one more.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t* grid) {
        shape_of_level const on = shape(level);
        std::int32_t const n = on.n();
        if (team.rank() == 0) {
            draw_plant(source, level, grid);
            words[0] = n;
            words[1] = on.box_rows;
            words[2] = on.box_columns;
            std::int32_t* const holes = grid + n * n;
            for (std::int32_t r = 0; r < n; ++r) {
                holes[r] = on.holes() / n;
            }
            draw_stream stream(source, draw_holes);
            families::choose_some(stream, n, on.holes() % n, [&](std::int32_t r) { ++holes[r]; });
            for (std::int32_t r = 0; r < n; ++r) {
                for (std::int32_t c = 0; c < n; ++c) {
                    words[3 + r * n + c] = grid[r * n + c];
                }
                families::choose_some(stream, n, holes[r], [&](std::int32_t c) { words[3 + r * n + c] = 0; });
            }
        }
        team.sync();
    }
};

}  // namespace tasks::sudoku
OPTGAP_KERNELS_END
