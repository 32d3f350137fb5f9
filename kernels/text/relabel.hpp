#pragma once
// Twins: instances under other labels, by the symmetry that their task says (symmetry.hpp). A twin asks for the same
// answer in other words: the optimum is the original's, and an answer that goes over to the twin's labels keeps its
// code, objective and violation. What breaks ties by index (greedy, floor) may do otherwise on a twin.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/core/rng.hpp"
#include "kernels/text/symmetry.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap {

/// The names of the axes, in the order in which `labels` has them. The last one of a task whose axes may change roles
/// is "axis": where the two that may went, as 0 and 1.
std::vector<std::string_view> axis_names(symmetry const& of);

/// New labels: for each axis in turn how many there are, then the new label of the first, the second, … old one.
using label_words = std::vector<std::int32_t>;

struct twin {
    std::vector<std::int32_t> instance;
    label_words labels;
};

/// The twin that `source` draws, another instance than the original where sixteen draws find one. Throws
/// error{invalid_argument} for a task without a symmetry.
twin twin_of(task_text const& task, words_view instance, draw source);

/// Where labels come from: back undoes forth.
enum class direction : std::int32_t { forth, back };

/// Moves answers between an original and its twin.
class answer_labels {
public:
    /// Throws error{invalid_argument} unless `labels` are of the task's axes.
    answer_labels(task_text const& task, words_view labels, direction way);

    /// Appends the block under the other labels. A word stays, and so does an integer that is no label; a list that has
    /// not a place for each label keeps its order.
    void append(words_view block, std::vector<std::int32_t>& out) const;

private:
    symmetry const& symmetry_;
    std::vector<std::vector<std::int32_t>> places_;
};

}  // namespace optgap
