// The sets that a GPU keeps for a store, and the order of calls.

#include "host/cuda/resident/cuda_resident.cuh"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "host/cuda/cuda_executor.cuh"
#include "host/cuda/resident/cuda_turn.cuh"
#include "kernels/launch/found_answers.cuh"
#include "kernels/launch/library_rows.hpp"
#include "kernels/reward/reward_column.cuh"

namespace optgap {

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
    return std::min<std::int64_t>(bytes / 4, std::int64_t(256) << 20) / device_arena::alignment *
           device_arena::alignment;
}

cuda_resident::cuda_resident(int ordinal, device_limits const& limits, std::int64_t bytes)
    : ordinal_(ordinal), limits_(limits), regions_(bytes - work_bytes(bytes)), loaded_(registry().size(), false) {
    OPTGAP_CUDA_TRY(load_row_list_kernels());
    OPTGAP_CUDA_TRY(load_reward_column_kernel());
    OPTGAP_CUDA_TRY(load_found_answers_kernels());
    held_.emplace(ordinal, work_bytes(bytes), regions_.bytes());
    max_sorted_ = max_sorted_rows();
    max_grouped_ = max_advantages();
    try {
        load_library_kernels();
    } catch (error const&) {
        static_cast<void>(cudaStreamSynchronize(held_->stream.get()));
        throw;
    }
}

/// Makes each call of CUB that a verb makes, on zeros, with as many rows as a verb may have at once.
void cuda_resident::load_library_kernels() {
    cudaStream_t const stream = held_->stream.get();
    turn load(*this, stream);
    for (std::int32_t const wanted : library_rows) {
        std::int64_t const rows = std::min<std::int64_t>(wanted, std::max(max_sorted_, max_grouped_));
        auto* const zeros = reinterpret_cast<std::int32_t*>(held_->sets);
        OPTGAP_CUDA_TRY(cudaMemsetAsync(zeros, 0, std::size_t(rows) * sizeof *zeros, stream));
        row_check piece;
        piece.rows = std::min(rows, max_sorted_);
        piece.task_of = piece.row = zeros;
        held_->work.reset();
        sort_piece(stream, piece);
        held_->work.reset();
        group_rows(stream, {reinterpret_cast<float const*>(zeros), zeros, std::min(rows, max_grouped_)}, {},
                   reinterpret_cast<float*>(zeros + rows));
    }
    held_->work.reset();
    try_found_answers();
    OPTGAP_CUDA_TRY(cudaEventRecord(held_->newest.get(), stream));
    OPTGAP_CUDA_TRY(cudaStreamSynchronize(stream));
    load.leave();
}

cuda_resident::~cuda_resident() {
    try {
        device_scope const here(ordinal_);
        wait_for_all();
        held_.reset();
    } catch (error const&) {  // the context is gone, and all of this with it
    }
}

void cuda_resident::wait_for_all() {
    bool const unknown = std::exchange(lent_, false) || abandoned_;
    OPTGAP_CUDA_TRY(unknown ? cudaDeviceSynchronize() : cudaEventSynchronize(held_->newest.get()));
}

void cuda_resident::load(std::span<std::int32_t const> tasks) {
    std::lock_guard const alone(lock_);
    device_scope const here(ordinal_);
    for (std::int32_t const task : tasks) {
        if (!loaded_[std::size_t(task)]) {
            OPTGAP_CUDA_TRY(cuda_device::table(task).load());
            loaded_[std::size_t(task)] = true;
        }
    }
}

std::unique_ptr<cuda_resident::region> cuda_resident::take(std::int64_t bytes) {
    std::int64_t const begin = regions_.take(bytes);
    return begin < 0 ? nullptr : std::make_unique<region>(shared_from_this(), begin);
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
    row_faults& told_of = told().faults;
    row_faults const seen{taken(told_of.instance), taken(told_of.answer), taken(told_of.start), taken(told_of.reward)};
    auto const row = [](std::int32_t number) { return "row " + std::to_string(number - 1) + " of an earlier call "; };
    if (seen.instance != 0) {
        return "instance_of: " + row(seen.instance) + "names no instance of its set";
    }
    if (seen.answer != 0) {
        return "answers: " + row(seen.answer) + "is no answer block within its words";
    }
    if (seen.start != 0) {
        return "answers: " + row(seen.start) + "is longer than the words that each row of the search has";
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
