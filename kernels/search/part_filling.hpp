#pragma once
// Decides whether n sizes can be distributed among a number of parts with the same room each. The search is complete:
// it fills one part at a time, starting with the largest remaining size; then each later size that fits, the largest
// first, is put in or left out (bin completion, Korf 2003). A part is closed when no remaining size fits into it, which
// loses no solution, and when the room that it leaves free can be spared. Equal sizes are left out together.
//
// The state is flat words and numbers, so that the search can be cut after any node.

#include <cstdint>

#include "kernels/core/hd.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

struct filling_numbers {
    std::int64_t room;   ///< in each part
    std::int64_t sum;    ///< in the open part
    std::int64_t spare;  ///< room that this part and the later ones may leave free together
    std::int32_t part;
    std::int32_t open;   ///< 1 if a part is open
    std::int32_t depth;  ///< number of items placed
    std::int32_t next;   ///< first place in the order that is not yet decided for this part
};

class part_filling {
public:
    enum class outcome { going, found, failed };

    static std::int64_t words(std::int64_t n) { return 4 * n; }

    part_filling(std::int32_t n, std::int32_t* memory, filling_numbers& at)
        : n_(n), order_(memory), size_(memory + n), part_(memory + 2 * n), stack_(memory + 3 * n), at_(at) {}

    /// Reads the sizes, sorted from the largest, ties by index. Called once.
    void sort(std::int32_t const* sizes) {
        for (std::int32_t i = 0; i < n_; ++i) {
            std::int32_t to = i;
            for (; to > 0 && size_[to - 1] < sizes[i]; --to) {
                size_[to] = size_[to - 1];
                order_[to] = order_[to - 1];
            }
            size_[to] = sizes[i];
            order_[to] = i;
        }
    }
    [[nodiscard]] std::int32_t const* sorted() const { return size_; }

    /// Starts a new question. The largest size must fit.
    void begin(std::int64_t parts, std::int64_t room) {
        std::int64_t sum = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            part_[i] = -1;
            sum += size_[i];
        }
        at_ = {room, 0, parts * room - sum, 0, 0, 0, 0};
    }

    outcome node() {
        if (at_.spare < 0) {
            return outcome::failed;
        }
        if (at_.open == 0) {
            std::int32_t largest = 0;
            while (part_[largest] >= 0) {
                ++largest;
            }
            at_.sum = 0;
            at_.open = 1;
            return place(largest);
        }
        std::int32_t chosen = -1;
        std::int64_t reach = at_.sum;
        for (std::int32_t i = at_.next; i < n_; ++i) {
            if (part_[i] < 0 && size_[i] <= at_.room - at_.sum) {
                chosen = chosen < 0 ? i : chosen;
                reach += size_[i];
            }
        }
        if (reach >= at_.room - at_.spare) {
            if (chosen >= 0) {
                return place(chosen);
            }
            if (full()) {
                at_.spare -= at_.room - at_.sum;
                at_.open = 0;
                ++at_.part;
                return outcome::going;
            }
        }
        return retreat() ? outcome::going : outcome::failed;
    }

    /// The solution found: parts() is the number of parts with items; write() writes the lengths of the parts, then the
    /// items, part after part.
    [[nodiscard]] std::int32_t parts() const { return at_.part + 1; }
    void write(std::int32_t rows, std::int32_t* answer) const {
        answer[0] = rows;
        for (std::int32_t r = 0; r < rows; ++r) {
            answer[1 + r] = 0;
        }
        for (std::int32_t i = 0; i < n_; ++i) {
            ++answer[1 + part_[stack_[i]]];
            answer[1 + rows + i] = order_[stack_[i]];
        }
    }
    [[nodiscard]] std::int64_t largest_sum() const {
        std::int64_t most = 0;
        std::int64_t sum = 0;
        for (std::int32_t i = 0; i < n_; ++i) {
            sum = (i > 0 && part_[stack_[i]] == part_[stack_[i - 1]] ? sum : 0) + size_[stack_[i]];
            most = sum > most ? sum : most;
        }
        return most;
    }

private:
    outcome place(std::int32_t i) {
        part_[i] = at_.part;
        stack_[at_.depth++] = i;
        at_.sum += size_[i];
        at_.next = i + 1;
        return at_.depth == n_ ? outcome::found : outcome::going;
    }
    /// Whether no remaining size fits.
    [[nodiscard]] bool full() const {
        std::int32_t smallest = n_ - 1;
        while (part_[smallest] >= 0) {
            --smallest;
        }
        return size_[smallest] > at_.room - at_.sum;
    }
    /// Leaves out the last item that is not the first of its part.
    bool retreat() {
        while (at_.depth > 0) {
            std::int32_t const i = stack_[--at_.depth];
            part_[i] = -1;
            if (at_.depth > 0 && part_[stack_[at_.depth - 1]] == at_.part) {
                at_.sum -= size_[i];
                at_.next = i + 1;
                while (at_.next < n_ && size_[at_.next] == size_[i]) {
                    ++at_.next;
                }
                return true;
            }
            --at_.part;
            at_.sum = 0;
            for (std::int32_t s = at_.depth; s > 0 && part_[stack_[s - 1]] == at_.part; --s) {
                at_.sum += size_[stack_[s - 1]];
            }
            at_.spare += at_.room - at_.sum;
        }
        return false;
    }

    std::int32_t n_;
    std::int32_t* order_;  ///< items sorted by size
    std::int32_t* size_;   ///< in that order, as all arrays below
    std::int32_t* part_;   ///< -1: not placed
    std::int32_t* stack_;  ///< items placed, in the order of placing
    filling_numbers& at_;
};

}  // namespace search
OPTGAP_KERNELS_END
