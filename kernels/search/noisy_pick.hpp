#pragma once
// One choice of a noisy greedy policy: with a probability of 250 permille any candidate, otherwise one with the
// smallest key. Both are uniform, so that sixteen such answers to one instance differ as a weak model's do.

#include <cstdint>

#include "kernels/core/rng.hpp"

OPTGAP_KERNELS_BEGIN
namespace search {

inline constexpr std::int32_t mistake_permille = 250;

/// Candidates are offered one by one and need not be stored: a reservoir of one.
class noisy_pick {
public:
    OPTGAP_HD explicit noisy_pick(draw_stream& stream) : stream_(stream), mistaken_(stream.chance(mistake_permille)) {}

    OPTGAP_HD void offer(std::int32_t candidate, std::int64_t key) {
        std::int64_t const own = mistaken_ ? 0 : key;
        if (chosen_ < 0 || own < best_) {
            best_ = own;
            equals_ = 0;
        }
        if (own == best_ && stream_.uniform(0, equals_++) == 0) {
            chosen_ = candidate;
        }
    }
    /// The chosen candidate, -1 if none was offered.
    [[nodiscard]] OPTGAP_HD std::int32_t chosen() const { return chosen_; }

private:
    draw_stream& stream_;
    bool mistaken_;
    std::int32_t chosen_ = -1;
    std::int32_t equals_ = 0;
    std::int64_t best_ = 0;
};

}  // namespace search
OPTGAP_KERNELS_END
