#pragma once
// A plan as people make one: row after row, with the last two tiles of a row together; the last two rows column after
// column, both tiles together; then the last square. Each group is brought into place by a shortest way that does not
// disturb the tiles placed before.

#include <cstdint>

#include "kernels/core/rng.hpp"
#include "kernels/search/noisy_pick.hpp"
#include "kernels/tasks/sliding_puzzle/sliding_board.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sliding_puzzle {

class row_by_row {
public:
    /// Words for the largest table of a group: the last two tiles of the first row, of a column, or a single tile.
    OPTGAP_HD static std::int64_t words(words_view instance) {
        start const on = view(instance);
        std::int64_t const row = on.size() - on.columns + 2;
        std::int64_t const column = 2 * on.columns;
        std::int64_t const most = row > column ? row : column;
        std::int64_t const states = most * most * most > 256 ? most * most * most : 256;
        return board::words(instance) + 2 * on.size() + 2 * states;
    }

    /// Random mistakes come from `noise`; nullptr: no mistakes.
    OPTGAP_HD row_by_row(words_view instance, draw_stream* noise, std::int32_t* plan, std::int32_t* memory)
        : on_(instance, memory),
          noise_(noise),
          plan_(plan),
          most_(view(instance).limit),
          place_(memory + board::words(instance)),
          cell_at_(place_ + on_.rows() * on_.columns()),
          before_(cell_at_ + on_.rows() * on_.columns()),
          queue_(before_) {}

    /// Returns the plan's length, -1 if it is longer than the limit.
    OPTGAP_HD std::int32_t run() {
        std::int32_t const columns = on_.columns();
        std::int32_t const last_rows = on_.rows() - 2;
        for (std::int32_t r = 0; r < last_rows; ++r) {
            std::int32_t const first = r * columns;
            for (std::int32_t c = 0; c < columns - 2; ++c) {
                place({1, {first + c}});
            }
            place({2, {first + columns - 2, first + columns - 1}});
        }
        std::int32_t const first = last_rows * columns;
        for (std::int32_t c = 0; c < columns - 2; ++c) {
            place({2, {first + c, first + columns + c}});
        }
        place({3, {first + columns - 2, first + columns - 1, first + 2 * columns - 2}});
        return too_long_ ? -1 : length_;
    }

private:
    /// Cells whose tiles are placed together.
    struct group {
        std::int32_t count;
        std::int32_t cell[3];
    };

    [[nodiscard]] OPTGAP_HD bool vacant(std::int32_t cell) const { return cell >= 0 && (placed_ >> cell & 1u) == 0; }

    OPTGAP_HD void place(group const& of) {
        std::int32_t turn = 0;
        if (noise_ != nullptr) {
            if (noise_->chance(search::mistake_permille)) {
                wander();
            }
            turn = noise_->uniform(0, 3);
        }
        go(of, turn);
        for (std::int32_t k = 0; k < of.count; ++k) {
            placed_ |= std::uint64_t(1) << of.cell[k];
        }
    }

    /// Makes two to eight random moves of the gap, none of which undoes the one before.
    OPTGAP_HD void wander() {
        std::int32_t last = -1;
        for (std::int32_t moves = noise_->uniform(2, 8); moves > 0; --moves) {
            std::int32_t pick = -1;
            std::int32_t choices = 0;
            for (std::int32_t move = 0; move < 4; ++move) {
                if (vacant(on_.beside(on_.gap(), move)) && (last < 0 || move != back(last)) &&
                    noise_->uniform(0, choices++) == 0) {
                    pick = move;
                }
            }
            if (pick < 0) {
                return;
            }
            add(pick);
            last = pick;
        }
    }

    /// A move that undoes the one before removes both.
    OPTGAP_HD void add(std::int32_t move) {
        on_.act(move);
        if (length_ > 0 && length_ <= most_ && plan_[length_ - 1] == back(move)) {
            --length_;
            return;
        }
        too_long_ = too_long_ || length_ >= most_;
        if (!too_long_) {
            plan_[length_++] = move;
        }
    }

    /// Breadth-first search over the positions of the gap and of the group's tiles among the free cells; `turn`
    /// determines which side is tried first.
    OPTGAP_HD void go(group const& of, std::int32_t turn) {
        std::int32_t const size = on_.rows() * on_.columns();
        std::int32_t cells = 0;
        for (std::int32_t i = 0; i < size; ++i) {
            place_[i] = vacant(i) ? cells : -1;
            if (vacant(i)) {
                cell_at_[cells++] = i;
            }
        }
        std::int32_t states = cells;
        std::int32_t at[4] = {};  // the gap's cell, then the tiles'
        at[0] = on_.gap();
        for (std::int32_t k = 0; k < of.count; ++k) {
            states *= cells;
            for (std::int32_t i = 0; i < size; ++i) {
                at[1 + k] = on_.tile(i) == of.cell[k] + 1 ? i : at[1 + k];
            }
        }
        queue_ = before_ + states;
        for (std::int32_t s = 0; s < states; ++s) {
            before_[s] = -1;
        }
        std::int32_t const begin = number(at, of.count, cells);
        std::int32_t found = begin;
        std::int32_t head = 0;
        std::int32_t tail = 0;
        before_[begin] = begin;
        queue_[tail++] = begin;
        while (head < tail) {
            found = queue_[head++];
            unpack(found, at, of.count, cells);
            bool done = true;
            for (std::int32_t k = 0; k < of.count; ++k) {
                done = done && at[1 + k] == of.cell[k];
            }
            if (done) {
                break;
            }
            for (std::int32_t m = 0; m < 4; ++m) {
                std::int32_t const to = on_.beside(at[0], (m + turn) % 4);
                if (!vacant(to)) {
                    continue;
                }
                std::int32_t after[4] = {to, at[1], at[2], at[3]};
                for (std::int32_t k = 1; k <= of.count; ++k) {
                    after[k] = at[k] == to ? at[0] : at[k];
                }
                std::int32_t const state = number(after, of.count, cells);
                if (before_[state] < 0) {
                    before_[state] = found;
                    queue_[tail++] = state;
                }
            }
        }
        walk(begin, found, cells);
    }
    /// Reverses the way back into a way there, in the queue's words; the gap's position is a state's remainder.
    OPTGAP_HD void walk(std::int32_t begin, std::int32_t end, std::int32_t cells) {
        std::int32_t count = 0;
        for (std::int32_t state = end; state != begin; state = before_[state]) {
            queue_[count++] = cell_at_[state % cells];
        }
        while (count > 0) {
            std::int32_t const to = queue_[--count];
            std::int32_t move = 0;
            while (on_.beside(on_.gap(), move) != to) {
                ++move;
            }
            add(move);
        }
    }
    OPTGAP_HD std::int32_t number(std::int32_t const* at, std::int32_t tiles, std::int32_t cells) const {
        std::int32_t state = 0;
        for (std::int32_t k = tiles; k >= 0; --k) {
            state = state * cells + place_[at[k]];
        }
        return state;
    }
    OPTGAP_HD void unpack(std::int32_t state, std::int32_t* at, std::int32_t tiles, std::int32_t cells) const {
        for (std::int32_t k = 0; k <= tiles; ++k) {
            at[k] = cell_at_[state % cells];
            state /= cells;
        }
    }

    board on_;
    draw_stream* noise_;
    std::int32_t* plan_;
    std::int32_t most_;
    std::int32_t length_ = 0;
    bool too_long_ = false;
    std::uint64_t placed_ = 0;  ///< cells
    std::int32_t* place_;       ///< index of a free cell among these, otherwise -1
    std::int32_t* cell_at_;     ///< the inverse
    std::int32_t* before_;      ///< the state from which a state was reached, -1: none
    std::int32_t* queue_;
};

}  // namespace tasks::sliding_puzzle
OPTGAP_KERNELS_END
