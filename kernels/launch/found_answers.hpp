#pragma once
// Collects what searches over columns in device memory found, in the form that the host's call returns: the answers,
// whose sizes the host does not know, one after the other, and one result a row.

#include <cstdint>

#include "kernels/core/task.hpp"

namespace optgap {

/// Rows [0, rows) of a piece of a call. Row r's answer begins at from[r * room], inside `words` itself. No answer moves
/// to a higher address, but its destination may still hold an earlier row's answer. Answers therefore move
/// `staged_rows` at a time, first to a stage and from there to their destination; the answers that follow lie behind
/// the room of all that have moved.
struct found_answers {
    std::int64_t rows = 0;
    std::int64_t room = 0;
    improve_result const* results = nullptr;
    /// For rows whose task has no search: it leaves the value of a start to the verifier. Entries of other rows are not
    /// feasible. nullptr: there are no such rows.
    verdict const* worth = nullptr;
    std::int32_t const* from = nullptr;
    std::int32_t* stage = nullptr;   ///< room for staged_rows answers
    std::int64_t staged_rows = 0;    ///< at least one
    std::int64_t* length = nullptr;  ///< of each answer
    std::int64_t* end = nullptr;     ///< of each answer, from the first of the piece
    void* temporary = nullptr;       ///< CUB's
    std::int64_t temporary_bytes = 0;

    std::int32_t* words = nullptr;    ///< out: those of the whole call
    std::int64_t* offsets = nullptr;  ///< those of the piece: the first is given; out: one more for each row
    std::int64_t* out = nullptr;      ///< out, of the piece, four a row: start_objective, objective, moves, evaluations
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

/// An answer is moved in parts of this many words, each by a team. The longest answers have some hundred thousand
/// words.
inline constexpr std::int64_t part_words = 2048;
OPTGAP_HD inline std::int64_t parts_of_answer(found_answers const& in) {
    return in.room > part_words ? (in.room + part_words - 1) / part_words : 1;
}

/// Copies one lane's words of a part of an answer, once all sizes are summed: the k-th part, counted from row `first`.
template <class Copy>
OPTGAP_HD void for_part_of_answers(found_answers const& in, std::int64_t first, std::int64_t k, std::int32_t lane,
                                   std::int32_t lanes, Copy const& copy) {
    std::int64_t const r = first + k / parts_of_answer(in);
    std::int64_t const begin = k % parts_of_answer(in) * part_words;
    std::int64_t const end = begin + part_words < in.length[r] ? begin + part_words : in.length[r];
    for (std::int64_t word = begin + lane; word < end; word += lanes) {
        copy(r, word);
    }
}
OPTGAP_HD inline void stage_answers(found_answers const& in, std::int64_t first, std::int64_t k, std::int32_t lane,
                                    std::int32_t lanes) {
    for_part_of_answers(in, first, k, lane, lanes, [&](std::int64_t r, std::int64_t word) {
        in.stage[(r - first) * in.room + word] = in.from[r * in.room + word];
    });
}
OPTGAP_HD inline void place_answers(found_answers const& in, std::int64_t first, std::int64_t k, std::int32_t lane,
                                    std::int32_t lanes) {
    std::int64_t const base = in.offsets[0];
    for_part_of_answers(in, first, k, lane, lanes, [&](std::int64_t r, std::int64_t word) {
        in.words[base + in.end[r] - in.length[r] + word] = in.stage[(r - first) * in.room + word];
    });
    if (lane == 0 && k % parts_of_answer(in) == 0) {
        std::int64_t const r = first + k / parts_of_answer(in);
        in.offsets[r + 1] = base + in.end[r];
    }
}

OPTGAP_KERNELS_END
