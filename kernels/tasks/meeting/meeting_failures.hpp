#pragma once
// Failed states of the placement search, kept over all sets that are tried: one in each slot, the latest. A state is a
// set of open candidates with their earliest starts and the times from which the rooms are free. A state in which
// nothing is earlier than in a failed one fails, too.

#include <cstdint>

#include "kernels/core/bitset.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

/// A state as the search holds it: `count` open candidates, then `rooms` times. A candidate with a negative earliest
/// start is placed. If there are no rooms, they do not matter, as if they had always been free.
struct placement_state {
    std::int32_t const* candidate;
    std::int32_t const* earliest;
    std::int32_t count;
    std::int32_t const* room_free;
    std::int32_t rooms;

    [[nodiscard]] OPTGAP_HD std::int32_t free_from(std::int32_t r) const { return r < rooms ? room_free[r] : -1; }
};

class failed_states {
public:
    OPTGAP_HD static std::int64_t scratch_words(std::int32_t candidates) {
        return candidates > max_candidates_kept ? 0 : slots * (2 + 2 * std::int64_t(candidates));
    }

    /// `rooms` is at most the number of candidates.
    OPTGAP_HD failed_states(std::int32_t candidates, std::int32_t rooms, std::int32_t* scratch)
        : candidates_(candidates),
          rooms_(rooms),
          used_(candidates <= max_candidates_kept),
          set_(reinterpret_cast<std::uint64_t*>(scratch)),
          times_(scratch + (used_ ? 2 * slots : 0)) {
        for (std::int32_t s = 0; used_ && s < slots; ++s) {
            set_[s] = 0;  // a failed state has an open candidate
        }
    }

    OPTGAP_HD void remember(placement_state const& state) {
        if (!used_) {
            return;
        }
        std::uint64_t const open = open_set(state);
        std::int32_t* const times = times_of(open);
        set_[slot_of(open)] = open;
        for (std::int32_t k = 0; k < state.count; ++k) {
            times[state.candidate[k]] = state.earliest[k];
        }
        for (std::int32_t r = 0; r < rooms_; ++r) {
            times[candidates_ + r] = state.free_from(r);
        }
    }

    [[nodiscard]] OPTGAP_HD bool fails(placement_state const& state) const {
        if (!used_) {
            return false;
        }
        std::uint64_t const open = open_set(state);
        std::int32_t const* const times = times_of(open);
        bool failed = set_[slot_of(open)] == open;
        for (std::int32_t k = 0; failed && k < state.count; ++k) {
            failed = state.earliest[k] < 0 || times[state.candidate[k]] <= state.earliest[k];
        }
        for (std::int32_t r = 0; failed && r < rooms_; ++r) {
            failed = times[candidates_ + r] <= state.free_from(r);
        }
        return failed;
    }

private:
    static constexpr std::int32_t slots = 1024;
    static constexpr std::int32_t max_candidates_kept = 64;

    OPTGAP_HD static std::uint64_t open_set(placement_state const& state) {
        std::uint64_t set = 0;
        for (std::int32_t k = 0; k < state.count; ++k) {
            set |= state.earliest[k] >= 0 ? bit(state.candidate[k]) : 0;
        }
        return set;
    }
    OPTGAP_HD static std::int32_t slot_of(std::uint64_t set) { return std::int32_t((set * 0x9e3779b97f4a7c15u) >> 54); }
    [[nodiscard]] OPTGAP_HD std::int32_t* times_of(std::uint64_t set) const {
        return times_ + 2 * std::int64_t(candidates_) * slot_of(set);
    }

    std::int32_t candidates_;
    std::int32_t rooms_;
    bool used_;
    std::uint64_t* set_;
    std::int32_t* times_;
};

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
