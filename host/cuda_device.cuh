#pragma once
// One GPU as the executor uses it: streams, arena and copies, and the launches of a slice.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "host/cuda_memory.hpp"
#include "host/cuda_try.hpp"
#include "host/device_slices.hpp"
#include "host/executor.hpp"
#include "host/launch_pace.hpp"
#include "host/registry.hpp"
#include "host/trace.hpp"
#include "kernels/core/device_table.cuh"

namespace optgap {

class cuda_device {
public:
    /// The device must be current.
    cuda_device(cuda_options const& options, cudaDeviceProp const& card)
        : ordinal_(options.ordinal),
          main_(static_cast<cudaStream_t>(options.stream)),
          clocks_(registry().size()),
          pace_(registry().size(), options.launch_seconds),
          arena_(options.memory_limit - pinned_ring::bytes_within(options.memory_limit)),
          ring_(main_.get(), pinned_ring::bytes_within(options.memory_limit)) {
        for (std::size_t side = 0; options.stream == nullptr && side < side_streams; ++side) {
            sides_.emplace_back();
        }
        limits_.multiprocessors = card.multiProcessorCount;
        if (options.multiprocessors > 0) {
            limits_.multiprocessors = std::min(limits_.multiprocessors, options.multiprocessors);
        }
        limits_.shared_per_block = std::int64_t(card.sharedMemPerBlockOptin);
        limits_.shared_per_multiprocessor = std::int64_t(card.sharedMemPerMultiprocessor);
        limits_.shared_reserved = std::int64_t(card.reservedSharedMemPerBlock);
    }

    /// Arena bytes kept from the rows: rounding of a slice's regions, the offsets' last entries, the tickets.
    static constexpr std::int64_t overhead = 24 * device_arena::alignment;

    /// One caller at a time, with this device current and nothing left over from a call that threw. A call that ends
    /// well has waited for all it queued; only after one that did not is there something to wait for.
    class call {
    public:
        explicit call(cuda_device& owner) : owner_(owner), turn_(owner.turn_), scope_(owner.ordinal_) {
            if (owner.abandoned_) {
                owner.drain();
            }
            owner.abandoned_ = true;
        }
        ~call() { owner_.abandoned_ = std::uncaught_exceptions() > thrown_before_; }
        call(call const&) = delete;
        call& operator=(call const&) = delete;

    private:
        cuda_device& owner_;
        std::lock_guard<std::mutex> turn_;
        device_scope scope_;
        int thrown_before_ = std::uncaught_exceptions();
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
        learn_pace();
    }

    /// One task after the other onto the side streams, so that small launches overlap. Launches whose scratch lives in
    /// global memory share what is left of the arena, and therefore run one after the other on the main stream; so does
    /// everything on a caller's stream. `load` says what a row costs: the verb, and the words of the largest row of
    /// each task and the steps that the cost grows with.
    template <class Batch>
    void launch_tasks(rows_by_task const& lists, std::vector<std::int64_t> const& scratch_words,
                      cudaError_t (*device_table::*verb)(launch_site const&, row_list, Batch), Batch const& batch,
                      row_load const& load) {
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
            if (!sides_.empty() && !plan_launch(limits_, list.scratch_words).global_scratch) {
                site.stream = sides_[used++ % sides_.size()].get();
                OPTGAP_CUDA_TRY(cudaStreamWaitEvent(site.stream, main_reached_.get(), 0));
            }
            timed_list const timed{t, {load.verb, t, load.words[t], load.steps}, list.count};
            site.rows_per_launch = pace_.rows(timed.work);
            // Fewer rows than the card has room for say little of its rate.
            bool const telling = list.count >= std::int64_t(limits_.multiprocessors) * launch_policy::warps_wanted;
            if (telling) {
                OPTGAP_CUDA_TRY(cudaEventRecord(clocks_[t].begin.get(), site.stream));
            }
            OPTGAP_CUDA_TRY((table(std::int32_t(t)).*verb)(site, list, batch));
            if (telling) {
                OPTGAP_CUDA_TRY(cudaEventRecord(clocks_[t].end.get(), site.stream));
                timed_.push_back(timed);
            }
        }
        for (std::size_t side = 0; side < std::min(used, sides_.size()); ++side) {
            OPTGAP_CUDA_TRY(cudaEventRecord(side_reached_[side].get(), sides_[side].get()));
            OPTGAP_CUDA_TRY(cudaStreamWaitEvent(main_.get(), side_reached_[side].get(), 0));
        }
    }

private:
    static constexpr std::size_t side_streams = 4;

    struct stretch {
        device_event begin{cudaEventDefault};
        device_event end{cudaEventDefault};
    };
    struct timed_list {
        std::size_t task;
        launch_work work;
        std::int64_t rows;
    };

    void drain() {
        OPTGAP_CUDA_TRY(cudaStreamSynchronize(main_.get()));
        for (quiet_stream const& side : sides_) {
            OPTGAP_CUDA_TRY(cudaStreamSynchronize(side.get()));
        }
        ring_.clear();
        timed_.clear();
    }
    /// All launches have ended: the last copy waited for them.
    void learn_pace() {
        for (timed_list const& list : timed_) {
            float milliseconds = 0;
            OPTGAP_CUDA_TRY(
                cudaEventElapsedTime(&milliseconds, clocks_[list.task].begin.get(), clocks_[list.task].end.get()));
            pace_.learn(list.work, list.rows, double(milliseconds) * 1e-3);
        }
        timed_.clear();
    }

    std::mutex turn_;
    bool abandoned_ = false;  ///< the last call threw: copies and kernels may be under way
    int ordinal_;
    device_limits limits_;
    quiet_stream main_;
    std::deque<quiet_stream> sides_;  ///< none beside a caller's stream
    device_event main_reached_;
    std::array<device_event, side_streams> side_reached_;
    std::deque<stretch> clocks_;  ///< per task
    std::vector<timed_list> timed_;
    launch_pace pace_;
    device_arena arena_;
    pinned_ring ring_;
};

}  // namespace optgap
