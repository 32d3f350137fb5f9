#pragma once
// One GPU as the executor uses it: streams, arena and copies, and the launches of a slice.

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "host/cuda_memory.hpp"
#include "host/cuda_try.hpp"
#include "host/device_slices.hpp"
#include "host/registry.hpp"
#include "host/trace.hpp"
#include "kernels/core/device_table.cuh"

namespace optgap {

class cuda_device {
public:
    cuda_device(int ordinal, cudaDeviceProp const& card, std::int64_t arena_bytes)
        : ordinal_(ordinal), arena_(arena_bytes), ring_(main_.get()) {
        limits_.multiprocessors = card.multiProcessorCount;
        limits_.shared_per_block = std::int64_t(card.sharedMemPerBlockOptin);
        limits_.shared_per_multiprocessor = std::int64_t(card.sharedMemPerMultiprocessor);
        limits_.shared_reserved = std::int64_t(card.reservedSharedMemPerBlock);
    }

    /// Arena bytes kept from the rows: rounding of a slice's regions, the offsets' last entries, the tickets.
    static constexpr std::int64_t overhead = 24 * device_arena::alignment;

    /// One caller at a time, with this device current and nothing left over from a call that threw.
    class call {
    public:
        explicit call(cuda_device& owner) : turn_(owner.turn_), scope_(owner.ordinal_) {
            OPTGAP_CUDA_TRY(cudaStreamSynchronize(owner.main_.get()));
            for (quiet_stream const& side : owner.sides_) {
                OPTGAP_CUDA_TRY(cudaStreamSynchronize(side.get()));
            }
            owner.ring_.clear();
            owner.arena_.reset();
        }

    private:
        std::lock_guard<std::mutex> turn_;
        device_scope scope_;
    };

    [[nodiscard]] device_limits const& limits() const { return limits_; }
    [[nodiscard]] cudaStream_t stream() const { return main_.get(); }
    [[nodiscard]] std::int64_t capacity() const { return arena_.capacity(); }
    /// Bytes that the rows of a slice may take.
    [[nodiscard]] std::int64_t room() const {
        return arena_.capacity() - overhead - std::int64_t(registry().size() * sizeof(std::int32_t));
    }
    /// Bytes of global memory one warp needs; 0 when its scratch fits shared memory.
    [[nodiscard]] std::int64_t scratch_bytes(std::int64_t words) const {
        launch_plan const plan = plan_launch(limits_, words);
        return plan.global_scratch ? plan.words_per_warp * std::int64_t(sizeof(std::int32_t)) : 0;
    }
    [[nodiscard]] static device_table const& table(std::int32_t task) { return *registry()[std::size_t(task)].cuda; }

    /// Gives all memory back; the slice before must have ended with `finish`.
    void begin_slice() { arena_.reset(); }
    template <class T>
    [[nodiscard]] T* take(std::int64_t count) {
        return arena_.take<T>(count);
    }
    /// Zeros, for memory that is copied out as a whole though rows fill only a part of theirs.
    template <class T>
    [[nodiscard]] T* take_zeroed(std::int64_t count) {
        T* const region = arena_.take<T>(count);
        OPTGAP_CUDA_TRY(cudaMemsetAsync(region, 0, std::size_t(count) * sizeof(T), main_.get()));
        return region;
    }
    /// Values copied into the arena.
    template <class T, std::size_t Extent>
    [[nodiscard]] std::remove_const_t<T>* put(std::span<T, Extent> values) {
        return gather<std::remove_const_t<T>>(std::int64_t(values.size()), [&](pinned_ring::upload& up) {
            up.append(values.data(), std::int64_t(values.size_bytes()));
        });
    }
    template <class T>
    [[nodiscard]] T* put(std::vector<T> const& values) {
        return put(std::span<T const>(values));
    }
    /// `count` values in the arena, which `fill(upload)` appends piece by piece.
    template <class T, class Fill>
    [[nodiscard]] T* gather(std::int64_t count, Fill const& fill) {
        trace::range const here(trace::name::device_upload);
        T* const region = arena_.take<T>(count);
        pinned_ring::upload up(ring_, region);
        fill(up);
        up.flush();
        return region;
    }
    /// Queues a copy to the host, complete after `finish`.
    template <class T>
    void get(T const* from, std::span<T> to) {
        ring_.download(from, to.data(), std::int64_t(to.size_bytes()));
    }
    void finish() {
        trace::range const here(trace::name::device_download);
        ring_.finish();
    }

    /// One task after the other onto the side streams, so that small launches overlap. Launches whose scratch lives in
    /// global memory share what is left of the arena, and therefore run one after the other on the main stream.
    template <class Batch>
    void launch_tasks(rows_by_task const& lists, std::vector<std::int64_t> const& scratch_words,
                      cudaError_t (*device_table::*verb)(launch_site const&, row_list, Batch), Batch const& batch) {
        trace::range const here(trace::name::device_kernels);
        std::size_t const tasks = scratch_words.size();
        std::int32_t const* const rows = put(lists.rows);
        std::int32_t* const tickets = arena_.take<std::int32_t>(std::int64_t(tasks));
        std::int64_t const left = arena_.left();
        std::int32_t* const scratch = arena_.take<std::int32_t>(left / std::int64_t(sizeof(std::int32_t)));
        OPTGAP_CUDA_TRY(cudaEventRecord(main_reached_.get(), main_.get()));
        std::size_t used = 0;
        for (std::size_t t = 0; t < tasks; ++t) {
            row_list const list{rows + lists.begin[t], lists.begin[t + 1] - lists.begin[t], scratch_words[t]};
            if (list.count == 0) {
                continue;
            }
            launch_site site{main_.get(), limits_, tickets + t, scratch, left};
            if (!plan_launch(limits_, list.scratch_words).global_scratch) {
                site.stream = sides_[used++ % sides_.size()].get();
                OPTGAP_CUDA_TRY(cudaStreamWaitEvent(site.stream, main_reached_.get(), 0));
            }
            OPTGAP_CUDA_TRY((table(std::int32_t(t)).*verb)(site, list, batch));
        }
        for (std::size_t side = 0; side < std::min(used, sides_.size()); ++side) {
            OPTGAP_CUDA_TRY(cudaEventRecord(side_reached_[side].get(), sides_[side].get()));
            OPTGAP_CUDA_TRY(cudaStreamWaitEvent(main_.get(), side_reached_[side].get(), 0));
        }
    }

private:
    static constexpr std::size_t side_streams = 4;

    std::mutex turn_;
    int ordinal_;
    device_limits limits_;
    quiet_stream main_;
    std::array<quiet_stream, side_streams> sides_;
    device_event main_reached_;
    std::array<device_event, side_streams> side_reached_;
    device_arena arena_;
    pinned_ring ring_;
};

}  // namespace optgap
