// Sets and baselines in a GPU's memory: copied from the host, or generated in place.

#include <algorithm>
#include <string>
#include <utility>

#include "host/cuda/cuda_device.cuh"
#include "host/cuda/cuda_slices.cuh"
#include "host/cuda/resident/cuda_resident.cuh"
#include "host/cuda/resident/cuda_turn.cuh"

namespace optgap {

namespace {

/// Where the parts of a region lie: each on its own boundary, and none empty.
class layout {
public:
    template <class T>
    std::int64_t add(std::int64_t count) {
        std::int64_t const at = bytes_;
        std::int64_t const bytes = std::max<std::int64_t>(count, 1) * std::int64_t(sizeof(T));
        bytes_ += (bytes + device_regions::alignment - 1) / device_regions::alignment * device_regions::alignment;
        return at;
    }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
    std::int64_t bytes_ = 0;
};

}  // namespace

struct cuda_resident::placed_set final : resident_set {
    explicit placed_set(std::unique_ptr<region> own) : own_(std::move(own)) {}
    ~placed_set() override { own_->lent = lent; }
    std::unique_ptr<region> own_;
};

struct cuda_resident::placed_baselines final : resident_baselines {
    explicit placed_baselines(std::unique_ptr<region> own) : own_(std::move(own)) {}
    std::unique_ptr<region> own_;
};

/// A set's columns beside its words, and the place of all of them in its region.
struct cuda_resident::set_columns {
    std::vector<std::int32_t> task;
    std::vector<std::int64_t> offsets{0};
    std::vector<sense> direction;

    void add(std::int32_t task_of, std::int64_t words) {
        task.push_back(task_of);
        offsets.push_back(offsets.back() + words);
        direction.push_back(cuda_device::table(task_of).objective_sense);
    }
    /// The region's bytes.
    std::int64_t place() {
        layout parts;
        words_at = parts.add<std::int32_t>(offsets.back());
        offsets_at = parts.add<std::int64_t>(std::int64_t(offsets.size()));
        task_at = parts.add<std::int32_t>(std::int64_t(task.size()));
        direction_at = parts.add<sense>(std::int64_t(task.size()));
        return parts.bytes();
    }
    template <class Upload>
    void upload(unsigned char* memory, Upload const& to) const {
        to(memory + offsets_at, offsets.data(), offsets.size() * sizeof offsets[0]);
        to(memory + task_at, task.data(), task.size() * sizeof task[0]);
        to(memory + direction_at, direction.data(), direction.size() * sizeof direction[0]);
    }
    /// The placed set, without its set_needs.
    [[nodiscard]] std::shared_ptr<placed_set> placed(std::unique_ptr<region> own, resident const* owner) const {
        unsigned char const* const memory = own->memory();
        auto out = std::make_shared<placed_set>(std::move(own));
        out->owner = owner;
        out->instances = std::int64_t(task.size());
        out->words_size = offsets.back();
        out->words = reinterpret_cast<std::int32_t const*>(memory + words_at);
        out->offsets = reinterpret_cast<std::int64_t const*>(memory + offsets_at);
        out->task = reinterpret_cast<std::int32_t const*>(memory + task_at);
        out->direction = reinterpret_cast<sense const*>(memory + direction_at);
        return out;
    }

    std::int64_t words_at = 0, offsets_at = 0, task_at = 0, direction_at = 0;
};

/// The most that the verbs need for the set, by task.
struct cuda_resident::set_needs {
    std::vector<std::int64_t> scratch = std::vector<std::int64_t>(registry().size(), -1);
    std::vector<std::int64_t> search = std::vector<std::int64_t>(registry().size(), -1);
    std::vector<std::int64_t> row = std::vector<std::int64_t>(registry().size(), 0);
    std::int64_t state = 0;
    std::int64_t answer = 0;

    void give(placed_set& to) {
        to.scratch_words = std::move(scratch);
        to.search_words = std::move(search);
        to.row_words = std::move(row);
        to.state_words = state;
        to.answer_words = answer;
    }
};

void cuda_resident::add_needs(set_needs& needs, std::int64_t number, std::int32_t task, words_view instance) const {
    device_table const& table = cuda_device::table(task);
    std::int64_t const scratch = table.scratch_words(instance);
    std::int64_t& most = needs.scratch[std::size_t(task)];
    most = std::max(most, scratch);
    std::int64_t& search = needs.search[std::size_t(task)];
    search = std::max(search, table.improve_scratch_words(instance));
    needs.state = std::max(needs.state, table.improve_state_words(instance));
    std::int64_t const answer = table.answer_words(instance);
    needs.answer = std::max(needs.answer, answer);
    std::int64_t& row = needs.row[std::size_t(task)];
    row = std::max(row, instance.count + answer + scratch);
    launch_plan const plan = plan_launch(limits_, scratch);
    if (std::int64_t const bytes = plan.words_per_row * word_bytes;
        plan.global_scratch && bytes > max_scratch_bytes()) {
        throw error(status::out_of_memory, "instance " + std::to_string(number) + " needs " + std::to_string(bytes) +
                                               " bytes to be verified in, and the store has " +
                                               std::to_string(max_scratch_bytes()) +
                                               "; a quarter of its memory is for that");
    }
}

void cuda_resident::behind_readers() {
    if (std::exchange(lent_, false)) {
        OPTGAP_CUDA_TRY(cudaDeviceSynchronize());
    }
}

template <class Copies>
void cuda_resident::copy(Copies const& copies) {
    turn alone(*this, held_->stream.get());
    behind_readers();
    copies([&](unsigned char* to, void const* from, std::size_t bytes) {
        held_->ring.upload(to, from, std::int64_t(bytes));
    });
    held_->ring.finish();
    alone.leave();
}

std::shared_ptr<resident_set const> cuda_resident::put(instance_view instances) {
    set_columns columns;
    set_needs needs;
    for (std::int64_t i = 0; i < instances.blocks.rows; ++i) {
        words_view const words = row_of(instances.blocks, i);
        columns.add(instances.task[i], words.count);
        add_needs(needs, i, instances.task[i], words);
    }
    load(columns.task);
    std::unique_ptr<region> own;
    {
        std::lock_guard const alone(lock_);
        own = take(columns.place());
    }
    if (!own) {
        return nullptr;
    }
    unsigned char* const memory = own->memory();
    std::int32_t const* const words =
        instances.blocks.words + (instances.blocks.rows > 0 ? instances.blocks.offsets[0] : 0);
    copy([&](auto const& upload) {
        upload(memory + columns.words_at, words, std::size_t(columns.offsets.back()) * sizeof *words);
        columns.upload(memory, upload);
    });
    std::shared_ptr<placed_set> out = columns.placed(std::move(own), this);
    needs.give(*out);
    return out;
}

std::shared_ptr<resident_baselines const> cuda_resident::put(std::span<baseline const> baselines) {
    std::unique_ptr<region> own;
    {
        std::lock_guard const alone(lock_);
        own = take(std::int64_t(baselines.size_bytes()));
    }
    if (!own) {
        return nullptr;
    }
    unsigned char* const memory = own->memory();
    copy([&](auto const& upload) { upload(memory, baselines.data(), baselines.size_bytes()); });
    auto placed = std::make_shared<placed_baselines>(std::move(own));
    placed->owner = this;
    placed->count = std::int64_t(baselines.size());
    placed->rows = reinterpret_cast<baseline const*>(memory);
    return placed;
}

namespace {

/// Rows [first, first + count) of items on their way to the kernels that generate.
struct item_piece {
    std::vector<generated_item> items;
    rows_by_task lists;

    item_piece(std::span<generation const> all, std::int64_t first, std::int64_t count, std::int32_t tasks) {
        std::vector<std::int32_t> task;
        for (generation const& one : all.subspan(std::size_t(first), std::size_t(count))) {
            items.push_back({one.source, one.level});
            task.push_back(one.task);
        }
        lists = bucket_by_task(task, tasks);
    }
};

/// Queues a verb over the lists of a piece whose rows lie at `rows`.
template <class Batch>
void launch_lists(rows_by_task const& lists, std::int32_t const* rows, std::span<std::int64_t const> scratch_words,
                  launch_site const& site, cudaError_t (*device_table::*verb)(launch_site const&, row_list, Batch),
                  Batch const& batch) {
    for (std::size_t t = 0; t < scratch_words.size(); ++t) {
        row_list const list{rows + lists.begin[t], lists.begin[t + 1] - lists.begin[t], scratch_words[t]};
        if (list.count > 0) {
            OPTGAP_CUDA_TRY((cuda_device::table(std::int32_t(t)).*verb)(site, list, batch));
        }
    }
}

}  // namespace

std::int64_t cuda_resident::max_items() const {
    return piece_bytes() / std::int64_t(sizeof(generated_item) + sizeof(std::int32_t));
}

void cuda_resident::generate(std::span<generation const> items, std::span<generated_size const> sizes,
                             std::int32_t* words, std::int64_t const* offsets, std::span<std::int32_t> back) {
    device_arena& work = held_->work;
    for (std::int64_t first = 0; first < std::int64_t(items.size()); first += max_items()) {
        std::int64_t const count = std::min(max_items(), std::int64_t(items.size()) - first);
        item_piece const piece(items, first, count, tasks());
        std::vector<std::int64_t> scratch(registry().size(), 0);
        for (std::int64_t r = first; r < first + count; ++r) {
            std::int64_t& most = scratch[std::size_t(items[std::size_t(r)].task)];
            most = std::max(most, sizes[std::size_t(r)].scratch);
        }
        work.reset();
        auto* const there = work.take<generated_item>(count);
        auto* const rows = work.take<std::int32_t>(count);
        held_->ring.upload(there, piece.items.data(), count * std::int64_t(sizeof *there));
        held_->ring.upload(rows, piece.lists.rows.data(), count * std::int64_t(sizeof *rows));
        held_->ring.flush();
        launch_lists(piece.lists, rows, scratch, rest_of_work(held_->stream.get(), count), &device_table::generate,
                     generate_batch{there, offsets + first, 0, words});
    }
    held_->ring.download(words, back.data(), std::int64_t(back.size_bytes()));
    held_->ring.finish();
}

std::shared_ptr<resident_set const> cuda_resident::put(std::span<instance_spec const> specs) {
    std::vector<generation> const items = sources_of(specs, [](task_entry const& task) { return task.cuda->version; });
    std::vector<generated_size> const sizes = sizes_of(items, &cuda_device::table, run_on_this_thread);
    set_columns columns;
    for (std::size_t i = 0; i < items.size(); ++i) {
        columns.add(items[i].task, sizes[i].instance);
    }
    load(columns.task);
    std::unique_ptr<region> own;
    std::vector<std::int32_t> back;
    {
        turn alone(*this, held_->stream.get());
        behind_readers();
        own = take(columns.place());
        if (own) {
            unsigned char* const memory = own->memory();
            columns.upload(memory, [&](unsigned char* to, void const* from, std::size_t bytes) {
                held_->ring.upload(to, from, std::int64_t(bytes));
            });
            held_->ring.flush();  // the memory behind the region may be another set's
            back.resize(std::size_t(columns.offsets.back()));
            generate(items, sizes, reinterpret_cast<std::int32_t*>(memory + columns.words_at),
                     reinterpret_cast<std::int64_t const*>(memory + columns.offsets_at), back);
        }
        alone.leave();
    }
    if (!own) {
        return nullptr;
    }
    set_needs needs;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::int64_t const begin = columns.offsets[i];
        add_needs(needs, std::int64_t(i), items[i].task, {back.data() + begin, columns.offsets[i + 1] - begin});
    }
    std::shared_ptr<placed_set> out = columns.placed(std::move(own), this);
    needs.give(*out);
    return out;
}

}  // namespace optgap
