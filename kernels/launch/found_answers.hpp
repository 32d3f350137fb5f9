#pragma once
// What searches over columns in device memory found, put together as the host's call returns it: answers one behind the
// other, whose sizes no host has seen, and a result a row.

#include <cstdint>

#include "kernels/core/task.hpp"

namespace optgap {

/// Rows [0, rows) of a piece of a call. Row r's answer begins at from[r * room].
struct found_answers {
    std::int64_t rows = 0;
    std::int64_t room = 0;
    improve_result const* results = nullptr;
    /// Of rows whose task has no search, which leaves it to the verifier what a start is worth; others' are not
    /// feasible. Null: there are none.
    verdict const* worth = nullptr;
    std::int32_t const* from = nullptr;
    std::int64_t* length = nullptr;  ///< of each answer
    std::int64_t* end = nullptr;     ///< of each answer, from the piece's first on
    void* temporary = nullptr;       ///< CUB's
    std::int64_t temporary_bytes = 0;

    std::int32_t* words = nullptr;    ///< out, of the whole call
    std::int64_t* offsets = nullptr;  ///< the piece's: the first is there; out: rows more
    std::int64_t* out = nullptr;      ///< the piece's, four a row: start_objective, objective, moves, evaluations
};

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

OPTGAP_HD inline void tell_result(found_answers const& in, std::int64_t r) {
    improve_result result = in.results[r];
    if (in.worth != nullptr && in.worth[r].feasible()) {
        result.start_objective = result.objective = in.worth[r].objective;
    }
    in.length[r] = result.answer_words;
    std::int64_t* const to = in.out + 4 * r;
    to[0] = result.start_objective;
    to[1] = result.objective;
    to[2] = result.moves;
    to[3] = result.evaluations;
}

/// One lane's share of an answer, once all sizes are summed.
OPTGAP_HD inline void move_answer(found_answers const& in, std::int64_t r, std::int32_t lane, std::int32_t lanes) {
    std::int64_t const begin = in.offsets[0] + in.end[r] - in.length[r];
    std::int32_t const* const from = in.from + r * in.room;
    for (std::int64_t k = lane; k < in.length[r]; k += lanes) {
        in.words[begin + k] = from[k];
    }
    if (lane == 0) {
        in.offsets[r + 1] = begin + in.length[r];
    }
}

OPTGAP_KERNELS_END
