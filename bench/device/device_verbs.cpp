// device_generate, device_verify, device_improve: the kernels on data that lies on the GPU.

#include <algorithm>
#include <numeric>

#include "bench/bench.hpp"
#include "bench/device/device_columns.hpp"
#include "bench/rollouts.hpp"
#include "kernels/launch/device_table.cuh"
#include "kernels/registry/registry.hpp"

namespace optgap::bench {

namespace {

constexpr std::int64_t scratch_bytes = std::int64_t(1) << 28;    ///< for rows whose scratch needs global memory
constexpr std::int64_t generated_bytes = std::int64_t(1) << 28;  ///< per batch: far above any cache
constexpr std::int64_t max_generated = std::int64_t(1) << 20;
constexpr std::int64_t verified_instances = 256;
constexpr std::int64_t verified_copies = 256;  ///< copies of their answers
constexpr std::int64_t tried_steps = 1000;     ///< steps of the host's proofs, whose answers only need to be good
constexpr std::int64_t searches = 8192;
constexpr std::int64_t checked_rows = 64;
constexpr draw engine_draw{0, 0x696d7072};  ///< as in engine::improve with seed 0; a check detects a difference

/// The launches of one task, and their data.
class device_runs : public device_columns {
public:
    explicit device_runs(std::int32_t task) : table_(*registry()[std::size_t(task)].cuda) {
        int device = 0;
        cudaDeviceProp card{};
        OPTGAP_CUDA_TRY(cudaGetDevice(&device));
        OPTGAP_CUDA_TRY(cudaGetDeviceProperties(&card, device));
        site_.stream = stream();
        site_.limits = {card.multiProcessorCount, std::int64_t(card.sharedMemPerBlockOptin),
                        std::int64_t(card.sharedMemPerMultiprocessor), std::int64_t(card.reservedSharedMemPerBlock)};
        site_.rows_per_launch = INT32_MAX;
        OPTGAP_CUDA_TRY(table_.load());
    }

    [[nodiscard]] device_table const& table() const { return table_; }
    [[nodiscard]] row_list every_row(std::int64_t count, std::int64_t scratch_words) {
        std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
        std::iota(rows.begin(), rows.end(), 0);
        return {put(rows), count, scratch_words};
    }
    /// The assignment of rows to teams in a search. Also makes room for its scratch.
    [[nodiscard]] launch_shape shape_of_search(row_list const& list) {
        make_room(plan_search(site_.limits, list.scratch_words));
        launch_shape shape;
        OPTGAP_CUDA_TRY(table_.improve_shape(site_, list, shape));
        return shape;
    }
    template <class Batch>
    void run(cudaError_t (*verb)(launch_site const&, row_list, Batch), row_list const& list, Batch const& batch) {
        make_room(plan_launch(site_.limits, list.scratch_words));
        // The cost of a row determines how many rows a team takes.
        site_.row_seconds =
            timed_at([&](launch_site const& site) { return verb(site, list, batch); }) / double(list.count);
    }
    template <class Launch>
    void run(Launch const& launch) {
        OPTGAP_CUDA_TRY(launch(site_));
        wait();
    }
    template <class Batch>
    [[nodiscard]] std::vector<double> sample(double seconds, cudaError_t (*verb)(launch_site const&, row_list, Batch),
                                             row_list const& list, Batch const& batch) {
        return sample(seconds, [&](launch_site const& site) { return verb(site, list, batch); });
    }
    /// Samples seconds by the device's clock, at least five times. Calls `run` once before.
    template <class Launch>
    [[nodiscard]] std::vector<double> sample(double seconds, Launch const& launch) {
        std::vector<double> samples;
        for (double total = 0; total < seconds || samples.size() < 5; total += samples.back()) {
            samples.push_back(timed_at(launch));
        }
        return samples;
    }

private:
    void make_room(launch_plan const& plan) {
        if (site_.scratch == nullptr && plan.global_scratch) {
            site_.scratch = take<std::int32_t>(scratch_bytes / std::int64_t(sizeof(std::int32_t)));
            site_.scratch_bytes = scratch_bytes;
        }
    }
    template <class Launch>
    [[nodiscard]] double timed_at(Launch const& launch) {
        return timed([&] { OPTGAP_CUDA_TRY(launch(site_)); });
    }

    device_table const& table_;
    launch_site site_;
};

words_view view_of(csr_words const& blocks, std::int64_t r) {
    auto const row = blocks.row(r);
    return {row.data(), std::int64_t(row.size())};
}

std::int64_t most(csr_words const& blocks, std::int64_t (*words_of)(words_view)) {
    std::int64_t words = 0;
    for (std::int64_t r = 0; r < blocks.rows(); ++r) {
        words = std::max(words, words_of(view_of(blocks, r)));
    }
    return words;
}

device_rows put_rows(device_runs& on, csr_words const& rows) { return {on.put(rows.words), on.put(rows.offsets), 0}; }

std::vector<generated_item> items_of(setting const& at, std::int64_t count) {
    std::vector<generated_item> items;
    for (draw const& source : draws_of(at, count)) {
        items.push_back({source, at.level});
    }
    return items;
}

}  // namespace

measurement bench_device_generate(setting const& at) {
    std::int64_t const few = 1024;
    instance_batch const sample = at.by.generate(specs_of(at, few));
    std::int64_t const mean_bytes = std::int64_t(sample.blocks.words.size() * sizeof(std::int32_t)) / few + 1;
    std::int64_t const count = at.batch > 0 ? at.batch : std::clamp(generated_bytes / mean_bytes, few, max_generated);
    device_runs on(at.task);
    std::vector<generated_item> const items = items_of(at, count);
    generated_item const* const on_device = on.put(items);
    row_list list = on.every_row(count, 0);
    std::vector<std::int64_t> offsets{0};
    for (generated_item const& item : items) {
        offsets.push_back(offsets.back() + on.table().instance_words(item.source, item.level));
        list.scratch_words = std::max(list.scratch_words, on.table().generate_scratch_words(item.source, item.level));
    }
    generate_batch const batch{on_device, on.put(offsets), 0, on.take<std::int32_t>(offsets.back())};
    on.run(on.table().generate, list, batch);
    std::int64_t const checked = std::min(count, few);
    std::vector<std::int32_t> const made = on.get(batch.words, offsets[std::size_t(checked)]);
    expect(std::equal(made.begin(), made.end(), sample.blocks.words.begin()),
           "the kernels' instances are not the engine's");
    measurement result = start_of(at, "device_generate", "instances", count);
    result.seconds = on.sample(at.seconds, on.table().generate, list, batch);
    result.needs = {{"write", double(offsets.back()) * sizeof(std::int32_t)}};
    return result;
}

measurement bench_device_verify(setting const& at) {
    std::int64_t const instances = at.batch > 0 ? std::max<std::int64_t>(at.batch / group_size, 1) : verified_instances;
    std::int64_t const copies = at.batch > 0 ? 1 : verified_copies;
    instance_batch const batch = at.by.generate(specs_of(at, instances));
    csr_words const once = perturbed_answers(at.by, batch.view(), at.by.solve(batch.view(), tried_steps).answers, 1);
    std::vector<std::int32_t> of;
    csr_words answers;
    for (std::int64_t copy = 0; copy < copies; ++copy) {
        for (std::int64_t r = 0; r < once.rows(); ++r) {
            of.push_back(std::int32_t(r / group_size));
            answers.append(once.row(r));
        }
    }
    std::vector<verdict> const expected =
        at.by.verify(batch.view(), once.view(), std::span(of).first(std::size_t(once.rows())));
    device_runs on(at.task);
    verify_batch const rows{{put_rows(on, batch.blocks), put_rows(on, answers), on.put(of)},
                            on.take<verdict>(answers.rows())};
    row_list const list = on.every_row(answers.rows(), most(batch.blocks, on.table().scratch_words));
    on.run(on.table().verify, list, rows);
    std::vector<verdict> const found = on.get(rows.out, answers.rows());
    for (std::size_t r = 0; r < found.size(); ++r) {
        expect(found[r] == expected[r % expected.size()], "the kernel's verdict of row " + std::to_string(r));
    }
    measurement result = start_of(at, "device_verify", "answers", answers.rows());
    result.seconds = on.sample(at.seconds, on.table().verify, list, rows);
    result.needs = {{"copy", double((batch.blocks.words.size() + answers.words.size()) * sizeof(std::int32_t)) +
                                 double(found.size() * sizeof(verdict))}};
    return result;
}

measurement bench_device_improve(setting const& at) {
    search_starts const from = greedy_starts(at, at.batch > 0 ? at.batch : searches);
    instance_batch const& batch = from.instances;
    csr_words const& starts = from.answers;
    std::int64_t const checked = std::min(batch.size(), checked_rows);
    instance_view few = batch.view();
    few.blocks.rows = checked;
    csr_view few_starts = starts.view();
    few_starts.rows = checked;
    improved_batch const expected = at.by.improve(few, few_starts, at.steps);
    device_runs on(at.task);
    std::vector<std::int32_t> of(static_cast<std::size_t>(batch.size()));
    std::iota(of.begin(), of.end(), 0);
    std::vector<std::int64_t> capacity{0};
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        capacity.push_back(capacity.back() + std::max(on.table().answer_words(view_of(batch.blocks, r)),
                                                      std::int64_t(starts.row(r).size())));
    }
    improve_batch rows{};
    rows.in = {put_rows(on, batch.blocks), put_rows(on, starts), on.put(of)};
    rows.offsets = on.put(capacity);
    rows.words = on.take<std::int32_t>(capacity.back());
    rows.out = on.take<improve_result>(batch.size());
    rows.end = at.steps;
    rows.source = engine_draw;
    row_list const list = on.every_row(batch.size(), most(batch.blocks, on.table().improve_scratch_words));
    launch_shape const shape = on.shape_of_search(list);
    auto const search = [&](launch_site const& site) { return on.table().improve(site, shape, list, rows); };
    on.run(search);
    measurement result = start_of(at, "device_improve", "evaluations", batch.size());
    result.items = 0;
    std::vector<improve_result> const found = on.get(rows.out, batch.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
        expect(r >= std::size_t(checked) || found[r].objective == expected.objective[r],
               "the kernel's search of row " + std::to_string(r) + " is not the engine's");
        result.items += double(found[r].evaluations);
    }
    result.seconds = on.sample(at.seconds, search);
    result.needs = needs_of_evaluations(result.task, result.items);
    return result;
}

std::shared_ptr<char> pinned_memory(std::size_t bytes) {
    void* memory = nullptr;
    OPTGAP_CUDA_TRY(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault));
    return {static_cast<char*>(memory), [](char* block) { cudaFreeHost(block); }};
}

}  // namespace optgap::bench
