#pragma once
// A board of tiles with one gap, as a world of kernels/search/iterative_deepening.hpp.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sliding_puzzle {

inline constexpr std::int32_t max_side = 6;

// Directions of the gap. Two directions that undo each other differ by 2.
inline constexpr std::int32_t up = 0;
inline constexpr std::int32_t right = 1;
inline constexpr std::int32_t down = 2;
inline constexpr std::int32_t left = 3;
OPTGAP_HD constexpr std::int32_t back(std::int32_t move) { return (move + 2) % 4; }

/// An instance: [rows, columns, cells …, limit].
struct start {
    std::int32_t rows;
    std::int32_t columns;
    std::int32_t const* cells;
    std::int32_t limit;

    [[nodiscard]] OPTGAP_HD std::int32_t size() const { return rows * columns; }
};
OPTGAP_HD inline start view(words_view instance) {
    return {instance[0], instance[1], instance.data + 2, instance[instance.count - 1]};
}

OPTGAP_HD inline std::int32_t apart(std::int32_t a, std::int32_t b) { return a < b ? b - a : a - b; }

/// Tile t belongs in cell t - 1, the gap (0) in the last one.
class board {
public:
    OPTGAP_HD static std::int64_t words(words_view instance) {
        return view(instance).size() + view(instance).rows + view(instance).columns;
    }
    OPTGAP_HD static constexpr std::int32_t actions() { return 4; }

    OPTGAP_HD board(words_view instance, std::int32_t* memory) : board(view(instance), memory) {}
    OPTGAP_HD board(start const& on, std::int32_t* memory)
        : rows_(on.rows),
          columns_(on.columns),
          cell_(memory),
          row_conflicts_(cell_ + on.size()),
          column_conflicts_(row_conflicts_ + on.rows) {
        for (std::int32_t i = 0; i < on.size(); ++i) {
            cell_[i] = on.cells[i];
            gap_ = cell_[i] == 0 ? i : gap_;
            missing_ += cell_[i] == 0 ? 0 : way(cell_[i], i);
        }
        for (std::int32_t k = 0; k < rows_ + columns_; ++k) {
            row_conflicts_[k] = 0;
        }
        for (std::int32_t r = 0; r < rows_; ++r) {
            count_row(r);
        }
        for (std::int32_t c = 0; c < columns_; ++c) {
            count_column(c);
        }
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return rows_; }
    [[nodiscard]] OPTGAP_HD std::int32_t columns() const { return columns_; }
    [[nodiscard]] OPTGAP_HD std::int32_t gap() const { return gap_; }
    [[nodiscard]] OPTGAP_HD std::int32_t tile(std::int32_t cell) const { return cell_[cell]; }

    /// The cell on that side of `cell`, -1 beyond the edge.
    [[nodiscard]] OPTGAP_HD std::int32_t beside(std::int32_t cell, std::int32_t move) const {
        switch (move) {
            case up: return cell >= columns_ ? cell - columns_ : -1;
            case down: return cell + columns_ < rows_ * columns_ ? cell + columns_ : -1;
            case left: return cell % columns_ > 0 ? cell - 1 : -1;
            default: return (cell + 1) % columns_ > 0 ? cell + 1 : -1;
        }
    }
    [[nodiscard]] OPTGAP_HD bool legal(std::int32_t move) const { return beside(gap_, move) >= 0; }
    [[nodiscard]] OPTGAP_HD bool sensible(std::int32_t move, std::int32_t last) const {
        return (last < 0 || move != back(last)) && legal(move);
    }

    /// A tile that moves along its row changes two columns; in its row only its own position changes.
    OPTGAP_HD void act(std::int32_t move) {
        std::int32_t const from = beside(gap_, move);
        std::int32_t const tile = cell_[from];
        missing_ += way(tile, gap_) - way(tile, from);
        cell_[gap_] = tile;
        cell_[from] = 0;
        if (move == left || move == right) {
            count_column(gap_ % columns_);
            count_column(from % columns_);
        } else {
            count_row(gap_ / columns_);
            count_row(from / columns_);
        }
        gap_ = from;
    }
    OPTGAP_HD void undo(std::int32_t move) { act(back(move)); }

    /// The number of rows and columns that tiles still have to go.
    [[nodiscard]] OPTGAP_HD std::int32_t missing() const { return missing_; }
    /// Adds linear conflicts (Hansson, Mayer & Yung 1992): of tiles that stand in their own line in the wrong order,
    /// all but the longest rising sequence must leave it and come back.
    [[nodiscard]] OPTGAP_HD std::int32_t rest() const { return missing_ + 2 * conflicts_; }

private:
    /// The distance from a cell to the tile's own.
    [[nodiscard]] OPTGAP_HD std::int32_t way(std::int32_t tile, std::int32_t cell) const {
        std::int32_t const own = tile - 1;
        return apart(own / columns_, cell / columns_) + apart(own % columns_, cell % columns_);
    }
    OPTGAP_HD void count_row(std::int32_t r) {
        count(row_conflicts_ + r, r * columns_, 1, columns_,
              [&](std::int32_t own) { return own / columns_ == r ? own % columns_ : -1; });
    }
    OPTGAP_HD void count_column(std::int32_t c) {
        count(column_conflicts_ + c, c, columns_, rows_,
              [&](std::int32_t own) { return own % columns_ == c ? own / columns_ : -1; });
    }
    /// For the places of the line's own tiles, in their present order: how many are outside the longest rising
    /// sequence.
    template <class Place>
    OPTGAP_HD void count(std::int32_t* counted, std::int32_t first, std::int32_t stride, std::int32_t length,
                         Place const& place) {
        std::int32_t places[max_side];
        std::int32_t rising[max_side];  // length of the longest that ends here
        std::int32_t own = 0;
        std::int32_t longest = 0;
        for (std::int32_t k = 0; k < length; ++k) {
            std::int32_t const tile = cell_[first + k * stride];
            std::int32_t const at = tile > 0 ? place(tile - 1) : -1;
            if (at < 0) {
                continue;
            }
            places[own] = at;
            rising[own] = 1;
            for (std::int32_t e = 0; e < own; ++e) {
                rising[own] = places[e] < at && rising[e] >= rising[own] ? rising[e] + 1 : rising[own];
            }
            longest = rising[own] > longest ? rising[own] : longest;
            ++own;
        }
        conflicts_ += own - longest - *counted;
        *counted = own - longest;
    }

    std::int32_t rows_;
    std::int32_t columns_;
    std::int32_t* cell_;
    std::int32_t* row_conflicts_;
    std::int32_t* column_conflicts_;
    std::int32_t gap_ = 0;
    std::int32_t missing_ = 0;
    std::int32_t conflicts_ = 0;
};

}  // namespace tasks::sliding_puzzle
OPTGAP_KERNELS_END
