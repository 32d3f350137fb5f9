#pragma once
// Nonogram: a picture of black (1) and white (0) cells. The lengths of the black runs of each row and column are known.
//
//   rows [[2], [1]], columns [[2], [1]]:   [[1, 1], [1, 0]] keeps all 4 constraints

#include "kernels/families/cells/cells.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::nonogram {

// Purposes of random words.
inline constexpr std::uint32_t draw_kind = 0;
inline constexpr std::uint32_t draw_cells = 1;

inline constexpr field puzzle_layout[] = {
    {"height", field_kind::size, "there are 1 to 63 rows", 1, families::max_line_cells},
    {"width", field_kind::size, "there are 1 to 63 columns", 1, families::max_line_cells},
    {"row_runs", field_kind::size, "a row has at most 32 runs", 0, families::max_runs},
    {"column_runs", field_kind::size, "a column has at most 32 runs", 0, families::max_runs},
    {"rows", field_kind::lists, "a run of a row has 1 to width cells", 1, of(1), of(0), of(2)},
    {"columns", field_kind::lists, "a run of a column has 1 to height cells", 1, of(0), of(1), of(3)},
};
inline constexpr std::int32_t head = 4;

/// Rows of at most 63 cells, bit c for column c.
struct picture {
    std::uint64_t row[families::max_line_cells];
    std::int32_t n;

    [[nodiscard]] OPTGAP_HD std::uint64_t column(std::int32_t c) const {
        std::uint64_t line = 0;
        for (std::int32_t r = 0; r < n; ++r) {
            line |= (row[r] >> c & 1) << r;
        }
        return line;
    }
    [[nodiscard]] OPTGAP_HD std::uint64_t line(bool across, std::int32_t i) const {
        return across ? row[i] : column(i);
    }
};

struct task : families::cells_task<task> {
    static constexpr std::span<field const> layout = puzzle_layout;
    static constexpr char const* codes[] = {nullptr};  ///< no cell is given
    static constexpr bool in_order = true;             ///< most puzzles can be solved one line at a time

    OPTGAP_HD static families::cells_board board(words_view words) { return {words[0], words[1], 0, 1}; }
    OPTGAP_HD static std::int32_t constraints(words_view words) { return words[0] + words[1]; }
    /// The constraints of rows, then of columns.
    OPTGAP_HD static families::cells_constraint constraint(words_view words, std::int32_t k) {
        std::int32_t const height = words[0];
        std::int32_t const width = words[1];
        families::cells_constraint on{families::constraint_kind::runs, width, k * width, 1};
        on.high = words[2];
        on.list = words.data + head + k * words[2];
        if (k >= height) {
            on.count = height;
            on.first = k - height;
            on.step = width;
            on.high = words[3];
            on.list = words.data + head + height * words[2] + (k - height) * words[3];
        }
        return on;
    }
    static char const* check_more(words_view words) {
        for (std::int32_t k = 0; k < constraints(words); ++k) {
            families::cells_constraint const on = constraint(words, k);
            std::int32_t cells = -1;
            for (std::int32_t i = 0; i < on.high && on.list[i] != 0; ++i) {
                cells += 1 + on.list[i];
            }
            if (cells > on.count) {
                return "the runs of a line fit into it, with a cell between two";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 5 + step_of(level) / 2;
        return n < 40 ? n : 40;
    }

    /// The picture is not all white. Each cell is black with 500 permille, 550 from 20 rows on. Every third picture is
    /// smoothed twice, so that a cell has the colour of most cells around it, itself included.
    OPTGAP_HD static void draw_picture(draw source, difficulty level, picture& out) {
        out.n = size_of(level);
        bool const blobs = uniform(source, draw_kind, 0, 0, 2) == 0;
        draw_stream stream(source, draw_cells);
        for (std::int32_t r = 0; r < out.n; ++r) {
            out.row[r] = 0;
            for (std::int32_t c = 0; c < out.n; ++c) {
                out.row[r] |= stream.chance(out.n < 20 ? 500 : 550) ? bit(c) : 0;
            }
        }
        for (std::int32_t pass = 0; blobs && pass < 2; ++pass) {
            std::uint64_t above = 0;
            for (std::int32_t r = 0; r < out.n; ++r) {
                std::uint64_t const own = out.row[r];
                std::uint64_t const below = r + 1 < out.n ? out.row[r + 1] : 0;
                out.row[r] = 0;
                for (std::int32_t c = 0; c < out.n; ++c) {
                    std::uint64_t const about = (c == 0 ? 3 : std::uint64_t(7) << (c - 1)) & first_bits(out.n);
                    std::int32_t const black =
                        popcount(above & about) + popcount(own & about) + popcount(below & about);
                    std::int32_t const rows = 1 + (r > 0 ? 1 : 0) + (r + 1 < out.n ? 1 : 0);
                    std::int32_t const cells = rows * popcount(about);
                    out.row[r] |= 2 * black > cells || (2 * black == cells && (own >> c & 1) != 0) ? bit(c) : 0;
                }
                above = own;
            }
        }
        std::uint64_t all = 0;
        for (std::int32_t r = 0; r < out.n; ++r) {
            all |= out.row[r];
        }
        out.row[out.n / 2] |= all == 0 ? bit(out.n / 2) : 0;
    }
    /// Calls next(length) for each run of the line.
    template <class Next>
    OPTGAP_HD static void each_run(std::uint64_t line, Next const& next) {
        while (line != 0) {
            line >>= lowest(line);
            std::int32_t const length = lowest(~line);
            next(length);
            line >>= length;
        }
    }
    /// The number of runs in the line that has the most.
    OPTGAP_HD static std::int32_t max_runs(picture const& of, bool across) {
        std::int32_t most = 0;
        for (std::int32_t i = 0; i < of.n; ++i) {
            std::uint64_t const line = of.line(across, i);
            std::int32_t const runs = popcount(line & ~(line << 1));
            most = runs > most ? runs : most;
        }
        return most;
    }

    OPTGAP_HD static std::int64_t instance_words(draw source, difficulty level) {
        picture drawn;
        draw_picture(source, level, drawn);
        return head + drawn.n * (max_runs(drawn, true) + max_runs(drawn, false));
    }
    static families::cells_shape planted_shape(draw, difficulty level) { return {size_of(level), size_of(level)}; }
    OPTGAP_HD static std::int64_t plant_words(draw, difficulty level) { return size_of(level) * size_of(level); }
    OPTGAP_HD static void draw_plant(draw source, difficulty level, std::int32_t* cells) {
        picture drawn;
        draw_picture(source, level, drawn);
        for (std::int32_t i = 0; i < drawn.n * drawn.n; ++i) {
            cells[i] = std::int32_t(drawn.row[i / drawn.n] >> (i % drawn.n) & 1);
        }
    }
    OPTGAP_HD static std::int64_t generate_scratch_words(draw, difficulty) { return 0; }
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        if (team.rank() == 0) {
            picture drawn;
            draw_picture(source, level, drawn);
            words[0] = drawn.n;
            words[1] = drawn.n;
            std::int32_t* at = words + head;
            for (std::int32_t side = 0; side < 2; ++side) {
                bool const across = side == 0;
                words[2 + side] = max_runs(drawn, across);
                for (std::int32_t i = 0; i < drawn.n; ++i, at += words[2 + side]) {
                    std::int32_t runs = 0;
                    each_run(drawn.line(across, i), [&](std::int32_t length) { at[runs++] = length; });
                    while (runs < words[2 + side]) {
                        at[runs++] = 0;
                    }
                }
            }
        }
        team.sync();
    }
};

}  // namespace tasks::nonogram
OPTGAP_KERNELS_END
