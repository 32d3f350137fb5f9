// `generate` on the GPU: first the sizes on the host, without the GPU's turn, then the words.

#include <algorithm>
#include <vector>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_slices.cuh"

namespace optgap {

namespace {

std::size_t tasks() { return registry().size(); }

rows_by_task rows_of(std::span<std::int32_t const> task, row_slice const& slice) {
    return bucket_by_task(task.subspan(std::size_t(slice.begin), std::size_t(slice.rows())), std::int32_t(tasks()));
}
std::vector<generated_item> described(std::span<generation const> items, row_slice const& slice) {
    std::vector<generated_item> out;
    for (std::int64_t r = slice.begin; r < slice.end; ++r) {
        out.push_back({items[std::size_t(r)].source, items[std::size_t(r)].level});
    }
    return out;
}

}  // namespace

instance_batch cuda_executor::run(generate_call const& call) {
    std::vector<generation> const items =
        sources_of(call.specs, [](task_entry const& task) { return task.cuda->version; });
    std::vector<generated_size> const sizes = sizes_of(items, &cuda_device::table, cores_);
    instance_batch out;
    out.task.resize(items.size());
    out.blocks.offsets.resize(items.size() + 1);
    for (std::size_t r = 0; r < items.size(); ++r) {
        out.task[r] = items[r].task;
        out.blocks.offsets[r + 1] = out.blocks.offsets[r] + sizes[r].instance;
    }
    out.blocks.words.resize(std::size_t(out.blocks.offsets.back()));

    cuda_device::call const turn(*device_);
    std::int64_t const item_bytes = sizeof(generated_item) + sizeof(std::int64_t) + sizeof(std::int32_t);
    row_slicer slicer(
        std::int64_t(items.size()), std::int64_t(items.size()), nullptr, device_->room(),
        [&](std::int64_t r, std::int32_t) {
            generated_size const& size = sizes[std::size_t(r)];
            return row_cost{item_bytes + size.instance * word_bytes, device_->scratch_bytes(size.scratch)};
        },
        [](std::int32_t) { return 0; });
    for (row_slice slice; slicer.next(slice);) {
        device_->begin_slice();
        std::int64_t const base = out.blocks.offsets[std::size_t(slice.begin)];
        std::int64_t const words = out.blocks.offsets[std::size_t(slice.end)] - base;
        std::vector<std::int64_t> scratch_words(tasks(), 0);
        row_load load{verb::generate, std::vector<std::int64_t>(tasks(), 0)};
        for (std::int64_t r = slice.begin; r < slice.end; ++r) {
            std::size_t const task = std::size_t(out.task[std::size_t(r)]);
            generated_size const& size = sizes[std::size_t(r)];
            scratch_words[task] = std::max(scratch_words[task], size.scratch);
            load.words[task] = std::max(load.words[task], size.instance);
        }
        generate_batch batch{};
        batch.items = device_->put(described(items, slice));
        batch.offsets = device_->put(
            std::span(out.blocks.offsets).subspan(std::size_t(slice.begin), std::size_t(slice.rows() + 1)));
        batch.base = base;
        batch.words = device_->take<std::int32_t>(words);
        device_->launch_tasks(rows_of(out.task, slice), scratch_words, &device_table::generate, batch, load);
        device_->get(batch.words, std::span(out.blocks.words).subspan(std::size_t(base), std::size_t(words)));
        device_->finish();
    }
    return out;
}

}  // namespace optgap
