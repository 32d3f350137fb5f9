#pragma once
// The proof: Russian doll search (Verfaillie, Lemaitre & Schiex 1996; Östergård 2001) over sets of meetings. The
// meetings are sorted by falling size. Doll i is the best set among meetings i, i+1 …; the dolls after it bound its
// search.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/tasks/meeting/meeting_candidates.hpp"
#include "kernels/tasks/meeting/meeting_fit.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

class doll_search {
public:
    OPTGAP_HD static std::int64_t scratch_words(std::int32_t count) {
        std::int64_t const n = count;
        return 2 * (n * row_words_of(count) + 2 * n) + 2 * n * n + 6 * n + 2 + fitter::scratch_words(count);
    }

    OPTGAP_HD doll_search(candidates const& all, std::int32_t* scratch)
        : all_(all),
          rest_(reinterpret_cast<std::uint64_t*>(scratch)),
          rest_weight_(reinterpret_cast<std::int64_t*>(rest_ + std::int64_t(all.count) * all.row_words)),
          value_(rest_weight_ + all.count),
          doll_(reinterpret_cast<std::int32_t*>(value_ + all.count)),
          ample_(doll_ + all.count + 1),
          member_(ample_ + all.count),
          start_(member_ + all.count),
          room_(start_ + std::int64_t(all.count) * all.count),
          best_member_(room_ + std::int64_t(all.count) * all.count),
          best_start_(best_member_ + all.count),
          best_room_(best_start_ + all.count),
          fitter_(all, best_room_ + all.count + 1) {}  // one word keeps its tables even

    std::int64_t best = 0;   ///< value of the best set; before `run` that of the known set
    std::int64_t bound = 0;  ///< no set has a larger value
    std::int64_t steps = 0;  ///< sets tried and nodes of their placement
    bool improved = false;   ///< a set better than the known one has been found

    /// Runs until the dolls are solved, a set reaches `goal`, which no set exceeds, or the budget is spent.
    OPTGAP_HD void run(std::int64_t budget, std::int64_t goal) {
        std::int64_t open_weight = total_weight(all_);
        doll_[all_.count] = 0;
        bound = goal;
        for (std::int32_t i = all_.count - 1; i >= 0; --i) {
            bool const solved = solve_doll(i, budget);
            if (best == goal || !solved) {
                return;
            }
            open_weight -= all_.weight[i];
            bound = open_weight + doll_[i] < bound ? open_weight + doll_[i] : bound;
        }
    }

    /// Writes the best set found into a schedule.
    OPTGAP_HD void take_best(schedule const& out) const {
        for (std::int32_t m = 0; m < out.given.meetings; ++m) {
            out.start[m] = unscheduled;
        }
        for (std::int32_t k = 0; k < best_count_; ++k) {
            std::int32_t const m = all_.meeting[best_member_[k]];
            out.start[m] = best_start_[k];
            out.room[m] = all_.room[best_room_[k]];
        }
    }

private:
    /// Finds the best set whose largest meeting is i, given the next doll; false if the budget ran out.
    OPTGAP_HD bool solve_doll(std::int32_t i, std::int64_t budget) {
        std::int32_t const limit = doll_[i + 1] + all_.weight[i];
        doll_[i] = doll_[i + 1];
        if (enter(0, i, budget) != fit::yes) {
            return false;
        }
        std::int32_t depth = 0;
        keep_better(i, depth);
        while (depth >= 0 && doll_[i] < limit) {
            std::int32_t const next = first_left(depth);
            std::int64_t const slack = doll_[i] - value_[depth];
            if (next < 0 || rest_weight_[depth] <= slack || doll_[next] <= slack) {
                --depth;
                continue;
            }
            if (steps >= budget) {
                return false;
            }
            rest(depth)[next >> 6] &= ~bit(next & 63);
            rest_weight_[depth] -= all_.weight[next];
            fit const found = enter(depth + 1, next, budget);
            if (found == fit::undecided) {
                return false;
            }
            if (found == fit::yes) {
                keep_better(i, ++depth);
            }
        }
        return true;
    }

    /// Makes `candidate` the member at `depth` and lists the candidates that may follow it, if the set can take place.
    OPTGAP_HD fit enter(std::int32_t depth, std::int32_t candidate, std::int64_t budget) {
        if (steps >= budget) {
            return fit::undecided;
        }
        ++steps;
        booking const now{&all_, member_, start_ + std::int64_t(depth) * all_.count,
                          room_ + std::int64_t(depth) * all_.count, depth + 1};
        for (std::int32_t k = 0; k < depth; ++k) {
            now.start[k] = now.start[k - all_.count];
            now.room[k] = now.room[k - all_.count];
        }
        member_[depth] = candidate;
        ample_[depth] = (depth == 0 || ample_[depth - 1] != 0) && depth < all_.rooms &&
                        all_.room_weight[depth] >= all_.weight[candidate];
        fit const found = fitter_.add(now, ample_[depth] != 0, budget, steps);
        if (found != fit::yes) {
            return found;
        }
        value_[depth] = (depth > 0 ? value_[depth - 1] : 0) + all_.weight[candidate];
        rest_weight_[depth] = 0;
        for (std::int32_t w = 0; w < all_.row_words; ++w) {
            std::uint64_t const compatible = all_.compatible[std::int64_t(candidate) * all_.row_words + w];
            rest(depth)[w] = depth > 0 ? compatible & rest(depth - 1)[w] : compatible;
            for (std::uint64_t bits = rest(depth)[w]; bits != 0; bits &= bits - 1) {
                rest_weight_[depth] += all_.weight[64 * w + lowest(bits)];
            }
        }
        return fit::yes;
    }

    OPTGAP_HD void keep_better(std::int32_t doll, std::int32_t depth) {
        doll_[doll] = value_[depth] > doll_[doll] ? std::int32_t(value_[depth]) : doll_[doll];
        if (value_[depth] <= best) {
            return;
        }
        best = value_[depth];
        improved = true;
        best_count_ = depth + 1;
        for (std::int32_t k = 0; k <= depth; ++k) {
            best_member_[k] = member_[k];
            best_start_[k] = start_[std::int64_t(depth) * all_.count + k];
            best_room_[k] = room_[std::int64_t(depth) * all_.count + k];
        }
    }

    /// The members that may still follow the one at `depth`.
    [[nodiscard]] OPTGAP_HD std::uint64_t* rest(std::int32_t depth) const {
        return rest_ + std::int64_t(depth) * all_.row_words;
    }
    [[nodiscard]] OPTGAP_HD std::int32_t first_left(std::int32_t depth) const {
        for (std::int32_t w = 0; w < all_.row_words; ++w) {
            if (rest(depth)[w] != 0) {
                return 64 * w + lowest(rest(depth)[w]);
            }
        }
        return -1;
    }

    candidates const& all_;
    std::uint64_t* rest_;
    std::int64_t* rest_weight_;  ///< sum over `rest`
    std::int64_t* value_;
    std::int32_t* doll_;
    std::int32_t* ample_;  ///< every member up to here can have a room of its own
    std::int32_t* member_;
    std::int32_t* start_;  ///< one row for each depth
    std::int32_t* room_;
    std::int32_t* best_member_;
    std::int32_t* best_start_;
    std::int32_t* best_room_;
    std::int32_t best_count_ = 0;
    fitter fitter_;
};

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
