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
    std::vector<reward_row> out(count);
    if (shape_of(spec.shape).info->hands_through && !rows.given.empty()) {
        for (std::size_t r = 0; r < count; ++r) {
            write_reward(
                out[r],
                {rows.verdicts[r], rows.format_codes[r], rows.finished.empty() ? finish::unknown : rows.finished[r],
                 rows.length.empty() ? 0 : rows.length[r], rows.baselines[r], rows.direction[r],
                 rows.ranked ? zero_answers::valid : zero_answers::refused,
                 std::isnan(rows.given[r]) ? nullptr : &rows.given[r]},
                spec);
        }
        return out;
    }
    // Each row is an instance of its own, and its sense stands for a task.
    constexpr sense senses[] = {sense::minimise, sense::maximise};
    std::vector<std::int32_t> sense_of(count), number(count);
    for (std::size_t r = 0; r < count; ++r) {
        sense_of[r] = rows.direction[r] == sense::maximise ? 1 : 0;
        number[r] = std::int32_t(r);
    }
    reward_inputs const in{.task = sense_of.data(),
                           .baselines = rows.baselines.data(),
                           .instances = std::int64_t(count),
                           .instance_of = number.data(),
                           .verdicts = rows.verdicts.data(),
                           .format_code = rows.format_codes.data(),
                           .finished = rows.finished.empty() ? nullptr : rows.finished.data(),
                           .length = rows.length.empty() ? nullptr : rows.length.data(),
                           .rollouts = std::int64_t(count),
                           .zero = rows.ranked ? zero_answers::valid : zero_answers::refused};
    shape_of(spec.shape).rows(in, senses, spec, out.data(), 0, in.rollouts);
    return out;
}

}  // namespace optgap
