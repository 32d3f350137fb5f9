#pragma once
// Relabelled copies ("twins"): instances under other labels, by their task's symmetry (symmetry.hpp). A copy asks for
// the same answer in other words: its optimum is the original's, and an answer translated to the copy's labels keeps
// its code, objective and violation. Policies that break ties by index (greedy, floor) may give another result on a
// copy.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/core/rng.hpp"
#include "kernels/text/symmetry.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// The names of the axes, in the order of `labels`. If a task has axes that may exchange roles, the last name is
/// "axis": the new positions of these two, as 0 and 1.
std::vector<std::string_view> axis_names(symmetry const& of);

/// New labels: for each axis in turn its number of labels, then the new label of the first, the second, … old one.
using label_words = std::vector<std::int32_t>;

struct twin {
    std::vector<std::int32_t> instance;
    label_words labels;
};

/// The copy that `source` draws. It differs from the original if one of sixteen draws does. Throws
/// error{invalid_argument} for a task without a symmetry.
twin twin_of(task_text const& task, words_view instance, draw source);

/// The direction of a relabelling: back undoes forth.
enum class direction : std::int32_t { forth, back };

/// Translates answers between an original and its copy.
class answer_labels {
public:
    /// Throws error{invalid_argument} unless `labels` fit the task's axes.
    answer_labels(task_text const& task, words_view labels, direction way);

    /// Appends the block under the other labels. A word is unchanged, and so is an integer that is not a label. A list
    /// that does not have a position for each label keeps its order.
    void append(words_view block, std::vector<std::int32_t>& out) const;

private:
    symmetry const& symmetry_;
    std::vector<std::vector<std::int32_t>> places_;
};

}  // namespace optgap
