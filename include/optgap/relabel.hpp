#pragma once  // Experimental.
// Relabelled copies: the same problems under other labels. Vertices, items and cities change numbers, and nothing else
// does, so a copy has its original's optimum, and an answer in the new labels earns its original's reward. A model that
// does worse on the copies remembers rather than solves; a reward that differs on a copy is wrong.

#include <cstdint>
#include <span>

#include "optgap/batch.hpp"

namespace optgap {

/// The result of `engine::relabel`. Rows are the originals'.
struct relabelled_batch {
    instance_batch instances;  ///< the copies: explicit instances with hashes of their own
    /// For each axis of the row's task (task_info::axes) how many labels it has, then the new label of the first, the
    /// second, … old one. Labels count from 0, a grid's values from 1. The axis named "axis" has two labels: where rows
    /// and columns went.
    csr_words labels;

    /// New labels along the task's k-th axis; throws error{invalid_argument} when it has none.
    [[nodiscard]] std::span<std::int32_t const> axis(std::int64_t row, std::int32_t k) const;

    /// Answers to the originals as answers to their copies. Row r is for instance instance_of[r] (r itself when empty).
    /// Words, empty blocks and integers that are no label stay as they are, and so does the order of a list, unless it
    /// has a place for each label (a colouring). Throws error{invalid_argument} for labels that do not exist.
    [[nodiscard]] csr_words answers(csr_view of_originals, std::span<std::int32_t const> instance_of = {}) const;
    /// Answers to the copies as answers to the originals: undoes `answers`.
    [[nodiscard]] csr_words originals(csr_view of_twins, std::span<std::int32_t const> instance_of = {}) const;
};

}  // namespace optgap
