#pragma once
// The draws of entries: integer weights from the standing of each, and draws by Philox keyed by (seed, step, index), so
// that a draw is a function of the pool's content alone.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/pool/entry.hpp"

namespace optgap::pool {

enum class policy : std::int32_t {
    uniform = 0,   ///< all equally (MAE)
    step = 1,      ///< by the number of the step at which it came in, from 1 (MAE's "step")
    max_new = 2,   ///< those of the newest steps alone (AZR)
    half_new = 3,  ///< half of all draws on those, half on the others (AZR)
    signal = 4,    ///< by how a group of answers varies, 4 s², and by the time since it was seen
    regret = 5,    ///< by the distance to the optimum, and by the time since it was seen (PLR)
    band = 6,      ///< those of a mean quality between 0.3 and 0.8, or not tried (R-Zero)
    frontier = 7,  ///< never solved
};
inline constexpr char const* policy_names[] = {"uniform", "step",   "max_new", "half_new",
                                               "signal",  "regret", "band",    "frontier"};
/// Throws field_error{"policy"} that lists the names.
[[nodiscard]] policy policy_named(std::string_view name);

/// The standing of one entry for its weight.
struct standing {
    std::int64_t born = 0;   ///< step
    std::int64_t seen = -1;  ///< step whose outcomes were its newest; -1: none
    bool gone = false;       ///< it left a full pool
    outcome sums;
};

/// One weight per entry: 0 for those that are gone; 1 for all others where the policy would give each of them 0. `now`
/// is the step that draws, later than all steps in the pool; `window` is the number of newest steps that count as new.
[[nodiscard]] std::vector<std::uint64_t> weights_of(policy by, std::span<standing const> of, std::int64_t now,
                                                    std::int64_t window);

/// min(1, 4 s²) in units of 2^-20, s² the sample variance of qualities with two of 0 and two of 1 beside them.
[[nodiscard]] std::int64_t signal_of(outcome const& sums);

struct drawn_entry {
    std::int64_t place = 0;        ///< in the list of weights
    std::uint64_t label_seed = 0;  ///< of its relabelled copy
};

class drawer {
public:
    /// Throws field_error{"pool"} for no weights.
    drawer(std::uint64_t seed, std::int64_t step, std::vector<std::uint64_t> const& weights);
    /// `index` is below 2^32. Draws are with replacement: none depends on another.
    [[nodiscard]] drawn_entry draw(std::int64_t index) const;

private:
    std::uint64_t seed_;
    std::int64_t step_;
    std::vector<std::uint64_t> until_;  ///< running sums
};

}  // namespace optgap::pool
