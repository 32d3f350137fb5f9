// `improve` on the GPU: the searches of a slice of rows, in as many launches as their steps need.

#include <algorithm>
#include <utility>
#include <vector>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_slices.cuh"

namespace optgap {

namespace {

/// The memory of each row on the device beside its start.
struct row_sizes {
    instance_view instances;
    csr_view answers;
    instance_sizes answer;
    instance_sizes state;

    row_sizes(instance_view instances_, csr_view answers_)
        : instances(instances_),
          answers(answers_),
          answer(instances_, &device_table::answer_words),
          state(instances_, &device_table::improve_state_words) {}

    std::int64_t capacity(std::int64_t r, std::int32_t i) {
        return std::max(answer[i], answers.offsets[r + 1] - answers.offsets[r]);
    }
    /// On 64-byte boundaries.
    std::int64_t state_words(std::int32_t i) { return (state[i] + 15) / 16 * 16; }
    std::int64_t bytes(std::int64_t r, std::int32_t i) {
        return answer_bytes(answers, r) + (capacity(r, i) + state_words(i)) * word_bytes +
               std::int64_t(2 * sizeof(std::int64_t) + sizeof(improve_result));
    }
};

}  // namespace

improved_batch cuda_executor::run(improve_call const& call) {
    cuda_device::call const turn(*device_);
    instance_view const instances = call.instances;
    csr_view const answers = call.answers;
    require_host(instances.blocks, "instances");
    require_host(answers, "answers");
    instance_sizes scratch(instances, &device_table::improve_scratch_words);
    row_sizes sizes(instances, answers);
    row_slicer slicer(
        answers.rows, instances.blocks.rows, rows_or_null(call.instance_of), device_->room(),
        [&](std::int64_t r, std::int32_t i) {
            return row_cost{sizes.bytes(r, i), device_->scratch_bytes(scratch[i], &plan_search)};
        },
        [&](std::int32_t i) { return instance_bytes(instances, i); });
    std::vector<improve_result> out(std::size_t(call.rows()));
    csr_words joined;
    for (row_slice slice; slicer.next(slice);) {
        device_->begin_slice();
        std::vector<std::int64_t> capacity;
        std::vector<std::int64_t> state;
        for (std::int64_t r = slice.begin; r < slice.end; ++r) {
            std::int32_t const i = slice.instances[std::size_t(slice.instance_of[std::size_t(r - slice.begin)])];
            capacity.push_back(sizes.capacity(r, i));
            state.push_back(sizes.state_words(i));
        }
        std::vector<std::int64_t> const offsets = offsets_of(capacity);
        std::vector<std::int64_t> const state_offsets = offsets_of(state);
        improve_batch batch{};
        batch.in = put_answers(*device_, instances, answers, slice);
        batch.offsets = device_->put(std::span(offsets));
        batch.words = device_->take_zeroed<std::int32_t>(offsets.back());
        batch.out = device_->take<improve_result>(slice.rows());
        batch.state_offsets = device_->put(std::span(state_offsets));
        batch.state = device_->take<std::int32_t>(state_offsets.back());
        batch.source = source_of(call);
        std::vector<std::int64_t> const most = max_words(instances, slice, scratch);
        device_->search_tasks(rows_of(instances, slice), most, batch, {verb::improve, most}, call.steps);
        std::vector<std::int32_t> words(std::size_t(offsets.back()));
        std::span<improve_result> const found =
            std::span(out).subspan(std::size_t(slice.begin), std::size_t(slice.rows()));
        device_->get(batch.words, std::span(words));
        device_->get(batch.out, found);
        device_->finish_copies();
        std::vector<std::int64_t> used;
        std::vector<std::int64_t> moves(registry().size(), 0);
        for (std::size_t r = 0; r < found.size(); ++r) {
            used.push_back(found[r].answer_words);
            moves[std::size_t(instances.task[slice.instances[std::size_t(slice.instance_of[r])]])] += found[r].moves;
        }
        device_->finish_searches(moves);
        append_used(joined, words, offsets, used);
    }
    return columns_of(out, std::move(joined));
}

}  // namespace optgap
