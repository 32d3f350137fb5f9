#pragma once
// The fields of an instance of pairs, its generation, and the effect of one operation.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"
#include "optgap/difficulty.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::pairs {

inline constexpr std::int32_t max_side = 40;

// Operations, in the order of the alphabet.
inline constexpr std::int32_t op_up = 0;
inline constexpr std::int32_t op_down = 1;
inline constexpr std::int32_t op_left = 2;
inline constexpr std::int32_t op_right = 3;
inline constexpr std::int32_t op_take = 4;
inline constexpr std::int32_t op_put = 5;
inline constexpr std::int32_t operations = 6;

struct deal {
    std::int32_t n;             ///< side of the grid
    std::int32_t const* cards;  ///< of each cell, row by row

    OPTGAP_HD explicit deal(words_view instance) : n(instance[0]), cards(instance.data + 1) {}

    [[nodiscard]] OPTGAP_HD std::int32_t cells() const { return n * n; }
    [[nodiscard]] OPTGAP_HD std::int32_t max_operations() const { return 2 * n * n * n; }
    /// The objective of a run that leaves `left` cards, or that leaves none after `moves` moves.
    [[nodiscard]] OPTGAP_HD std::int64_t worth(std::int32_t left, std::int64_t moves) const {
        return left > 0 ? cells() - left : cells() + max_operations() - moves;
    }
    /// Every cell has a card that must be taken, and the walk begins on one of them.
    [[nodiscard]] OPTGAP_HD std::int64_t bound() const { return worth(0, cells() - 1); }
    /// The i-th cell of a walk along the rows, back and forth.
    [[nodiscard]] OPTGAP_HD std::int32_t snake(std::int32_t i) const {
        std::int32_t const row = i / n;
        return row % 2 == 0 ? i : (2 * row + 1) * n - 1 - i;
    }
};

/// The grid, the deck and the current cell at one moment, in scratch.
struct table {
    static constexpr std::int32_t empty = -1;

    std::int32_t* grid;  ///< the card of each cell, or `empty`
    std::int32_t* deck;
    std::int32_t held = 0;  ///< cards in the deck
    std::int32_t left = 0;  ///< cards in the deck and on the grid
    std::int32_t row = 0;
    std::int32_t column = 0;
    std::int64_t moves = 0;

    OPTGAP_HD static std::int64_t words(words_view instance) { return 2 * std::int64_t(deal(instance).cells()); }
    OPTGAP_HD table(deal const& on, std::int32_t* scratch) : grid(scratch), deck(scratch + on.cells()) {}

    OPTGAP_HD void begin(deal const& on) {
        held = row = column = 0;
        moves = 0;
        left = on.cells();
        for (std::int32_t cell = 0; cell < on.cells(); ++cell) {
            grid[cell] = on.cards[cell];
        }
    }
    /// Returns -1 if the operation was done, otherwise the rule that it breaks, in the order of the task's codes after
    /// the first: 0 off the grid, 1 no card, 2 empty deck, 3 occupied.
    OPTGAP_HD std::int32_t apply(deal const& on, std::int32_t operation) {
        if (operation < op_take) {
            std::int32_t const r = row + (operation == op_down ? 1 : operation == op_up ? -1 : 0);
            std::int32_t const c = column + (operation == op_right ? 1 : operation == op_left ? -1 : 0);
            if (r < 0 || r >= on.n || c < 0 || c >= on.n) {
                return 0;
            }
            row = r;
            column = c;
            ++moves;
            return -1;
        }
        std::int32_t& here = grid[row * on.n + column];
        if (operation == op_take) {
            if (here == empty) {
                return 1;
            }
            if (held > 0 && deck[held - 1] == here) {
                --held;
                left -= 2;
            } else {
                deck[held++] = here;
            }
            here = empty;
            return -1;
        }
        if (held == 0) {
            return 2;
        }
        if (here != empty) {
            return 3;
        }
        here = deck[--held];
        return -1;
    }
};

/// Operations in the order in which they are written: first along rows, then along columns, then the card.
class walk {
public:
    OPTGAP_HD walk(deal const& on, std::int32_t* to) : on_(on), to_(to) {}

    OPTGAP_HD void take(std::int32_t cell) {
        std::int32_t const r = cell / on_.n;
        std::int32_t const c = cell % on_.n;
        for (; row_ < r; ++row_) {
            to_[count_++] = op_down;
        }
        for (; row_ > r; --row_) {
            to_[count_++] = op_up;
        }
        for (; column_ < c; ++column_) {
            to_[count_++] = op_right;
        }
        for (; column_ > c; --column_) {
            to_[count_++] = op_left;
        }
        to_[count_++] = op_take;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t count() const { return count_; }

private:
    deal on_;
    std::int32_t* to_;
    std::int32_t row_ = 0;
    std::int32_t column_ = 0;
    std::int64_t count_ = 0;
};

// Purposes of random words.
inline constexpr std::uint32_t draw_cards = 0;

/// The first two steps of the difficulty scale are small enough to try all runs.
OPTGAP_HD inline std::int32_t side_of(difficulty level) {
    if (!level.on_scale()) {
        std::int32_t const named[] = {4, 8, 14, 20};
        return named[level.level()];
    }
    std::int32_t const d = level.code < 1000 ? level.code : 1000;
    std::int32_t const n = 2 + 2 * (d / 2);
    return n < max_side ? n : max_side;
}

/// Each card twice, by Fisher and Yates's shuffle.
template <class Team>
OPTGAP_HD void generate_deal(Team& team, draw source, std::int32_t n, std::int32_t* words) {
    std::int32_t const cells = n * n;
    team.each(cells, [&](std::int64_t cell) { words[1 + cell] = std::int32_t(cell / 2); });
    team.sync();
    if (team.rank() == 0) {
        words[0] = n;
        draw_stream stream(source, draw_cards);
        shuffle(stream, words + 1, cells);
    }
    team.sync();
}

}  // namespace tasks::pairs
OPTGAP_KERNELS_END
