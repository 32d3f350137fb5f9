#pragma once
// The proof: a smallest-first prefix that hits the target; sums and divisors that exclude it; otherwise a table over
// sums or the sums of two halves, the less expensive one first.

#include <cstdint>

#include "kernels/core/task.hpp"
#include "kernels/core/team.hpp"
#include "kernels/tasks/subset_sum/subset_sum_halves.hpp"
#include "kernels/tasks/subset_sum/subset_sum_instance.hpp"
#include "kernels/tasks/subset_sum/subset_sum_table.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::subset_sum {

enum bound_kind : std::int32_t { kind_optimum = 0, kind_count };

[[nodiscard]] OPTGAP_HD inline std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
    while (b != 0) {
        std::int64_t const rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/// The problem that remains once zeros are taken and values above the target are left out, divided by the common
/// divisor. Positions refer to the order by value: values zeros … end-1 may be taken.
struct reduced {
    std::int32_t zeros = 0;
    std::int32_t end = 0;
    std::int64_t divisor = 1;
    std::int64_t total = 0;   ///< sum of the values that may be taken, divided
    std::int64_t target = 0;  ///< the target, divided
    bool excluded = false;    ///< the total is too small, or the target is not a multiple of the divisor
};

OPTGAP_HD inline reduced reduce(numbers const& all) {
    reduced left;
    left.divisor = 0;
    for (std::int32_t i = 0; i < all.count; ++i) {
        std::int32_t const value = all.value[i];
        if (value <= all.target) {
            ++left.end;
            left.zeros += value == 0 ? 1 : 0;
            left.total += value;
            left.divisor = left.divisor == 1 ? 1 : greatest_common_divisor(value, left.divisor);
        }
    }
    left.divisor = left.divisor == 0 ? 1 : left.divisor;
    left.excluded = left.total < all.target || all.target % left.divisor != 0;
    left.total /= left.divisor;
    left.target = all.target / left.divisor;
    return left;
}

inline constexpr std::int64_t table_speed = 16;  ///< number of table cells that take as long as one sum of the halves

/// The methods that run, and their order. If the first one is exhaustive, it is the only one: the table always is, the
/// halves are if all values fit into them.
struct plan {
    table_problem table;  ///< the values to take or, if there are fewer, to leave out; its values are set later
    std::int32_t core;    ///< number of values that the halves use
    bool whole;           ///< these are all values
    bool table_first;
    bool has_table;
    bool has_halves;
};

OPTGAP_HD inline plan plan_for(numbers const& all, reduced const& left) {
    bool const leave_out = left.total - left.target < left.target;
    plan out{};
    out.table = {nullptr, 0, leave_out ? -1 : 1, leave_out ? left.total - left.target : left.target};
    std::int64_t const largest = out.table.goal * left.divisor;
    for (std::int32_t i = 0; i < all.count; ++i) {
        out.table.count += all.value[i] > 0 && all.value[i] <= all.target && all.value[i] <= largest ? 1 : 0;
    }
    std::int32_t const values = left.end - left.zeros;
    out.whole = values <= halves_values;
    out.core = out.whole ? values : halves_values;
    bool const fits = out.table.cells() <= table_cells && out.table.goal < table_sums;
    out.table_first = fits && out.table.cells() / table_speed <= halves_steps(out.core);
    out.has_table = fits && (out.table_first || !out.whole);
    out.has_halves = !out.table_first;
    return out;
}

/// Scratch: order, values and choice by position, then the method's own from an even word on.
OPTGAP_HD inline std::int64_t exact_scratch(numbers const& all) {
    std::int64_t words = 3 * std::int64_t(all.count) + 1;
    reduced const left = reduce(all);
    if (!left.excluded) {
        plan const methods = plan_for(all, left);
        std::int64_t const table = methods.has_table ? table_scratch_words(methods.table) : 0;
        std::int64_t const halves = methods.has_halves ? halves_scratch_words(methods.core) : 0;
        words += table > halves ? table : halves;
    }
    return words;
}

class prover {
public:
    OPTGAP_HD prover(numbers const& all, std::int32_t* scratch)
        : all_(all),
          order_(scratch),
          value_(scratch + all.count),
          taken_(scratch + 2 * std::int64_t(all.count)),
          memory_(scratch + (3 * std::int64_t(all.count) + 1) / 2 * 2) {}

    OPTGAP_HD solve_result run(std::int64_t budget, std::int32_t* answer) {
        solo team;
        sort_by_value(team, all_, order_, taken_);
        prefix const fitting = fitting_prefix(all_, order_);
        solve_result result;
        result.bound_kind = kind_count;
        result.bound = fitting.count;
        if (fitting.sum == all_.target) {
            for (std::int32_t p = 0; p < all_.count; ++p) {
                taken_[p] = p < fitting.count ? 1 : 0;
            }
            claim(result, answer, true);
            return result;
        }
        if (budget <= 0) {
            return result;
        }
        reduced const left = reduce(all_);
        if (left.excluded) {
            exclude(result);
            return result;
        }
        plan const methods = plan_for(all_, left);
        for (std::int32_t p = 0; p < left.end; ++p) {
            std::int32_t const value = all_.value[order_[p]];
            value_[p] = left.divisor == 1 ? value : std::int32_t(value / left.divisor);
        }
        for (std::int32_t round = 0; round < 2; ++round) {
            bool const by_table = (round == 0) == methods.table_first;
            if (!(by_table ? methods.has_table : methods.has_halves)) {
                continue;
            }
            std::int64_t const cost = by_table ? methods.table.cells() : halves_steps(methods.core);
            if (result.steps + cost > budget) {
                return result;
            }
            result.steps += cost;
            bool const exhaustive = by_table || methods.whole;
            if (by_table ? by_sums(left, methods.table) : by_halves(left, methods.core, fitting.count)) {
                claim(result, answer, exhaustive);
            } else if (exhaustive) {
                exclude(result);
            }
            if (exhaustive || result.objective == result.bound) {
                return result;
            }
        }
        return result;
    }

private:
    /// Sets every position outside of `begin … begin + count`: taken before it and not after it.
    OPTGAP_HD void surround(std::int32_t begin, std::int32_t count) {
        for (std::int32_t p = 0; p < begin; ++p) {
            taken_[p] = 1;
        }
        for (std::int32_t p = begin + count; p < all_.count; ++p) {
            taken_[p] = 0;
        }
    }
    OPTGAP_HD bool by_sums(reduced const& left, table_problem table) {
        bool const leave_out = table.gain < 0;
        table.value = value_ + left.zeros;
        surround(left.zeros, leave_out ? left.end - left.zeros : table.count);
        std::int32_t* const choice = taken_ + left.zeros;
        if (!solve_table(table, choice, memory_)) {
            return false;
        }
        for (std::int32_t p = 0; leave_out && p < left.end - left.zeros; ++p) {
            choice[p] = p < table.count ? 1 - choice[p] : 1;
        }
        return true;
    }
    /// Uses all values or, if there are too many, a core on both sides of the prefix's end, evenly spread over the
    /// prefix and as far beyond. The rest of the prefix is taken, the rest beyond it is not.
    OPTGAP_HD bool by_halves(reduced const& left, std::int32_t core, std::int32_t fitting) {
        std::int64_t const within = fitting - left.zeros;
        std::int64_t const beyond = left.end - fitting;
        std::int64_t inside = within < core / 2 ? within : core / 2;
        inside = beyond < core - inside ? core - beyond : inside;
        std::int64_t const outside = core - inside;
        std::int64_t const reach = beyond < within ? beyond : within;
        std::int64_t const span = reach < outside ? outside : reach;
        std::int32_t position[halves_values];
        std::int32_t value[halves_values];
        std::int32_t choice[halves_values];
        surround(fitting, 0);
        std::int64_t goal = left.target;
        for (std::int32_t p = left.zeros; p < fitting; ++p) {
            goal -= value_[p];
        }
        for (std::int32_t i = 0; i < core; ++i) {
            position[i] =
                std::int32_t(i < inside ? left.zeros + i * within / inside : fitting + (i - inside) * span / outside);
            value[i] = value_[position[i]];
            goal += i < inside ? value[i] : 0;
        }
        if (solve_halves(value, core, goal, choice, memory_) < 0) {
            return false;
        }
        for (std::int32_t i = 0; i < core; ++i) {
            taken_[position[i]] = choice[i];
        }
        return true;
    }
    OPTGAP_HD void exclude(solve_result& result) const {
        result.status = baseline_status::infeasible;
        result.bound_kind = kind_optimum;
        result.bound = no_objective;
    }
    /// Writes the choice; it is the best one if `optimal`, or if its count meets the bound.
    OPTGAP_HD void claim(solve_result& result, std::int32_t* answer, bool optimal) const {
        result.answer_words = 1;
        answer[0] = answer_flat;
        for (std::int32_t p = 0; p < all_.count; ++p) {
            if (taken_[p] != 0) {
                answer[result.answer_words++] = order_[p];
            }
        }
        result.objective = result.answer_words - 1;
        if (optimal || result.objective == result.bound) {
            result.bound = result.objective;
            result.bound_kind = kind_optimum;
        }
        result.status = result.objective == result.bound ? baseline_status::optimal : baseline_status::bounded;
    }

    numbers all_;
    std::int32_t* order_;
    std::int32_t* value_;
    std::int32_t* taken_;
    std::int32_t* memory_;
};

}  // namespace tasks::subset_sum
OPTGAP_KERNELS_END
