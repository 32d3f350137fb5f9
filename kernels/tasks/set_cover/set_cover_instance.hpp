#pragma once
// The words of a set cover instance:
//
//   [u, s, row 0, row 1, …, row s-1]      a row is bitset_words(u) 32-bit words; bit e of row j: set j holds element e
//
// Bits past u are zero. Sets may be empty or equal, and their union may miss elements. If sets have costs, which
// generated ones do not, s costs follow.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/words.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::set_cover {

/// Limits for users' instances.
inline constexpr std::int32_t max_elements = 1'000'000;
inline constexpr std::int32_t max_sets = 1'000'000;
inline constexpr std::int32_t max_cost = 1'000'000;

inline constexpr field layout[] = {
    {"universe", field_kind::number, "the universe has 1 to 1000000 elements", 1, max_elements},
    {"s", field_kind::size, "there are 1 to 1000000 sets", 1, max_sets},
    {"sets", field_kind::sets, "each of the sets has elements 0 to universe - 1 alone", 0, of(0, -1), of(1), of(0)},
    {.name = "costs",
     .kind = field_kind::list,
     .rule = "each set has a cost, 1 to 1000000, of which a cover is to have as little as possible",
     .low = 1,
     .high = max_cost,
     .rows = of(1),
     .optional = true},
};

[[nodiscard]] OPTGAP_HD constexpr std::int64_t cover_words(std::int64_t u, std::int64_t s) {
    return 2 + s * bitset_words(u);
}

struct cover_view {
    std::uint32_t const* rows = nullptr;
    std::int32_t u = 0;
    std::int32_t s = 0;
    std::int32_t row_words = 0;
    std::int32_t const* costs = nullptr;  ///< nullptr: every cost is 1

    [[nodiscard]] OPTGAP_HD std::int64_t cost(std::int32_t j) const { return costs == nullptr ? 1 : costs[j]; }
    /// The objective of a list of sets. Called by one lane.
    [[nodiscard]] OPTGAP_HD std::int64_t cost_of(std::int32_t const* chosen, std::int64_t count) const {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            sum += cost(chosen[i]);
        }
        return sum;
    }
    /// Rises with the gain and falls with the cost. Exact in order for costs up to 2^20 and gains below 2^23.
    [[nodiscard]] OPTGAP_HD std::int64_t merit(std::int64_t gain, std::int32_t j) const {
        return costs == nullptr ? gain : (gain << 40) / costs[j];
    }
    [[nodiscard]] OPTGAP_HD std::uint32_t const* row(std::int32_t j) const {
        return rows + std::int64_t(j) * row_words;
    }
    [[nodiscard]] OPTGAP_HD bool holds(std::int32_t j, std::int32_t e) const { return contains(row(j), e); }
    /// The row as one word; u <= 64.
    [[nodiscard]] OPTGAP_HD std::uint64_t row64(std::int32_t j) const {
        std::uint32_t const* const words = row(j);
        return row_words > 1 ? words[0] | std::uint64_t(words[1]) << 32 : words[0];
    }
};

/// A view of `words`, which passed the entry check.
OPTGAP_HD inline cover_view view_cover(words_view words) {
    std::int32_t const u = words[0];
    std::int64_t const plain = cover_words(u, words[1]);
    return {reinterpret_cast<std::uint32_t const*>(words.data + 2), u, words[1], std::int32_t(bitset_words(u)),
            words.count > plain ? words.data + plain : nullptr};
}

/// Word w of the whole universe.
[[nodiscard]] OPTGAP_HD inline std::uint32_t universe_word(std::int32_t u, std::int64_t w) {
    std::int64_t const left = u - 32 * w;
    return left >= 32 ? ~0u : (1u << left) - 1;
}

}  // namespace tasks::set_cover

OPTGAP_KERNELS_END
