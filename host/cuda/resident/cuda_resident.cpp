// Sets and baselines in a GPU's memory, and the order of calls.

#include "host/cuda/resident/cuda_resident.cuh"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/cuda_slices.cuh"
#include "host/cuda/resident/cuda_turn.cuh"
#include "kernels/reward/reward_column.cuh"

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

cuda_resident::region::~region() {
    std::lock_guard const alone(owner_->lock_);
    owner_->regions_.give_back(begin_);
    owner_->lent_ = owner_->lent_ || lent;
}

cuda_resident::held::held(int device, std::int64_t work_bytes, std::int64_t set_bytes)
    : pinned(device, device_arena::alignment + pinned_ring::bytes_within(work_bytes)),
      ring(stream.get(), pinned.get() + device_arena::alignment, pinned_ring::bytes_within(work_bytes)),
      work(work_bytes),
      set_memory(set_bytes),
      sets(set_memory.take<unsigned char>(set_bytes)) {
    static_assert(sizeof(cuda_resident::notes) <= device_arena::alignment);
    new (pinned.get()) cuda_resident::notes();
}

std::int64_t cuda_resident::work_bytes(std::int64_t bytes) {
    return std::min<std::int64_t>(bytes / 4, std::int64_t(64) << 20) / device_arena::alignment *
           device_arena::alignment;
}

cuda_resident::cuda_resident(int ordinal, device_limits const& limits, std::int64_t bytes)
    : ordinal_(ordinal), limits_(limits), regions_(bytes - work_bytes(bytes)), loaded_(registry().size(), false) {
    OPTGAP_CUDA_TRY(load_row_list_kernels());
    OPTGAP_CUDA_TRY(load_reward_column_kernel());
    held_.emplace(ordinal, work_bytes(bytes), regions_.bytes());
    most_sorted_ = most_sorted_rows();
    most_grouped_ = most_advantages();
    try {
        load_library_kernels();
    } catch (error const&) {
        static_cast<void>(cudaStreamSynchronize(held_->stream.get()));
        throw;
    }
}

/// CUB's sort has no names to load its kernels by: it runs once.
void cuda_resident::load_library_kernels() {
    turn load(*this, held_->stream.get());
    row_sort sort;
    sort.rows = 2;
    sort.tasks = std::int32_t(registry().size());
    std::int32_t* const column = held_->work.take<std::int32_t>(2);
    OPTGAP_CUDA_TRY(cudaMemsetAsync(column, 0, 2 * sizeof *column, held_->stream.get()));
    sort.task_of = sort.row = column;
    sort.sorted_task = held_->work.take<std::int32_t>(2);
    sort.sorted_row = held_->work.take<std::int32_t>(2);
    sort.bounds = held_->work.take<row_bounds>(sort.tasks + 1);
    OPTGAP_CUDA_TRY(row_sort_temporary_bytes(sort.rows, sort.tasks, sort.temporary_bytes));
    sort.temporary = held_->work.take<unsigned char>(sort.temporary_bytes);
    OPTGAP_CUDA_TRY(launch_row_sort(held_->stream.get(), limits_, sort));
    OPTGAP_CUDA_TRY(cudaStreamSynchronize(held_->stream.get()));
    load.leave();
}

cuda_resident::~cuda_resident() {
    try {
        device_scope const here(ordinal_);
        wait_for_all();
        held_.reset();
    } catch (error const&) {  // the context is gone, and all of it with it
    }
}

void cuda_resident::wait_for_all() {
    bool const unknown = std::exchange(lent_, false) || abandoned_;
    OPTGAP_CUDA_TRY(unknown ? cudaDeviceSynchronize() : cudaEventSynchronize(held_->newest.get()));
}

void cuda_resident::load(std::vector<std::int64_t> const& scratch_words) {
    std::lock_guard const alone(lock_);
    device_scope const here(ordinal_);
    for (std::size_t task = 0; task < loaded_.size(); ++task) {
        if (scratch_words[task] >= 0 && !loaded_[task]) {
            OPTGAP_CUDA_TRY(cuda_device::table(std::int32_t(task)).load());
            loaded_[task] = true;
        }
    }
}

std::unique_ptr<cuda_resident::region> cuda_resident::take(std::int64_t bytes) {
    std::int64_t const begin = regions_.take(bytes);
    return begin < 0 ? nullptr : std::make_unique<region>(shared_from_this(), begin);
}

template <class Copies>
void cuda_resident::copy(Copies const& copies) {
    turn alone(*this, held_->stream.get());
    if (std::exchange(lent_, false)) {
        OPTGAP_CUDA_TRY(cudaDeviceSynchronize());
    }
    copies([&](unsigned char* to, void const* from, std::size_t bytes) {
        held_->ring.upload(to, from, std::int64_t(bytes));
    });
    held_->ring.finish();
    alone.leave();
}

std::shared_ptr<resident_set const> cuda_resident::put(instance_view instances) {
    std::int64_t const count = instances.blocks.rows;
    std::vector<std::int64_t> scratch(registry().size(), -1);
    std::vector<std::int64_t> offsets{0};
    std::vector<sense> direction;
    for (std::int64_t i = 0; i < count; ++i) {
        device_table const& table = cuda_device::table(instances.task[i]);
        words_view const words = row_of(instances.blocks, i);
        offsets.push_back(offsets.back() + words.count);
        direction.push_back(table.objective_sense);
        std::int64_t const needed = table.scratch_words(words);
        std::int64_t& most = scratch[std::size_t(instances.task[i])];
        most = std::max(most, needed);
        launch_plan const plan = plan_launch(limits_, needed);
        std::int64_t const bytes = plan.words_per_row * word_bytes;
        std::int64_t const room = held_->work.capacity() / 2 - device_arena::alignment;
        if (plan.global_scratch && bytes > room) {
            throw error(status::out_of_memory, "instance " + std::to_string(i) + " needs " + std::to_string(bytes) +
                                                   " bytes to be verified in, and the store has " +
                                                   std::to_string(room) + "; a quarter of its memory is for that");
        }
    }
    load(scratch);
    layout parts;
    std::int64_t const words_at = parts.add<std::int32_t>(offsets.back());
    std::int64_t const offsets_at = parts.add<std::int64_t>(count + 1);
    std::int64_t const task_at = parts.add<std::int32_t>(count);
    std::int64_t const direction_at = parts.add<sense>(count);
    std::unique_ptr<region> own;
    {
        std::lock_guard const alone(lock_);
        own = take(parts.bytes());
    }
    if (!own) {
        return nullptr;
    }
    unsigned char* const memory = own->memory();
    std::int32_t const* const words = instances.blocks.words + (count > 0 ? instances.blocks.offsets[0] : 0);
    copy([&](auto const& upload) {
        upload(memory + words_at, words, std::size_t(offsets.back()) * sizeof *words);
        upload(memory + offsets_at, offsets.data(), offsets.size() * sizeof offsets[0]);
        upload(memory + task_at, instances.task, std::size_t(count) * sizeof *instances.task);
        upload(memory + direction_at, direction.data(), direction.size() * sizeof(sense));
    });
    auto placed = std::make_shared<placed_set>(std::move(own));
    placed->owner = this;
    placed->instances = count;
    placed->words_size = offsets.back();
    placed->words = reinterpret_cast<std::int32_t const*>(memory + words_at);
    placed->offsets = reinterpret_cast<std::int64_t const*>(memory + offsets_at);
    placed->task = reinterpret_cast<std::int32_t const*>(memory + task_at);
    placed->direction = reinterpret_cast<sense const*>(memory + direction_at);
    placed->scratch_words = std::move(scratch);
    return placed;
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

void cuda_resident::start_over() {
    if (std::exchange(abandoned_, false)) {
        OPTGAP_CUDA_TRY(cudaDeviceSynchronize());
        held_->ring.clear();
    }
}

std::uint64_t cuda_resident::ended() {
    return std::atomic_ref<std::uint64_t>(told().ended).load(std::memory_order_acquire);
}

void cuda_resident::wait() {
    device_scope const here(ordinal_);
    {
        std::lock_guard const alone(lock_);
        start_over();
    }
    OPTGAP_CUDA_TRY(cudaEventSynchronize(held_->newest.get()));
}

std::string cuda_resident::fault() {
    auto const taken = [](std::int32_t& row) {
        return std::atomic_ref<std::int32_t>(row).exchange(0, std::memory_order_relaxed);
    };
    row_faults const seen{taken(told().faults.instance), taken(told().faults.answer), taken(told().faults.reward)};
    auto const row = [](std::int32_t number) { return "row " + std::to_string(number - 1) + " of an earlier call "; };
    if (seen.instance != 0) {
        return "instance_of: " + row(seen.instance) + "names no instance of its set";
    }
    if (seen.answer != 0) {
        return "answers: " + row(seen.answer) + "is no answer block within its words";
    }
    return seen.reward == 0 ? "" : "rewards: " + row(seen.reward) + "is infinite; expected a number, or NaN for none";
}

std::int64_t cuda_resident::used() const {
    std::lock_guard const alone(lock_);
    return regions_.used();
}

std::uint64_t cuda_resident::calls() const {
    std::lock_guard const alone(lock_);
    return calls_;
}

std::shared_ptr<resident> cuda_executor::make_resident(std::int64_t bytes) {
    device_scope const here(ordinal_);
    return std::make_shared<cuda_resident>(ordinal_, device_->limits(), bytes);
}

}  // namespace optgap
