#pragma once
// The constraints of cells: the meaning of each kind, both for a full grid and for sets of values that cells may still
// have. A new kind is a case in `holds` and in `narrow`.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"
#include "kernels/families/cells/cells_runs.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

inline constexpr std::int32_t no_value = -1;  ///< of an empty cell

struct cells_board {
    std::int32_t rows;
    std::int32_t columns;
    std::int32_t low;                     ///< smallest value, at least 0
    std::int32_t high;                    ///< largest value, at most 63
    std::int32_t const* given = nullptr;  ///< a word for each cell; nullptr: no cell is given
    std::int32_t empty = 0;               ///< the word of a cell that is not given; not a value of this board

    [[nodiscard]] OPTGAP_HD std::int64_t size() const { return std::int64_t(rows) * columns; }
    /// The set of all values: bit v stands for v.
    [[nodiscard]] OPTGAP_HD std::uint64_t values() const { return first_bits(high + 1) & ~first_bits(low); }
    /// The given value of the cell, or no_value.
    [[nodiscard]] OPTGAP_HD std::int32_t given_at(std::int64_t cell) const {
        return given == nullptr || given[cell] == empty ? no_value : given[cell];
    }
    /// The values that the given cells allow for this cell.
    [[nodiscard]] OPTGAP_HD std::uint64_t open(std::int64_t cell) const {
        return given_at(cell) == no_value ? values() : bit(given[cell]);
    }
};

enum class constraint_kind : std::int32_t {
    all_different,
    less,        ///< of two cells, the first has the smaller value
    unattacked,  ///< cells are rows of queens, values their columns: no other queen attacks the queen of row `value`
    runs,        ///< of cells with 0 and 1: `list` holds the lengths of the blocks of 1, in `high` words, ended by a 0
    sum,         ///< the sum of the values is low … high
    count,       ///< the number of cells with `value` is low … high
};

/// A constraint on `count` cells from `first` on, `step` apart. If `width` is not 0, the cells form rows of `width`
/// cells, `stride` apart.
struct cells_constraint {
    constraint_kind kind;
    std::int32_t count;
    std::int32_t first;
    std::int32_t step;
    std::int32_t width = 0;
    std::int32_t stride = 0;  ///< larger than the span of a row's cells
    std::int32_t low = 0;
    std::int32_t high = 0;
    std::int32_t value = 0;  ///< the value that is counted; a row
    std::int32_t const* list = nullptr;

    [[nodiscard]] OPTGAP_HD std::int32_t cell(std::int32_t i) const {
        return width == 0 ? first + i * step : first + i / width * stride + i % width * step;
    }
    [[nodiscard]] OPTGAP_HD bool on(std::int32_t at) const {
        std::int32_t const row = width == 0 || at < first ? 0 : (at - first) / stride;
        std::int32_t const offset = at - first - row * stride;
        std::int32_t const i = offset / step;
        return offset % step == 0 && i >= 0 && (width == 0 || i < width) && row * width + i < count;
    }
};

/// The columns that the queens in `columns` attack on a row that is `rows` rows away.
[[nodiscard]] OPTGAP_HD constexpr std::uint64_t attacked(std::uint64_t columns, std::int32_t rows) {
    return columns | columns << rows | columns >> rows;
}

[[nodiscard]] OPTGAP_HD constexpr std::int32_t rows_between(std::int32_t a, std::int32_t b) {
    return a < b ? b - a : a - b;
}

OPTGAP_HD inline bool holds(cells_constraint const& on, std::int32_t const* values) {
    std::uint64_t seen = 0;
    std::int64_t total = 0;
    switch (on.kind) {
        case constraint_kind::less: return values[on.cell(0)] < values[on.cell(1)];
        case constraint_kind::unattacked:
            for (std::int32_t i = 0; i < on.count; ++i) {
                seen |= i == on.value ? 0 : attacked(bit(values[on.cell(i)]), rows_between(i, on.value));
            }
            return (seen & bit(values[on.cell(on.value)])) == 0;
        case constraint_kind::runs:
            for (std::int32_t i = 0; i < on.count; ++i) {
                seen |= values[on.cell(i)] == 1 ? bit(i) : 0;
            }
            return has_runs(seen, on.list, on.high);
        case constraint_kind::sum:
        case constraint_kind::count:
            for (std::int32_t i = 0; i < on.count; ++i) {
                std::int32_t const own = values[on.cell(i)];
                total += on.kind == constraint_kind::sum ? own : own == on.value ? 1 : 0;
            }
            return total >= on.low && total <= on.high;
        default:
            for (std::int32_t i = 0; i < on.count; ++i) {
                seen |= bit(values[on.cell(i)]);
            }
            return popcount(seen) == on.count;
    }
}

/// A set of values for each cell, in words that several lanes may clear bits of at once.
struct value_sets {
    std::uint32_t* words;

    OPTGAP_HD explicit value_sets(std::int32_t* memory) : words(reinterpret_cast<std::uint32_t*>(memory)) {}

    /// The words hold the forbidden values, because lanes can only set bits.
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

template <class Forbid>
OPTGAP_HD void narrow_less(cells_constraint const& on, std::uint64_t all, value_sets const& left,
                           Forbid const& forbid) {
    std::uint64_t const less = left[on.cell(0)];
    std::uint64_t const more = left[on.cell(1)];
    if (less != 0 && more != 0) {
        forbid(on.cell(0), all & ~first_bits(highest(more)));
        forbid(on.cell(1), all & first_bits(lowest(less) + 1));
    }
}

template <class Forbid>
OPTGAP_HD void narrow_different(cells_constraint const& on, std::uint64_t all, value_sets const& left,
                                Forbid const& forbid) {
    std::uint64_t used = 0;    // values of cells with a single value
    std::uint64_t twice = 0;   // values of two such cells
    std::uint64_t once = 0;    // in the set of at least one cell
    std::uint64_t shared = 0;  // in the sets of at least two cells
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        if (single(own)) {
            twice |= used & own;
            used |= own;
        }
        shared |= once & own;
        once |= own;
    }
    // There are as many cells as values, so each value has a cell; a value with a single possible cell is placed there.
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

/// A column is ruled out if every column that remains for another row would attack it. More than three columns never
/// do.
template <class Forbid>
OPTGAP_HD void narrow_unattacked(cells_constraint const& on, value_sets const& left, Forbid const& forbid) {
    auto const out_of_reach = [](std::uint64_t columns, std::int32_t rows) {
        std::uint64_t out = 0;
        if (columns != 0 && popcount(columns) <= 3) {
            out = ~std::uint64_t(0);
            for (; columns != 0; columns &= columns - 1) {
                out &= attacked(columns & -columns, rows);
            }
        }
        return out;
    };
    std::uint64_t const own = left[on.cell(on.value)];
    for (std::int32_t i = 0; i < on.count; ++i) {
        if (i == on.value) {
            continue;
        }
        std::uint64_t const other = left[on.cell(i)];
        std::int32_t const rows = rows_between(i, on.value);
        if (std::uint64_t const out = out_of_reach(other, rows); (out & own) != 0) {
            forbid(on.cell(on.value), out);
        }
        if (std::uint64_t const out = out_of_reach(own, rows); (out & other) != 0) {
            forbid(on.cell(i), out);
        }
    }
}

template <class Forbid>
OPTGAP_HD void narrow_runs(cells_constraint const& on, value_sets const& left, Forbid const& forbid) {
    line_sets may{0, 0};
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        may.zero |= (own & 1) << i;
        may.one |= (own >> 1 & 1) << i;
    }
    line_sets const now = runs_left(may, on.count, on.list, on.high);
    for (std::uint64_t news = (may.zero & ~now.zero) | (may.one & ~now.one); news != 0; news &= news - 1) {
        std::int32_t const i = lowest(news);
        forbid(on.cell(i), (now.zero >> i & 1 ? 0 : bit(0)) | (now.one >> i & 1 ? 0 : bit(1)));
    }
}

template <class Forbid>
OPTGAP_HD void narrow_sum(cells_constraint const& on, std::uint64_t all, value_sets const& left, Forbid const& forbid) {
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        if (own == 0) {
            return;
        }
        least += lowest(own);
        most += highest(own);
    }
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        std::int64_t const from = on.low - (most - highest(own));
        std::int64_t const to = on.high - (least - lowest(own));
        std::uint64_t const in = first_bits(to < 0    ? 0
                                            : to > 62 ? 64
                                                      : std::int32_t(to) + 1) &
                                 ~first_bits(from < 0    ? 0
                                             : from > 64 ? 64
                                                         : std::int32_t(from));
        if ((own & ~in) != 0) {
            forbid(on.cell(i), all & ~in);
        }
    }
}

template <class Forbid>
OPTGAP_HD void narrow_count(cells_constraint const& on, std::uint64_t all, value_sets const& left,
                            Forbid const& forbid) {
    std::uint64_t const value = bit(on.value);
    std::int32_t sure = 0;
    std::int32_t possible = 0;
    for (std::int32_t i = 0; i < on.count; ++i) {
        sure += left[on.cell(i)] == value ? 1 : 0;
        possible += (left[on.cell(i)] & value) != 0 ? 1 : 0;
    }
    bool const broken = sure > on.high || possible < on.low;
    for (std::int32_t i = 0; i < on.count; ++i) {
        std::uint64_t const own = left[on.cell(i)];
        bool const open = (own & value) != 0 && own != value;
        if (broken) {
            forbid(on.cell(i), all);
        } else if (open && sure == on.high) {
            forbid(on.cell(i), value);
        } else if (open && possible == on.low) {
            forbid(on.cell(i), all & ~value);
        }
    }
}

/// Calls forbid(cell, values) for what one constraint rules out, given the values that its cells may have. A cell with
/// one value counts as filled; two such cells with equal values forbid each other's value. How far repeated narrowing
/// goes may depend on the order of the constraints.
template <class Forbid>
OPTGAP_HD void narrow(cells_constraint const& on, std::uint64_t all, value_sets const& left, Forbid const& forbid) {
    switch (on.kind) {
        case constraint_kind::less: narrow_less(on, all, left, forbid); return;
        case constraint_kind::unattacked: narrow_unattacked(on, left, forbid); return;
        case constraint_kind::runs: narrow_runs(on, left, forbid); return;
        case constraint_kind::sum: narrow_sum(on, all, left, forbid); return;
        case constraint_kind::count: narrow_count(on, all, left, forbid); return;
        default: narrow_different(on, all, left, forbid); return;
    }
}

}  // namespace families
OPTGAP_KERNELS_END
