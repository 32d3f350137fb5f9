// Relabelled copies of instances, and answers under their labels. On the caller's thread.

#include <vector>

#include "host/engine/engine_state.hpp"
#include "kernels/text/relabel.hpp"
#include "optgap/relabel.hpp"

namespace optgap {
namespace {

words_view view_of(std::span<std::int32_t const> row) { return {row.data(), std::int64_t(row.size())}; }

task_text const& text_of(std::int32_t task) { return *registry()[std::size_t(task)].text; }

csr_words under_other_labels(relabelled_batch const& twins, csr_view answers, std::span<std::int32_t const> instance_of,
                             direction way) {
    require_answers(twins.instances.view(), answers, instance_of);
    csr_words moved;
    for (std::int64_t r = 0; r < answers.rows; ++r) {
        std::int64_t const i = instance_of.empty() ? r : instance_of[std::size_t(r)];
        answer_labels const labels(text_of(twins.instances.task[std::size_t(i)]), view_of(twins.labels.row(i)), way);
        labels.append(view_of(answers.row(r)), moved.words);
        moved.offsets.push_back(std::int64_t(moved.words.size()));
    }
    return moved;
}

}  // namespace

relabelled_batch engine::relabel(instance_view instances, std::uint64_t seed) const {
    state_->require_readable(instances);
    relabelled_batch twins;
    for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
        std::span<std::int32_t const> const original = instances.blocks.row(r);
        draw const source{seed, std::uint32_t(hash_words(original).low)};
        twin const made = twin_of(text_of(instances.task[r]), view_of(original), source);
        twins.instances.append(instances.task[r], made.instance);
        twins.labels.append(made.labels);
    }
    return twins;
}

std::span<std::int32_t const> relabelled_batch::axis(std::int64_t row, std::int32_t k) const {
    std::span<std::int32_t const> left = labels.row(row);
    for (; k >= 0 && !left.empty() && left[0] >= 0 && std::size_t(left[0]) < left.size(); --k) {
        std::size_t const count = std::size_t(left[0]);
        if (k == 0) {
            return left.subspan(1, count);
        }
        left = left.subspan(1 + count);
    }
    misuse("axis: row " + std::to_string(row) + " has no axis " + std::to_string(k));
}

csr_words relabelled_batch::answers(csr_view of_originals, std::span<std::int32_t const> instance_of) const {
    return under_other_labels(*this, of_originals, instance_of, direction::forth);
}

csr_words relabelled_batch::originals(csr_view of_twins, std::span<std::int32_t const> instance_of) const {
    return under_other_labels(*this, of_twins, instance_of, direction::back);
}

}  // namespace optgap
