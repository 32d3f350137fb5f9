#pragma once
// The constraints of cells: what each kind means, for a full grid and for sets of values that cells may still have.
// A new kind is a case of `holds` and of `narrow`.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

struct cells_board {
    std::int32_t rows;
    std::int32_t columns;
    std::int32_t low;   ///< of a value, at least 1
    std::int32_t high;  ///< at most 63
    std::int32_t const* given;

    [[nodiscard]] OPTGAP_HD std::int64_t size() const { return std::int64_t(rows) * columns; }
    /// All values, bit v for v.
    [[nodiscard]] OPTGAP_HD std::uint64_t values() const { return first_bits(high + 1) & ~first_bits(low); }
};

enum class constraint_kind : std::int32_t {
    all_different,
    less,  ///< of two cells, the first's value is less
};

/// On `count` cells from `first` on, `step` apart.
struct cells_constraint {
    constraint_kind kind;
    std::int32_t count;
    std::int32_t first;
    std::int32_t step;

    [[nodiscard]] OPTGAP_HD std::int32_t cell(std::int32_t i) const { return first + i * step; }
};

OPTGAP_HD inline bool holds(cells_constraint const& on, std::int32_t const* values) {
    if (on.kind == constraint_kind::less) {
        return values[on.cell(0)] < values[on.cell(1)];
    }
    std::uint64_t seen = 0;
    for (std::int32_t i = 0; i < on.count; ++i) {
        seen |= bit(values[on.cell(i)]);
    }
    return popcount(seen) == on.count;
}

/// A set of values for each cell, in words that lanes may clear at once.
struct value_sets {
    std::uint32_t* words;
    std::int64_t count;

    OPTGAP_HD value_sets(cells_board const& board, std::int32_t* memory)
        : words(reinterpret_cast<std::uint32_t*>(memory)), count(board.size()) {}

    /// Kept as what is forbidden, because lanes can only set bits.
    [[nodiscard]] OPTGAP_HD std::uint64_t operator[](std::int64_t cell) const {
        return ~(words[2 * cell] | std::uint64_t(words[2 * cell + 1]) << 32);
    }
    OPTGAP_HD void set(std::int64_t cell, std::uint64_t values) const {
        words[2 * cell] = std::uint32_t(~values);
        words[2 * cell + 1] = std::uint32_t(~values >> 32);
    }
    template <class Team>
    OPTGAP_HD void forbid(Team& team, std::int64_t cell, std::uint64_t values) const {
        team.fetch_or(&words[2 * cell], std::uint32_t(values));
        team.fetch_or(&words[2 * cell + 1], std::uint32_t(values >> 32));
    }
};

/// Highest set bit; bits must not be 0.
OPTGAP_HD inline std::int32_t highest(std::uint64_t bits) {
    std::int32_t top = 0;
    for (std::int32_t shift = 32; shift > 0; shift /= 2) {
        if (bits >> (top + shift) != 0) {
            top += shift;
        }
    }
    return top;
}

[[nodiscard]] OPTGAP_HD constexpr bool single(std::uint64_t values) {
    return values != 0 && (values & (values - 1)) == 0;
}

/// forbid(cell, values) for what one constraint rules out, given what its cells may have. A cell with one value is a
/// filled one; two equal ones forbid each other's.
template <class Forbid>
OPTGAP_HD void narrow(cells_constraint const& on, std::uint64_t all, value_sets const& left, Forbid const& forbid) {
    if (on.kind == constraint_kind::less) {
        std::uint64_t const less = left[on.cell(0)];
        std::uint64_t const more = left[on.cell(1)];
        if (less != 0 && more != 0) {
            forbid(on.cell(0), all & ~first_bits(highest(more)));
            forbid(on.cell(1), all & first_bits(lowest(less) + 1));
        }
        return;
    }
    std::uint64_t used = 0;    // by single cells
    std::uint64_t twice = 0;   // by two of them
    std::uint64_t once = 0;    // in one cell's set at least
    std::uint64_t shared = 0;  // in two
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        if (single(own)) {
            twice |= used & own;
            used |= own;
        }
        shared |= once & own;
        once |= own;
    }
    // As many cells as values: each value has a place, and one with a single place takes it.
    bool const exact = on.count == popcount(all);
    std::uint64_t const alone = exact ? once & ~shared : 0;
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        std::uint64_t out = single(own) ? twice : used;
        if (exact && once != all) {
            out = all;
        } else if (!single(own) && (own & alone) != 0) {
            out |= all & ~alone;
        }
        if ((out & own) != 0) {
            forbid(on.cell(i), out);
        }
    }
}

enum class search_end : std::int32_t { solved, unsolvable, cut };

/// Depth-first search for a grid in which all constraints of Task hold. By one lane of the CPU.
template <class Task>
class solution_search {
public:
    static constexpr std::int64_t scratch_words(std::int64_t cells) { return 6 * cells + 4; }

    solution_search(words_view instance, std::int32_t* scratch)
        : instance_(instance),
          board_(Task::board(instance)),
          count_(board_.size()),
          left_(board_, scratch),
          untried_(board_, scratch + 2 * count_),
          cell_at_(scratch + 4 * count_ + 2),
          value_at_(cell_at_ + count_ + 1) {}

    [[nodiscard]] std::uint64_t left(std::int64_t cell) const { return left_[cell]; }

    /// A value that is tried costs a step, and one more for every hundred cells.
    search_end run(std::int64_t budget, std::int64_t& steps) {
        std::int64_t const cost = 1 + count_ / 100;
        std::int32_t depth = 0;
        for (bool fresh = true;;) {
            if (fresh) {
                std::int32_t const at = propagate(depth);
                if (at == solved_grid) {
                    return search_end::solved;
                }
                cell_at_[depth] = at;
                untried_.set(depth, at < 0 ? 0 : left_[at]);
                fresh = false;
            }
            std::uint64_t const values = untried_[depth];
            if (values == 0) {
                if (depth == 0) {
                    return search_end::unsolvable;
                }
                --depth;
                continue;
            }
            if (steps + cost > budget) {
                return search_end::cut;
            }
            steps += cost;
            value_at_[depth] = lowest(values);
            untried_.set(depth, values & (values - 1));
            ++depth;
            fresh = true;
        }
    }

private:
    static constexpr std::int32_t solved_grid = -2;
    static constexpr std::int32_t dead_end = -1;

    /// From the givens and the values of levels 0 … depth-1, until nothing more follows: the cell to branch on.
    std::int32_t propagate(std::int32_t depth) {
        for (std::int64_t i = 0; i < count_; ++i) {
            left_.set(i, board_.given[i] != 0 ? bit(board_.given[i]) : board_.values());
        }
        for (std::int32_t k = 0; k < depth; ++k) {
            left_.set(cell_at_[k], bit(value_at_[k]));
        }
        solo lane;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::int32_t k = 0; k < Task::constraints(instance_); ++k) {
                narrow(Task::constraint(instance_, k), board_.values(), left_,
                       [&](std::int32_t cell, std::uint64_t values) {
                           changed = changed || (left_[cell] & values) != 0;
                           left_.forbid(lane, cell, values);
                       });
            }
        }
        std::int32_t fewest = INT32_MAX;
        std::int32_t at = solved_grid;
        for (std::int32_t i = 0; i < count_; ++i) {
            std::int32_t const values = popcount(left_[i]);
            if (values == 0) {
                return dead_end;
            }
            if (values > 1 && values < fewest) {
                fewest = values;
                at = i;
            }
        }
        return at;
    }

    words_view instance_;
    cells_board board_;
    std::int64_t count_;
    value_sets left_;
    value_sets untried_;  ///< by level
    std::int32_t* cell_at_;
    std::int32_t* value_at_;
};

}  // namespace families
OPTGAP_KERNELS_END
