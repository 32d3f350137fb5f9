#pragma once
// Orders in which all cards are taken. In a nested order each pair lies within or outside of each other pair, like
// brackets: then all cards vanish and none is put down. The cost is the sum of the distances between neighbours in the
// order.

#include <cstdint>

#include "kernels/tasks/pairs/pairs_deal.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::pairs {

class order {
public:
    /// Words that must be kept between slices: the order.
    OPTGAP_HD static std::int64_t kept(words_view instance) { return deal(instance).cells(); }
    OPTGAP_HD static std::int64_t words(words_view instance) { return 5 * std::int64_t(deal(instance).cells()); }

    OPTGAP_HD order(words_view instance, std::int32_t* scratch)
        : on_(instance),
          size_(on_.cells()),
          order_(scratch),
          place_(order_ + size_),
          twin_(place_ + size_),
          spot_(twin_ + size_),
          spare_(spot_ + size_) {}

    /// Computes tables that depend only on the instance.
    OPTGAP_HD void prepare() {
        for (std::int32_t card = 0; card < size_ / 2; ++card) {
            spare_[card] = -1;
        }
        for (std::int32_t cell = 0; cell < size_; ++cell) {
            std::int32_t const card = on_.cards[cell];
            spot_[cell] = (cell / on_.n) << 16 | (cell % on_.n);
            if (spare_[card] < 0) {
                spare_[card] = cell;
            } else {
                twin_[cell] = spare_[card];
                twin_[spare_[card]] = cell;
            }
        }
    }
    [[nodiscard]] OPTGAP_HD std::int64_t moves() const { return moves_; }
    [[nodiscard]] OPTGAP_HD std::int64_t worth() const { return on_.worth(0, moves_); }
    [[nodiscard]] OPTGAP_HD std::int32_t const* cells() const { return order_; }

    /// One walk along the rows, back and forth, that takes the first card of each pair, and the second one if it meets
    /// the first on top of the deck; then the others in the order in which the deck needs them.
    OPTGAP_HD void sweep() {
        std::int32_t taken = 0;
        std::int32_t held = 0;
        for (std::int32_t cell = 0; cell < size_; ++cell) {
            place_[cell] = -1;
        }
        for (std::int32_t i = 0; i < size_; ++i) {
            std::int32_t const cell = on_.snake(i);
            bool const closes = place_[twin_[cell]] >= 0;
            if (closes && (held == 0 || spare_[held - 1] != twin_[cell])) {
                continue;
            }
            held = closes ? held - 1 : held;
            if (!closes) {
                spare_[held++] = cell;
            }
            place_[cell] = taken;
            order_[taken++] = cell;
        }
        while (held > 0) {
            order_[taken++] = twin_[spare_[--held]];
        }
        settle();
    }
    /// Reads the order in which an answer takes cards; false if it is not nested, or if the answer puts cards down or
    /// leaves some.
    OPTGAP_HD bool read(answer_view const& answer) {
        std::int32_t row = 0;
        std::int32_t column = 0;
        std::int32_t taken = 0;
        std::int32_t held = 0;
        for (std::int64_t i = 0; i < answer.count; ++i) {
            std::int32_t const operation = answer.values[i];
            row += operation == op_down ? 1 : operation == op_up ? -1 : 0;
            column += operation == op_right ? 1 : operation == op_left ? -1 : 0;
            if (operation == op_put) {
                return false;
            }
            if (operation == op_take) {
                std::int32_t const cell = row * on_.n + column;
                order_[taken++] = cell;
                if (held > 0 && spare_[held - 1] == twin_[cell]) {
                    --held;
                } else {
                    spare_[held++] = cell;
                }
            }
        }
        if (taken < size_ || held > 0) {
            return false;
        }
        settle();
        return true;
    }
    OPTGAP_HD void copy(std::int32_t const* cells) {
        for (std::int32_t i = 0; i < size_; ++i) {
            order_[i] = cells[i];
        }
        settle();
    }
    /// Recomputes places and moves after the order has changed as a whole.
    OPTGAP_HD void settle() {
        moves_ = 0;
        for (std::int32_t i = 0; i < size_; ++i) {
            place_[order_[i]] = i;
            moves_ += far(i > 0 ? order_[i - 1] : 0, order_[i]);
        }
    }
    OPTGAP_HD std::int64_t write(std::int32_t* answer) const {
        walk way(on_, answer + 1);
        answer[0] = answer_flat;
        for (std::int32_t i = 0; i < size_; ++i) {
            way.take(order_[i]);
        }
        return 1 + way.count();
    }

protected:
    OPTGAP_HD static std::int32_t size_of(std::int32_t x) { return x < 0 ? -x : x; }
    /// The number of moves from cell to cell; 0 to cell -1.
    [[nodiscard]] OPTGAP_HD std::int32_t far(std::int32_t a, std::int32_t b) const {
        if (b < 0) {
            return 0;
        }
        return size_of((spot_[a] >> 16) - (spot_[b] >> 16)) + size_of((spot_[a] & 0xFFFF) - (spot_[b] & 0xFFFF));
    }
    /// The cell at a place; before the first place the start of the walk, after the last -1.
    [[nodiscard]] OPTGAP_HD std::int32_t at(std::int32_t place) const {
        return place < 0 ? 0 : place < size_ ? order_[place] : -1;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t other(std::int32_t place) const { return place_[twin_[order_[place]]]; }
    [[nodiscard]] OPTGAP_HD bool opens(std::int32_t place) const {
        return place >= 0 && place < size_ && other(place) > place;
    }
    [[nodiscard]] OPTGAP_HD bool closes(std::int32_t place) const {
        return place >= 0 && place < size_ && other(place) < place;
    }
    /// Another cell, at most two rows and two columns away.
    [[nodiscard]] OPTGAP_HD std::int32_t near(draw_stream& stream, std::int32_t cell) const {
        std::uint32_t const word = stream.next();
        std::int32_t const n = on_.n;
        std::int32_t row = (spot_[cell] >> 16) + std::int32_t((word & 0xFFFFu) * 5 >> 16) - 2;
        std::int32_t column = (spot_[cell] & 0xFFFF) + std::int32_t((word >> 16) * 5 >> 16) - 2;
        row = row < 0 ? -row : row >= n ? 2 * n - 2 - row : row;
        column = column < 0 ? -column : column >= n ? 2 * n - 2 - column : column;
        row = row < 0 || row >= n ? 0 : row;  // for a grid of two rows
        column = column < 0 || column >= n ? 0 : column;
        return row * n + column;
    }
    OPTGAP_HD void put(std::int32_t place, std::int32_t cell) {
        order_[place] = cell;
        place_[cell] = place;
    }
    OPTGAP_HD void reverse(std::int32_t first, std::int32_t last) {
        for (; first < last; ++first, --last) {
            std::int32_t const cell = order_[first];
            put(first, order_[last]);
            put(last, cell);
        }
        if (first == last) {
            put(first, order_[first]);
        }
    }
    OPTGAP_HD void put_back(std::int32_t first, std::int32_t last) {
        for (std::int32_t place = first; place <= last; ++place) {
            put(place, spare_[place - first]);
        }
    }

    deal on_;
    std::int32_t size_;
    std::int32_t* order_;  ///< cells
    std::int32_t* place_;  ///< place of each cell in the order
    std::int32_t* twin_;   ///< the cell with the same card
    std::int32_t* spot_;   ///< row · 2^16 + column
    std::int32_t* spare_;
    std::int64_t moves_ = 0;
};

}  // namespace tasks::pairs
OPTGAP_KERNELS_END
