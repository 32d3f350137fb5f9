#pragma once
// One row of a batch of searches: its start (or the state left by the slice before), its steps, its result.

#include <cstdint>

#include "kernels/launch/device_table.cuh"

OPTGAP_KERNELS_BEGIN

template <class Task, class Team>
OPTGAP_HD void improve_row(Team& team, std::int32_t row, improve_batch const& batch, std::int32_t* scratch) {
    std::int32_t* const answer = batch.words + batch.offsets[row];
    improve_result result{};
    if (batch.begin == 0) {
        words_view const start = batch.in.answers[row];
        team.each(start.count, [&](std::int64_t i) { answer[i] = start.data[i]; });
        result.answer_words = start.count;
    } else {
        result = batch.out[row];
        if (!result.goes_on(batch.begin)) {
            return;
        }
    }
    team.sync();
    search_slice const slice{batch.begin, batch.end,
                             batch.state == nullptr ? nullptr : batch.state + batch.state_offsets[row]};
    result = Task::improve(team, batch.in.instances[batch.in.instance_of[row]], answer, result, slice, batch.source,
                           scratch);
    if (team.rank() == 0) {
        batch.out[row] = result;
    }
}

OPTGAP_KERNELS_END
