#pragma once
// A search that may be cut after any number of steps and resumed with exactly the same bytes: a local search, or a
// proof. Its answer, its result and `state` are kept between two slices; scratch is lost. A search that is never
// resumed needs no state.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/core/hd.hpp"
#include "kernels/core/team.hpp"

namespace optgap {

/// Steps [begin, end) of a search. The first slice begins at 0, every other where the one before ended.
struct search_slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// `improve_state_words` or `exact_state_words` words, 64-byte aligned; nullptr: this slice is the whole search.
    std::int32_t* state = nullptr;

    [[nodiscard]] OPTGAP_HD constexpr bool fresh() const { return begin == 0; }
};

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

/// Words of state that hold `Numbers`, the same on all lanes, and the first `words` words of the search's scratch.
template <class Numbers>
[[nodiscard]] OPTGAP_HD constexpr std::int64_t kept_words(std::int64_t words) {
    static_assert(std::is_trivially_copyable_v<Numbers> && sizeof(Numbers) % sizeof(std::int32_t) == 0);
    return std::int64_t(sizeof(Numbers) / sizeof(std::int32_t)) + words;
}

/// Restores what `keep` stored; synced. Scratch also holds wider types than words, hence memcpy.
template <class Team, class Numbers>
OPTGAP_HD void take_up(Team& team, search_slice const& slice, Numbers& numbers, std::int32_t* scratch,
                       std::int64_t words) {
    std::int32_t const* const image = slice.state + kept_words<Numbers>(0);
    std::memcpy(&numbers, slice.state, sizeof(Numbers));
    team.each(words, [&](std::int64_t i) { std::memcpy(scratch + i, image + i, sizeof *image); });
    team.sync();
}

/// Stores `numbers` and the words of scratch for the next slice, if there can be one; synced on entry and after.
template <class Team, class Numbers>
OPTGAP_HD void keep(Team& team, search_slice const& slice, Numbers const& numbers, std::int32_t const* scratch,
                    std::int64_t words) {
    if (slice.state == nullptr) {
        return;
    }
    std::int32_t* const image = slice.state + kept_words<Numbers>(0);
    if (team.rank() == 0) {
        std::memcpy(slice.state, &numbers, sizeof(Numbers));
    }
    team.each(words, [&](std::int64_t i) { std::memcpy(image + i, scratch + i, sizeof *image); });
    team.sync();
}

OPTGAP_KERNELS_END
