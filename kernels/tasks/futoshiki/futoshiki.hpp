#pragma once
// Futoshiki: each row and each column holds 1 … n once, and for some neighbouring cells it is known which one is less.
//
//   2 x 2, cell (0, 0) less than (0, 1):   [[1, 2], [2, 1]] keeps all 5 constraints

#include <cstdlib>

#include "kernels/families/cells/cells.hpp"
#include "kernels/families/cells/latin_square.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::futoshiki {

// Purposes of random words.
inline constexpr std::uint32_t draw_square = 0;
inline constexpr std::uint32_t draw_givens = 1;
inline constexpr std::uint32_t draw_signs = 2;

inline constexpr field puzzle_layout[] = {
    {"n", field_kind::size, "n, the number of rows, is 2 to 63", 2, 63},
    {"signs", field_kind::size, "there are 0 to 10000 signs", 0, 10'000},
    {"grid", field_kind::table, "a cell of the n by n grid is 0 (empty) to n", 0, of(0), of(0), of(0)},
    {"less", field_kind::table, "a sign is row, column, row, column, each 0 to n - 1", 0, of(0, -1), of(1), 4},
};

struct task : families::cells_task<task> {
    static constexpr std::span<field const> layout = puzzle_layout;

    OPTGAP_HD static families::cells_board board(words_view words) {
        return {words[0], words[0], 1, words[0], words.data + 2};
    }
    OPTGAP_HD static std::int32_t const* sign(words_view words, std::int32_t k) {
        return words.data + 2 + words[0] * words[0] + 4 * k;
    }
    OPTGAP_HD static std::int32_t constraints(words_view words) { return 2 * words[0] + words[1]; }
    /// The constraints are those of rows, columns and signs.
    OPTGAP_HD static families::cells_constraint constraint(words_view words, std::int32_t k) {
        std::int32_t const n = words[0];
        if (k < 2 * n) {
            return {families::constraint_kind::all_different, n, k < n ? k * n : k - n, k < n ? 1 : n};
        }
        std::int32_t const* const at = sign(words, k - 2 * n);
        std::int32_t const less = at[0] * n + at[1];
        return {families::constraint_kind::less, 2, less, at[2] * n + at[3] - less};
    }
    static char const* check_more(words_view words) {
        for (std::int32_t k = 0; k < words[1]; ++k) {
            std::int32_t const* const at = sign(words, k);
            if (std::abs(at[0] - at[2]) + std::abs(at[1] - at[3]) != 1) {
                return "a sign of less stands between two neighbours";
            }
        }
        return nullptr;
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 4 + step_of(level) / 4;
        return n < 40 ? n : 40;
    }
    /// Signs on 300 permille of the pairs of neighbours.
    OPTGAP_HD static std::int32_t signs_of(std::int32_t n) { return 2 * n * (n - 1) * 3 / 10; }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        std::int32_t const n = size_of(level);
        return 2 + n * n + 4 * signs_of(n);
    }
    static families::cells_shape planted_shape(draw, difficulty level) { return {size_of(level), size_of(level)}; }
    OPTGAP_HD static std::int64_t plant_words(draw, difficulty level) {
        return families::latin_square_words(size_of(level));
    }
    OPTGAP_HD static void draw_plant(draw source, difficulty level, std::int32_t* square) {
        draw_stream values(source, draw_square);
        families::draw_latin_square(values, size_of(level), square);
    }
    /// A random square, of which 100 permille is shown.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* square) {
        std::int32_t const n = size_of(level);
        if (team.rank() == 0) {
            draw_plant(source, level, square);
            words[0] = n;
            words[1] = signs_of(n);
            for (std::int32_t i = 0; i < n * n; ++i) {
                words[2 + i] = 0;
            }
            draw_stream givens(source, draw_givens);
            families::choose_some(givens, n * n, n * n / 10, [&](std::int32_t i) { words[2 + i] = square[i]; });
            std::int32_t* sign = words + 2 + n * n;
            draw_stream signs(source, draw_signs);
            families::choose_some(signs, 2 * n * (n - 1), signs_of(n), [&](std::int32_t i) {
                bool const beside = i < n * (n - 1);  // otherwise below
                std::int32_t const k = beside ? i : i - n * (n - 1);
                std::int32_t const a = beside ? k / (n - 1) * n + k % (n - 1) : k;
                std::int32_t const b = beside ? a + 1 : a + n;
                std::int32_t const less = square[a] < square[b] ? a : b;
                std::int32_t const more = a + b - less;
                std::int32_t const at[] = {less / n, less % n, more / n, more % n};
                for (std::int32_t const word : at) {
                    *sign++ = word;
                }
            });
        }
        team.sync();
    }
};

}  // namespace tasks::futoshiki
OPTGAP_KERNELS_END
