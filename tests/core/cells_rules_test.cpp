// The constraints of cells: narrowing removes no value that some solution has. On full cells it removes one exactly
// when the constraint is violated. A line of runs keeps nothing that no arrangement has.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/families/cells/cells_rules.hpp"

namespace optgap {
namespace {

using namespace families;

using sets = std::vector<std::uint64_t>;

/// The sets after one narrowing.
sets narrowed(cells_constraint const& on, std::uint64_t all, sets const& before) {
    std::vector<std::int32_t> memory(2 * before.size());
    value_sets const left(memory.data());
    for (std::size_t i = 0; i < before.size(); ++i) {
        left.set(std::int64_t(i), before[i]);
    }
    sets after = before;
    narrow(on, all, left, [&](std::int32_t cell, std::uint64_t values) { after[std::size_t(cell)] &= ~values; });
    return after;
}

/// The values of each cell over all grids from these sets that satisfy the constraint.
sets supported(cells_constraint const& on, sets const& of) {
    sets found(of.size(), 0);
    std::vector<std::int32_t> values(of.size());
    auto const try_all = [&](auto const& self, std::size_t at) -> void {
        if (at < of.size()) {
            for (std::uint64_t rest = of[at]; rest != 0; rest &= rest - 1) {
                values[at] = lowest(rest);
                self(self, at + 1);
            }
        } else if (holds(on, values.data())) {
            for (std::size_t i = 0; i < of.size(); ++i) {
                found[i] |= bit(values[i]);
            }
        }
    };
    try_all(try_all, 0);
    return found;
}

constexpr std::int32_t cell_count = 6;
constexpr std::int32_t clue[] = {1, 2, 0};
constexpr std::int32_t nothing[] = {0};

struct rule {
    cells_constraint on;
    std::uint64_t all;
};

std::vector<rule> rules() {
    std::uint64_t const one_to_six = 0b1111110;
    std::uint64_t const to_five = 0b111111;
    return {
        {{constraint_kind::all_different, cell_count, 0, 1}, one_to_six},
        {{constraint_kind::all_different, 3, 1, 2}, one_to_six},
        {{constraint_kind::all_different, 4, 0, 1, 2, 3}, one_to_six},
        {{constraint_kind::less, 2, 4, -3}, one_to_six},
        {{.kind = constraint_kind::unattacked, .count = cell_count, .first = 0, .step = 1, .value = 2}, to_five},
        {{.kind = constraint_kind::unattacked, .count = 4, .first = 2, .step = 1, .value = 3}, to_five},
        {{.kind = constraint_kind::unattacked, .count = 1, .first = 0, .step = 1}, to_five},
        {{.kind = constraint_kind::runs, .count = cell_count, .first = 0, .step = 1, .high = 3, .list = clue}, 0b11},
        {{.kind = constraint_kind::runs, .count = cell_count, .first = 0, .step = 1, .high = 0, .list = nothing}, 0b11},
        {{.kind = constraint_kind::sum, .count = 4, .first = 1, .step = 1, .low = 9, .high = 9}, one_to_six},
        {{.kind = constraint_kind::sum, .count = cell_count, .first = 0, .step = 1, .low = 3, .high = 5}, to_five},
        {{.kind = constraint_kind::count, .count = cell_count, .first = 0, .step = 1, .low = 2, .high = 2, .value = 3},
         to_five},
        {{.kind = constraint_kind::count, .count = 5, .first = 0, .step = 1, .low = 0, .high = 1, .value = 1}, 0b11},
    };
}

TEST(cells_rules, narrowing_takes_nothing_that_a_solution_has) {
    std::mt19937_64 random(1);
    for (rule const& of : rules()) {
        std::int64_t taken = 0;
        for (int trial = 0; trial < 120; ++trial) {
            sets before(cell_count);
            for (std::uint64_t& set : before) {
                set = trial % 3 == 0 ? bit(std::int32_t(random() % 7)) & of.all : random() & of.all & random();
                set = set == 0 ? of.all & -of.all : set;
            }
            sets const after = narrowed(of.on, of.all, before);
            sets const needed = supported(of.on, before);
            for (std::size_t i = 0; i < cell_count; ++i) {
                EXPECT_EQ(needed[i] & ~after[i], 0u) << "kind " << int(of.on.kind) << " cell " << i;
                taken += popcount(before[i] & ~after[i]);
                bool const touched = of.on.on(std::int32_t(i));
                EXPECT_TRUE(touched || after[i] == before[i]) << "a cell that the constraint is not on";
                EXPECT_TRUE(of.on.kind != constraint_kind::runs || after[i] == needed[i]) << "runs are exact";
            }
        }
        EXPECT_TRUE(taken > 0 || of.on.count == 1) << "kind " << int(of.on.kind);
    }
}

TEST(cells_rules, of_full_cells_something_is_taken_exactly_when_the_constraint_does_not_hold) {
    std::mt19937_64 random(2);
    for (rule const& of : rules()) {
        std::int64_t held = 0;
        for (int trial = 0; trial < 2000; ++trial) {
            std::vector<std::int32_t> values(cell_count);
            sets full;
            for (std::int32_t& value : values) {
                std::int32_t const low = lowest(of.all);
                value = low + std::int32_t(random() % std::uint64_t(popcount(of.all)));
                full.push_back(bit(value));
            }
            held += holds(of.on, values.data()) ? 1 : 0;
            EXPECT_EQ(narrowed(of.on, of.all, full) == full, holds(of.on, values.data())) << int(of.on.kind);
        }
        EXPECT_GT(held, 0) << int(of.on.kind);
        EXPECT_TRUE(held < 2000 || of.on.count == 1) << int(of.on.kind);
    }
}

TEST(cells_rules, a_constraint_knows_its_cells) {
    cells_constraint const shapes[] = {{constraint_kind::all_different, 7, 3, 1},
                                       {constraint_kind::all_different, 5, 4, 6},
                                       {constraint_kind::less, 2, 9, -6},
                                       {constraint_kind::less, 2, 9, -1},
                                       {constraint_kind::all_different, 6, 8, 1, 3, 6},
                                       {constraint_kind::count, 4, 1, 2, 2, 12}};
    for (cells_constraint const& on : shapes) {
        std::vector<bool> member(60, false);
        for (std::int32_t i = 0; i < on.count; ++i) {
            member[std::size_t(on.cell(i))] = true;
        }
        for (std::int32_t at = 0; at < 60; ++at) {
            EXPECT_EQ(on.on(at), member[std::size_t(at)]) << at;
        }
    }
}

TEST(cells_rules, a_line_of_sixty_three_cells_has_its_runs) {
    std::int32_t lengths[max_runs];
    for (std::int32_t& length : lengths) {
        length = 1;
    }
    line_sets const may{first_bits(63), first_bits(63)};
    line_sets const left = runs_left(may, 63, lengths, max_runs);
    EXPECT_EQ(left.one, 0x5555555555555555u);
    EXPECT_EQ(left.zero, 0x2AAAAAAAAAAAAAAAu);
    EXPECT_TRUE(has_runs(left.one, lengths, max_runs));
    std::int32_t const whole[] = {63};
    EXPECT_EQ(runs_left(may, 63, whole, 1).one, first_bits(63));
    EXPECT_TRUE(has_runs(first_bits(63), whole, 1));
    EXPECT_FALSE(has_runs(first_bits(62), whole, 1));
    EXPECT_EQ(runs_left({first_bits(62), first_bits(62)}, 63, whole, 1).one, 0u) << "no arrangement";
}

}  // namespace
}  // namespace optgap
