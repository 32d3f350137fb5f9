#pragma once
// Depth-first search for a grid in which all constraints of Task hold: complete propagation, then a branch on the cell
// with the fewest remaining values, ties by index. Runs on one lane of the CPU; may be cut after any step and resumed.
// Each level is propagated from the given cells, so that the remaining values follow from the stack, which is the only
// state kept.

#include <cstdint>
#include <cstring>

#include "kernels/core/search_slice.hpp"
#include "kernels/families/cells/cells_rules.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

enum class search_end : std::int32_t { solved, unsolvable, cut };

/// The lines that a search reports to a sink. Their numbers begin with the level; at level k, k cells have been given a
/// value.
///   branch  level, cell, values (low word), values (high word): all other values of the cell are ruled out
///   tried   level, cell, value: the cell gets the value, and the lines of level + 1 follow
///   dead    level: propagation leaves no value for some cell
///   solved  level: propagation leaves one value for every cell
enum cells_line : std::int32_t { cells_branch, cells_tried, cells_dead, cells_solved };

template <class Task>
class solution_search {
public:
    static std::int64_t scratch_words(words_view instance) {
        std::int64_t const cells = Task::board(instance).size();
        return stack_words(cells) + 3 * cells + Task::constraints(instance);
    }
    static std::int64_t state_words(words_view instance) {
        return kept_words<where>(stack_words(Task::board(instance).size()));
    }

    solution_search(words_view instance, std::int32_t* scratch)
        : instance_(instance),
          board_(Task::board(instance)),
          count_(board_.size()),
          stack_(scratch),
          left_(scratch + stack_words(count_)),
          changed_(scratch + stack_words(count_) + 2 * count_),
          narrowed_(changed_ + count_) {}

    /// The value of a cell after a search that found a solution.
    [[nodiscard]] std::int32_t value(std::int64_t cell) const { return lowest(left_[cell]); }

    /// Each value that is tried costs Task::step_cost.
    template <class Proof>
    search_end run(search_slice const& slice, std::int64_t& steps, Proof& proof) {
        solo lane;
        if (!slice.fresh()) {
            take_up(lane, slice, at_, stack_, stack_words(count_));
        }
        search_end const end = go_on(slice.end, steps, proof);
        keep(lane, slice, at_, stack_, stack_words(count_));
        return end;
    }

private:
    struct where {
        std::int32_t level;
        std::int32_t entered;  ///< whether the level has been propagated
        std::int64_t due;      ///< steps that the next value still costs
    };
    /// A level of the stack.
    struct node {
        std::uint32_t untried[2];
        std::int32_t cell;
        std::int32_t value;
    };
    static constexpr std::int32_t solved_grid = -2;
    static constexpr std::int32_t dead_end = -1;

    static constexpr std::int64_t stack_words(std::int64_t cells) { return 4 * (cells + 1); }

    [[nodiscard]] node level(std::int32_t k) const {
        node own;
        std::memcpy(&own, stack_ + 4 * std::int64_t(k), sizeof own);
        return own;
    }
    void set_level(std::int32_t k, std::uint64_t untried, std::int32_t cell, std::int32_t value) {
        node const own{{std::uint32_t(untried), std::uint32_t(untried >> 32)}, cell, value};
        std::memcpy(stack_ + 4 * std::int64_t(k), &own, sizeof own);
    }

    template <class Proof>
    search_end go_on(std::int64_t budget, std::int64_t& steps, Proof& proof) {
        std::int64_t const cost = Task::step_cost(instance_);
        for (;;) {
            if (at_.entered == 0) {
                restart();
                std::int32_t const cell = propagate();
                std::uint64_t const values = cell >= 0 ? left_[cell] : 0;
                tell(proof, cell, values);
                if (cell == solved_grid) {
                    return search_end::solved;
                }
                set_level(at_.level, values, cell, 0);
                at_.entered = 1;
            }
            node const now = level(at_.level);
            std::uint64_t const values = now.untried[0] | std::uint64_t(now.untried[1]) << 32;
            if (values == 0) {
                if (at_.level == 0) {
                    return search_end::unsolvable;
                }
                --at_.level;
                continue;
            }
            if (!pay(cost, budget, steps)) {
                return search_end::cut;
            }
            if constexpr (Proof::wanted) {
                proof.line(cells_tried, at_.level, now.cell, lowest(values));
            }
            set_level(at_.level, values & (values - 1), now.cell, lowest(values));
            ++at_.level;
            at_.entered = 0;
        }
    }

    /// The cost of a value may be spread over several slices.
    bool pay(std::int64_t cost, std::int64_t budget, std::int64_t& steps) {
        at_.due = at_.due == 0 ? cost : at_.due;
        std::int64_t const paid = at_.due < budget - steps ? at_.due : budget - steps;
        steps += paid;
        at_.due -= paid;
        return at_.due == 0;
    }

    template <class Proof>
    void tell(Proof& proof, std::int32_t cell, std::uint64_t values) const {
        if constexpr (Proof::wanted) {
            if (cell >= 0) {
                proof.line(cells_branch, at_.level, cell, std::int32_t(values), std::int32_t(values >> 32));
            } else {
                proof.line(cell == solved_grid ? cells_solved : cells_dead, at_.level);
            }
        }
    }

    /// Starts from the given cells and the values of the levels so far.
    void restart() {
        clock_ = 1;
        for (std::int64_t i = 0; i < count_; ++i) {
            left_.set(i, board_.open(i));
            changed_[i] = clock_;
        }
        for (std::int32_t k = 0; k < at_.level; ++k) {
            left_.set(level(k).cell, bit(level(k).value));
        }
        for (std::int64_t k = 0; k < Task::constraints(instance_); ++k) {
            narrowed_[k] = 0;
        }
    }
    /// Propagates until nothing more follows. Returns the cell to branch on.
    std::int32_t propagate() {
        solo lane;
        bool dead = false;
        for (bool changed = true; changed && !dead;) {
            changed = false;
            for (std::int32_t k = 0; k < Task::constraints(instance_) && !dead; ++k) {
                cells_constraint const on = Task::constraint(instance_, k);
                if (!news_for(on, narrowed_[k])) {
                    continue;
                }
                narrowed_[k] = clock_++;
                narrow(on, board_.values(), left_, [&](std::int32_t cell, std::uint64_t values) {
                    if ((left_[cell] & values) != 0) {
                        changed = true;
                        changed_[cell] = clock_;
                        left_.forbid(lane, cell, values);
                        dead = dead || left_[cell] == 0;
                    }
                });
            }
        }
        return dead ? dead_end : cell_to_branch_on();
    }
    /// Whether one of the constraint's cells has changed since then.
    [[nodiscard]] bool news_for(cells_constraint const& on, std::int32_t since) const {
        for (std::int32_t i = 0; i < on.count; ++i) {
            if (changed_[on.cell(i)] > since) {
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] std::int32_t cell_to_branch_on() const {
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
    where at_{};
    std::int32_t clock_ = 1;
    std::int32_t* stack_;
    value_sets left_;
    std::int32_t* changed_;   ///< time of the last change, by cell
    std::int32_t* narrowed_;  ///< time of the last narrowing, by constraint
};

}  // namespace families
OPTGAP_KERNELS_END
