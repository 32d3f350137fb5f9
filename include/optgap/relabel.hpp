#pragma once  // Experimental.
// Relabelled twins: the same problems under other labels. Vertices, items, cities change numbers, and nothing else
// does, so that a twin has its original's optimum and an answer that takes the new labels earns its original's reward.
// Who does worse on twins than on instances remembers rather than solves; a reward that pays a twin otherwise is wrong.

#include <cstdint>
#include <span>

#include "optgap/batch.hpp"

namespace optgap {

/// What `engine::relabel` makes. Rows are the originals'.
struct relabelled_batch {
    instance_batch instances;  ///< the twins: explicit instances with hashes of their own
    /// For each axis of the row's task (task_info::axes) how many labels it has, then the new label of the first, the
    /// second, … old one. Labels count from 0, a grid's values from 1. On "axis" are two: where rows and columns went.
    csr_words labels;

    /// New labels along the task's k-th axis; throws error{invalid_argument} when it has none.
    [[nodiscard]] std::span<std::int32_t const> axis(std::int64_t row, std::int32_t k) const;

    /// Answers to the originals as answers to their twins. Row r is for instance instance_of[r] (r itself when empty).
    /// Words, empty blocks and integers that are no label stay as they are, and so does the order of a list, unless it
    /// has a place for each label (a colouring). Throws error{invalid_argument} for labels that are none.
    [[nodiscard]] csr_words answers(csr_view of_originals, std::span<std::int32_t const> instance_of = {}) const;
    /// Answers to the twins as answers to the originals: undoes `answers`.
    [[nodiscard]] csr_words originals(csr_view of_twins, std::span<std::int32_t const> instance_of = {}) const;
};

}  // namespace optgap
