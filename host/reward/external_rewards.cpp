#include <cmath>

#include "host/reward/token_counts.hpp"
#include "kernels/reward/reward.hpp"
#include "optgap/external.hpp"
#include "optgap/status.hpp"

namespace optgap {

std::vector<reward_row> external_rewards(external_verdicts const& rows, reward_spec const& spec) {
    std::size_t const count = rows.verdicts.size();
    auto const fits = [&](auto const& column) { return column.empty() || column.size() == count; };
    if (rows.format_codes.size() != count || rows.baselines.size() != count || rows.direction.size() != count ||
        !fits(rows.finished) || !fits(rows.length) || !fits(rows.given)) {
        misuse("external verdicts: columns differ in length");
    }
    require_token_counts(spec, rows.length, count);
    bool const hands_through = shape_of(spec.shape).info->hands_through && !rows.given.empty();
    std::vector<reward_row> out(count);
    for (std::size_t r = 0; r < count; ++r) {
        write_reward(
            out[r],
            {rows.verdicts[r], rows.format_codes[r], rows.finished.empty() ? finish::unknown : rows.finished[r],
             rows.length.empty() ? 0 : rows.length[r], rows.baselines[r], rows.direction[r],
             rows.ranked ? zero_answers::valid : zero_answers::refused,
             hands_through && !std::isnan(rows.given[r]) ? &rows.given[r] : nullptr},
            spec);
    }
    return out;
}

}  // namespace optgap
