#pragma once
// Checks columns that the host has not seen, before their numbers are used: which instance a row answers, whether its
// answer is a block, whether its reward is a number. The result for a row is the same on every executor.

#include <cstdint>

#include "kernels/core/task.hpp"

namespace optgap {

/// Rows whose columns are wrong: the newest of each kind, counted from 1; 0: none. Lies in pinned memory, which the
/// host may read at any time.
struct row_faults {
    std::int32_t instance = 0;  ///< instance_of names no instance
    std::int32_t answer = 0;    ///< offsets do not rise within the words, or there is no answer block between
    std::int32_t start = 0;     ///< a search's start is longer than its row's room
    std::int32_t reward = 0;    ///< infinite
};

/// Rows [0, rows) of the columns, which are the caller's rows [first, first + rows). Null columns are not checked.
struct row_check {
    std::int64_t rows = 0;
    std::int64_t first = 0;

    std::int32_t const* instance_of = nullptr;  ///< nullptr: row r belongs to instance first + r
    std::int32_t const* task = nullptr;         ///< per instance
    std::int64_t instances = 0;
    std::int32_t tasks = 0;  ///< of the build; the number also stands for the task of a row that is excluded

    std::int32_t const* words = nullptr;
    std::int64_t words_size = 0;
    std::int64_t const* offsets = nullptr;

    float const* rewards = nullptr;

    row_faults* faults = nullptr;
    std::int32_t* instance = nullptr;  ///< out: of each row, 0 for an excluded one
    std::int32_t* task_of = nullptr;   ///< out
    std::int32_t* row = nullptr;       ///< out: its number, to be sorted by task
    verdict* verdicts = nullptr;       ///< out: of excluded rows

    // For searches, each of which has this many words of a block to itself.
    std::int64_t room = 0;
    std::int64_t* place = nullptr;      ///< out: where each row's words begin; one more than rows
    improve_result* results = nullptr;  ///< out: of excluded rows
    std::int64_t state_room = 0;
    std::int64_t* state_place = nullptr;  ///< out: where each row's kept state begins; nullptr: not needed
};

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

/// The verdict of a row that cannot be judged.
inline constexpr verdict unreadable{code_unparsable, -1, 0, 1, 1};

OPTGAP_HD inline bool is_infinite(float x) { return x == x && x - x != 0.0f; }

/// Whether the lengths in a block add up to its size.
OPTGAP_HD inline bool is_answer_block(words_view block) {
    if (block.count == 0 || block[0] == answer_flat) {
        return true;
    }
    if (block[0] < 0) {
        return block[0] == answer_word && block.count == 2;
    }
    std::int64_t values = block.count - 1 - block[0];
    for (std::int64_t r = 0; r < block[0] && values >= 0; ++r) {
        std::int32_t const length = block[1 + r];
        values = length < 0 ? -1 : values - length;
    }
    return values == 0;
}

/// Checks row r; `say(word, row)` records a fault.
template <class Say>
OPTGAP_HD void look_at_row(row_check const& in, std::int64_t r, Say const& say) {
    std::int32_t const number = std::int32_t(in.first + r);
    if (in.rewards != nullptr && is_infinite(in.rewards[r])) {
        say(&in.faults->reward, number + 1);
    }
    if (in.task_of == nullptr) {
        return;
    }
    std::int32_t const i = in.instance_of != nullptr ? in.instance_of[r] : number;
    bool const known = i >= 0 && i < in.instances;
    bool readable = known;
    if (!known) {
        say(&in.faults->instance, number + 1);
    }
    if (in.offsets != nullptr) {
        std::int64_t const begin = in.offsets[r];
        std::int64_t const end = in.offsets[r + 1];
        bool const block = 0 <= begin && begin <= end && end <= in.words_size &&
                           is_answer_block(words_view{in.words + begin, end - begin});
        if (!block) {
            say(&in.faults->answer, number + 1);
        }
        bool const fits = !block || in.results == nullptr || end - begin <= in.room;
        if (!fits) {
            say(&in.faults->start, number + 1);
        }
        readable = readable && block && fits;
    }
    in.instance[r] = readable ? i : 0;
    in.task_of[r] = readable ? in.task[i] : in.tasks;
    if (in.row != nullptr) {
        in.row[r] = std::int32_t(r);
    }
    if (in.verdicts != nullptr && !readable) {
        in.verdicts[r] = unreadable;
    }
    if (in.results != nullptr) {
        in.place[r] = r * in.room;
        if (r + 1 == in.rows) {
            in.place[in.rows] = in.rows * in.room;
        }
        if (in.state_place != nullptr) {
            in.state_place[r] = r * in.state_room;
        }
        if (!readable) {
            in.results[r] = {};
        }
    }
}

OPTGAP_KERNELS_END
