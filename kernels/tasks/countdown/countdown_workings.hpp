#pragma once
// Calculations over a few numbers: their possible results, and the postfix form in which they are written.

#include <cstdint>

#include "kernels/core/hd.hpp"
#include "kernels/core/words.hpp"
#include "optgap/answer.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::countdown {

/// The result of one sign, an integer of 1 to 2147483647; 0 if there is none.
OPTGAP_HD inline std::int32_t result_of(std::int32_t left, std::int32_t sign, std::int32_t right) {
    std::int64_t const a = left;
    std::int64_t const b = right;
    std::int64_t value = 0;
    switch (sign) {
        case sign_plus: value = a + b; break;
        case sign_minus: value = a - b; break;
        case sign_times: value = a * b; break;
        case sign_over: value = b > 0 && a % b == 0 ? a / b : 0; break;
        default: break;
    }
    return value >= 1 && value <= INT32_MAX ? std::int32_t(value) : 0;
}

/// The number of pairs among `m` places, times four signs.
OPTGAP_HD constexpr std::int32_t choices(std::int32_t m) { return 2 * m * (m - 1); }

/// One calculation, with the larger of the two values on the left if the order matters.
struct choice {
    std::int32_t i;  ///< places in the pool, i < j
    std::int32_t j;
    std::int32_t sign;
};
/// The c-th of the choices over `m` places, c < choices(m).
OPTGAP_HD inline choice choice_of(std::int32_t m, std::int32_t c) {
    std::int32_t pair = c / 4;
    std::int32_t i = 0;
    while (pair >= m - 1 - i) {
        pair -= m - 1 - i;
        ++i;
    }
    return {i, i + 1 + pair, -1 - c % 4};
}

/// The numbers and the results calculated from them, as nodes of a forest; the pool holds the nodes not used by others.
/// One lane writes; the other lanes may ask for results if they share its words and the caller syncs.
class workings {
public:
    OPTGAP_HD static constexpr std::int64_t words(std::int64_t n) { return 10 * n; }

    OPTGAP_HD workings(std::int32_t* scratch, std::int32_t n)
        : value_(scratch),
          sign_(value_ + 2 * n),
          left_(sign_ + 2 * n),
          right_(left_ + 2 * n),
          pool_(right_ + 2 * n),
          open_(pool_ + n),
          n_(n) {}

    OPTGAP_HD void begin(std::int32_t const* numbers) {
        nodes_ = n_;
        left_over_ = n_;
        for (std::int32_t i = 0; i < n_; ++i) {
            value_[i] = numbers[i];
            sign_[i] = 0;
            pool_[i] = i;
        }
    }
    [[nodiscard]] OPTGAP_HD std::int32_t left_over() const { return left_over_; }
    [[nodiscard]] OPTGAP_HD std::int32_t value(std::int32_t node) const { return value_[node]; }
    [[nodiscard]] OPTGAP_HD std::int32_t node_at(std::int32_t place) const { return pool_[place]; }
    [[nodiscard]] OPTGAP_HD std::int32_t at(std::int32_t place) const { return value_[pool_[place]]; }

    /// 0 if there is no result, or if the result is one of the two numbers, which has no use.
    [[nodiscard]] OPTGAP_HD std::int32_t result(choice const& of) const {
        std::int32_t const a = at(of.i);
        std::int32_t const b = at(of.j);
        std::int32_t const value = a >= b ? result_of(a, of.sign, b) : result_of(b, of.sign, a);
        return value == a || value == b ? 0 : value;
    }
    /// Puts the result, which is not 0, in place i and the pool's last node in place j; returns the node.
    OPTGAP_HD std::int32_t calculate(choice const& of, std::int32_t result) {
        std::int32_t const a = pool_[of.i];
        std::int32_t const b = pool_[of.j];
        std::int32_t const node = nodes_++;
        bool const in_order = value_[a] >= value_[b];
        value_[node] = result;
        sign_[node] = of.sign;
        left_[node] = in_order ? a : b;
        right_[node] = in_order ? b : a;
        pool_[of.i] = node;
        pool_[of.j] = pool_[--left_over_];
        return node;
    }
    /// Undoes the last calculation, before which the pool had `first` in place of.i.
    OPTGAP_HD void undo(choice const& of, std::int32_t first) {
        std::int32_t const node = --nodes_;
        pool_[left_over_++] = pool_[of.j];
        pool_[of.i] = first;
        pool_[of.j] = left_[node] + right_[node] - first;
    }
    /// Removes a number from the pool.
    OPTGAP_HD void spare(std::int32_t place) { pool_[place] = pool_[--left_over_]; }

    /// Writes a node's block and returns its size. Postfix is the reverse of: sign, right part, left part.
    OPTGAP_HD std::int64_t write(std::int32_t node, std::int32_t* answer) const {
        std::int32_t open = 0;
        std::int64_t count = 1;
        for (open_[open++] = node; open > 0;) {
            std::int32_t const top = open_[--open];
            answer[count++] = sign_[top] != 0 ? sign_[top] : value_[top];
            if (sign_[top] != 0) {
                open_[open++] = left_[top];
                open_[open++] = right_[top];
            }
        }
        answer[0] = answer_flat;
        for (std::int64_t a = 1, b = count - 1; a < b; ++a, --b) {
            std::int32_t const kept = answer[a];
            answer[a] = answer[b];
            answer[b] = kept;
        }
        return count;
    }

private:
    std::int32_t* value_;
    std::int32_t* sign_;  ///< 0: a number of the instance
    std::int32_t* left_;
    std::int32_t* right_;
    std::int32_t* pool_;
    std::int32_t* open_;
    std::int32_t n_;
    std::int32_t nodes_ = 0;
    std::int32_t left_over_ = 0;
};

}  // namespace tasks::countdown
OPTGAP_KERNELS_END
