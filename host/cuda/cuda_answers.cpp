// `verify`, `greedy` and `floor` on the GPU.

#include <algorithm>
#include <vector>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_slices.cuh"

namespace optgap {

std::vector<verdict> cuda_executor::run(verify_call const& call) {
    cuda_device::call const turn(*device_);
    instance_view const instances = call.instances;
    csr_view const answers = call.answers;
    std::vector<verdict> out(std::size_t(call.rows()));
    require_host(instances.blocks, "instances");
    require_host(answers, "answers");
    instance_sizes scratch(instances, &device_table::scratch_words);
    row_slicer slicer(
        answers.rows, instances.blocks.rows, rows_or_null(call.instance_of), device_->room(),
        [&](std::int64_t r, std::int32_t i) {
            return row_cost{answer_bytes(answers, r) + std::int64_t(sizeof(verdict)),
                            device_->scratch_bytes(scratch[i])};
        },
        [&](std::int32_t i) { return instance_bytes(instances, i); });
    for (row_slice slice; slicer.next(slice);) {
        device_->begin_slice();
        verify_batch batch{};
        batch.in = put_answers(*device_, instances, answers, slice);
        batch.out = device_->take<verdict>(slice.rows());
        std::vector<std::int64_t> const most = max_words(instances, slice, scratch);
        device_->launch_tasks(optgap::rows_of(instances, slice), most, &device_table::verify, batch,
                              {verb::verify, most});
        device_->get(batch.out, std::span(out).subspan(std::size_t(slice.begin), std::size_t(slice.rows())));
        device_->finish();
    }
    return out;
}

csr_words cuda_executor::run(greedy_call const& call) {
    return anchors(call.instances, &device_table::greedy, verb::greedy);
}

csr_words cuda_executor::run(floor_call const& call) {
    return anchors(call.instances, &device_table::floor, verb::floor);
}

csr_words cuda_executor::anchors(instance_view instances, anchor_kernel policy, verb which) {
    cuda_device::call const turn(*device_);
    require_host(instances.blocks, "instances");
    instance_sizes scratch(instances, &device_table::scratch_words);
    instance_sizes answer(instances, &device_table::answer_words);
    row_slicer slicer(
        instances.blocks.rows, instances.blocks.rows, nullptr, device_->room(),
        [&](std::int64_t, std::int32_t i) {
            return row_cost{answer[i] * word_bytes + std::int64_t(2 * sizeof(std::int64_t) + sizeof(std::int32_t)),
                            device_->scratch_bytes(scratch[i])};
        },
        [&](std::int32_t i) { return instance_bytes(instances, i); });
    csr_words joined;
    for (row_slice slice; slicer.next(slice);) {
        device_->begin_slice();
        std::vector<std::int64_t> capacity;
        for (std::int32_t const i : slice.instances) {
            capacity.push_back(answer[i]);
        }
        std::vector<std::int64_t> const offsets = offsets_of(capacity);
        anchor_batch batch{};
        batch.instances = put_instances(*device_, instances, slice);
        batch.offsets = device_->put(std::span(offsets));
        batch.words = device_->take_zeroed<std::int32_t>(offsets.back());
        batch.sizes = device_->take<std::int64_t>(slice.rows());
        std::vector<std::int64_t> const most = max_words(instances, slice, scratch);
        device_->launch_tasks(optgap::rows_of(instances, slice), most, policy, batch, {which, most});
        std::vector<std::int32_t> words(std::size_t(offsets.back()));
        std::vector<std::int64_t> sizes(std::size_t(slice.rows()));
        device_->get(batch.words, std::span(words));
        device_->get(batch.sizes, std::span(sizes));
        device_->finish();
        append_used(joined, words, offsets, sizes);
    }
    return joined;
}

}  // namespace optgap
