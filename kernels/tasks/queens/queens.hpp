#pragma once
// Queens: one queen in each row of an n by n board, some of them given, so that no two attack each other. An answer is
// the column of each row's queen. Completing a board is NP-complete (Gent, Jefferson and Nightingale 2017).
//
//   n = 4, nothing given:   [1, 3, 0, 2] has 4 queens that no other one attacks

#include "kernels/families/cells/cells.hpp"
#include "kernels/families/cells/latin_square.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::queens {

// Purposes of random words.
inline constexpr std::uint32_t draw_queens = 0;
inline constexpr std::uint32_t draw_given = 1;

inline constexpr field board_layout[] = {
    {"n", field_kind::size, "n, the number of rows and columns, is 1 to 64", 1, 64},
    {"queens", field_kind::list, "a row's queen is in column 0 to n - 1, or -1: it is not given", -1, of(0, -1), of(0)},
};

/// A permutation of columns, and how many queens stand on each diagonal.
struct placement {
    std::int32_t n;
    std::int32_t column[64];
    std::int32_t falling[128];
    std::int32_t rising[128];

    OPTGAP_HD void put(std::int32_t row, std::int32_t more) {
        falling[row - column[row] + n] += more;
        rising[row + column[row]] += more;
    }
    OPTGAP_HD void count() {
        for (std::int32_t i = 0; i < 2 * n; ++i) {
            falling[i] = 0;
            rising[i] = 0;
        }
        for (std::int32_t row = 0; row < n; ++row) {
            put(row, 1);
        }
    }
    /// The number of other queens on the queen's diagonals.
    [[nodiscard]] OPTGAP_HD std::int32_t attackers(std::int32_t row) const {
        return falling[row - column[row] + n] + rising[row + column[row]] - 2;
    }
    OPTGAP_HD void exchange(std::int32_t a, std::int32_t b) {
        put(a, -1);
        put(b, -1);
        std::int32_t const kept = column[a];
        column[a] = column[b];
        column[b] = kept;
        put(a, 1);
        put(b, 1);
    }
    [[nodiscard]] OPTGAP_HD bool peaceful() const {
        std::int32_t attacked = 0;
        for (std::int32_t row = 0; row < n; ++row) {
            attacked += attackers(row);
        }
        return attacked == 0;
    }
};

/// Min-conflicts: a random queen under attack exchanges columns with the queen that leaves both the fewest attackers,
/// ties at random. Examines at most 100 n queens.
OPTGAP_HD inline bool make_peace(draw_stream& stream, placement& board) {
    for (std::int32_t step = 0; step < 100 * board.n && !board.peaceful(); ++step) {
        std::int32_t const row = stream.uniform(0, board.n - 1);
        if (board.attackers(row) == 0) {
            continue;
        }
        std::int32_t fewest = INT32_MAX;
        std::int32_t equals = 0;
        std::int32_t chosen = row;
        for (std::int32_t other = 0; other < board.n; ++other) {
            if (other == row) {
                continue;
            }
            board.exchange(row, other);
            std::int32_t const attackers = board.attackers(row) + board.attackers(other);
            board.exchange(row, other);
            equals = attackers < fewest ? 0 : equals;
            fewest = attackers < fewest ? attackers : fewest;
            if (attackers == fewest && stream.uniform(0, equals++) == 0) {
                chosen = other;
            }
        }
        board.exchange(row, chosen);
    }
    return board.peaceful();
}

/// The classical placement of n >= 4 queens: the odd columns in order, then the even ones, with exceptions if n is 2 or
/// 3 more than a multiple of 6 (Pauls 1874, as in Bell and Stevens 2009).
OPTGAP_HD inline void construct(placement& board) {
    std::int32_t const n = board.n;
    std::int32_t row = 0;
    auto const put = [&](std::int32_t column) {  // counted from 1
        if (column <= n) {
            board.column[row++] = column - 1;
        }
    };
    std::int32_t const rest = n % 6;
    for (std::int32_t c = rest == 3 ? 4 : 2; c <= n; c += 2) {
        put(c);
    }
    if (rest == 3) {
        put(2);
    } else if (rest == 2) {
        put(3);
        put(1);
    }
    for (std::int32_t c = rest == 3 ? 5 : rest == 2 ? 7 : 1; c <= n; c += 2) {
        put(c);
    }
    if (rest == 3) {
        put(1);
        put(3);
    } else if (rest == 2) {
        put(5);
    }
    board.count();
}

struct task : families::cells_task<task> {
    static constexpr std::span<field const> layout = board_layout;
    static constexpr bool one_list = true;

    OPTGAP_HD static families::cells_board board(words_view words) {
        return {1, words[0], 0, words[0] - 1, words.data + 1, -1};
    }
    OPTGAP_HD static std::int32_t constraints(words_view words) { return words[0]; }
    OPTGAP_HD static families::cells_constraint constraint(words_view words, std::int32_t k) {
        families::cells_constraint on{families::constraint_kind::unattacked, words[0], 0, 1};
        on.value = k;
        return on;
    }

    static std::int64_t step_cost(words_view words) { return 1 + words[0] * words[0] / 500; }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 7 + step_of(level);
        return n < 64 ? n : 64;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) { return 1 + size_of(level); }
    static families::cells_shape planted_shape(draw, difficulty level) { return {1, size_of(level)}; }
    OPTGAP_HD static std::int64_t plant_words(draw, difficulty level) { return size_of(level); }

    /// Starts from a random permutation. If that does not succeed, uses the classical placement, mirrored at random in
    /// either direction.
    OPTGAP_HD static void draw_plant(draw source, difficulty level, std::int32_t* columns) {
        placement board;
        board.n = size_of(level);
        draw_stream stream(source, draw_queens);
        for (std::int32_t row = 0; row < board.n; ++row) {
            board.column[row] = row;
        }
        shuffle(stream, board.column, board.n);
        board.count();
        bool const found = make_peace(stream, board);
        bool const across = !found && stream.chance(500);
        bool const down = !found && stream.chance(500);
        if (!found) {
            construct(board);
        }
        for (std::int32_t row = 0; row < board.n; ++row) {
            std::int32_t const column = board.column[down ? board.n - 1 - row : row];
            columns[row] = across ? board.n - 1 - column : column;
        }
    }

    /// A third of the queens is shown.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words,
                                   std::int32_t* columns) {
        std::int32_t const n = size_of(level);
        if (team.rank() == 0) {
            draw_plant(source, level, columns);
            words[0] = n;
            for (std::int32_t row = 0; row < n; ++row) {
                words[1 + row] = -1;
            }
            draw_stream given(source, draw_given);
            families::choose_some(given, n, n / 3, [&](std::int32_t row) { words[1 + row] = columns[row]; });
        }
        team.sync();
    }
};

}  // namespace tasks::queens
OPTGAP_KERNELS_END
