#pragma once
// One GPU as the executor uses it: arena and copies, turns of callers, and the launches of a slice.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/cuda/cuda_launches.cuh"
#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_try.hpp"
#include "host/cuda/device_slices.hpp"
#include "host/executor/executor.hpp"
#include "host/process/trace.hpp"
#include "kernels/launch/device_table.cuh"
#include "kernels/registry/registry.hpp"

namespace optgap {

class cuda_device {
public:
    /// The device must be current.
    cuda_device(cuda_options const& options, cudaDeviceProp const& card, std::shared_ptr<pinned_memory> pinned)
        : ordinal_(options.ordinal),
          share_(share_of(options, card)),
          limits_(limits_of(options, card, share_.get())),
          pinned_(std::move(pinned)),
          main_(static_cast<cudaStream_t>(options.stream), share_.get()),
          launches_(options, main_.get(), limits_, pinned_->get() + pinned_ring::bytes_within(options.memory_limit),
                    share_.get()),
          arena_(options.memory_limit - pinned_bytes(options.memory_limit)),
          ring_(main_.get(), pinned_->get(), pinned_ring::bytes_within(options.memory_limit)) {}
    /// Frees the arena once no work on it is left.
    ~cuda_device() {
        try {
            if (abandoned_) {
                drain();
            }
        } catch (error const&) {  // the context is gone, and its work with it
        }
    }
    cuda_device(cuda_device const&) = delete;
    cuda_device& operator=(cuda_device const&) = delete;

    /// The pinned memory that it needs, within a limit that the arena shares.
    static std::int64_t pinned_bytes(std::int64_t limit) {
        return pinned_ring::bytes_within(limit) + launch_queue::pinned_bytes();
    }
    /// A phrase that names the multiprocessors it works on; empty: all.
    [[nodiscard]] std::string multiprocessors(cudaDeviceProp const& card) const {
        std::string const of =
            std::to_string(limits_.multiprocessors) + " of " + std::to_string(card.multiProcessorCount);
        return share_                  ? ", " + of + " multiprocessors set apart"
               : limits_.counts_blocks ? ", blocks for " + of + " multiprocessors"
                                       : "";
    }

    /// Arena bytes kept from the rows: rounding of a slice's regions, and the offsets' last entries.
    static constexpr std::int64_t overhead = 24 * device_arena::alignment;

    /// One caller's turn, with this device current and no work left over from a call that threw. A call that ends well
    /// has waited for all it queued, so a wait is needed only after a call that threw.
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
    /// The stream for launches; all uploads so far are queued before them.
    [[nodiscard]] cudaStream_t stream() {
        ring_.flush();
        return main_.get();
    }
    [[nodiscard]] std::int64_t capacity() const { return arena_.capacity(); }
    /// Bytes that the rows of a slice may take.
    [[nodiscard]] std::int64_t room() const { return arena_.capacity() - overhead; }
    /// Bytes of global memory that one row's scratch needs under a plan; 0 when it fits shared memory.
    [[nodiscard]] std::int64_t scratch_bytes(std::int64_t words, launch_queue::planner* plan = &plan_launch) const {
        launch_plan const found = plan(limits_, words);
        return found.global_scratch ? found.words_per_row * std::int64_t(sizeof(std::int32_t)) : 0;
    }
    [[nodiscard]] static device_table const& table(std::int32_t task) { return launch_queue::table(std::size_t(task)); }

    /// Frees all of the arena's regions; the slice before must have ended with `finish`.
    void begin_slice() { arena_.reset(); }
    template <class T>
    [[nodiscard]] T* take(std::int64_t count) {
        return arena_.take<T>(count);
    }
    /// Zeroed memory, for columns that are copied out as a whole though rows fill only a part of theirs.
    template <class T>
    [[nodiscard]] T* take_zeroed(std::int64_t count) {
        T* const region = arena_.take<T>(count);
        ring_.flush();
        OPTGAP_CUDA_TRY(cudaMemsetAsync(region, 0, std::size_t(count) * sizeof(T), main_.get()));
        return region;
    }
    /// Values copied into the arena.
    template <class T, std::size_t Extent>
    [[nodiscard]] std::remove_const_t<T>* put(std::span<T, Extent> values) {
        return gather<std::remove_const_t<T>>(std::int64_t(values.size()), [&](auto const& append) {
            append(values.data(), std::int64_t(values.size_bytes()));
        });
    }
    template <class T>
    [[nodiscard]] T* put(std::vector<T> const& values) {
        return put(std::span<T const>(values));
    }
    /// `count` values in the arena, which `fill(append)` gives range by range: append(from, bytes).
    template <class T, class Fill>
    [[nodiscard]] T* gather(std::int64_t count, Fill const& fill) {
        trace::range const here(trace::name::device_upload);
        T* const region = arena_.take<T>(count);
        auto* to = reinterpret_cast<unsigned char*>(region);
        fill([&](void const* from, std::int64_t bytes) {
            ring_.upload(to, from, bytes);
            to += bytes;
        });
        return region;
    }
    /// Queues a copy to the host, complete after `finish`.
    template <class T>
    void get(T const* from, std::span<T> to) {
        ring_.download(from, to.data(), std::int64_t(to.size_bytes()));
    }
    void finish() {
        finish_copies();
        launches_.learn({});
    }
    /// `finish` for searches, in two parts: the copied results show how many steps each task's searches made.
    void finish_copies() {
        trace::range const here(trace::name::device_download);
        ring_.finish();
    }
    void finish_searches(std::span<std::int64_t const> moves) { launches_.learn(moves); }

    /// See launch_queue::run.
    template <class Batch>
    void launch_tasks(rows_by_task const& lists, std::vector<std::int64_t> const& scratch_words,
                      cudaError_t (*device_table::*verb)(launch_site const&, row_list, Batch), Batch const& batch,
                      row_load const& load) {
        trace::range const here(trace::name::device_kernels);
        launches_.run(place(lists, scratch_words), verb, batch, load);
    }
    /// See launch_queue::search.
    void search_tasks(rows_by_task const& lists, std::vector<std::int64_t> const& scratch_words,
                      improve_batch const& batch, row_load const& load, std::int64_t steps) {
        trace::range const here(trace::name::device_kernels);
        launches_.search(place(lists, scratch_words), batch, load, steps);
    }

private:
    /// Places all that a slice's launches need behind its other regions; their scratch takes the rest of the arena.
    [[nodiscard]] placed_lists place(rows_by_task const& lists, std::vector<std::int64_t> const& scratch_words) {
        std::int32_t const* const rows = put(lists.rows);
        std::int64_t const left = arena_.left();
        ring_.flush();
        return {lists, scratch_words, rows, arena_.take<std::int32_t>(left / std::int64_t(sizeof(std::int32_t))), left};
    }
    void drain() {
        OPTGAP_CUDA_TRY(cudaStreamSynchronize(main_.get()));
        launches_.drain();
        ring_.clear();
    }
    static bool is_limited(cuda_options const& options, cudaDeviceProp const& card) {
        return options.multiprocessors > 0 && options.multiprocessors < card.multiProcessorCount;
    }
    /// A caller's stream keeps the multiprocessors with which the caller made it.
    static std::unique_ptr<multiprocessor_share> share_of(cuda_options const& options, cudaDeviceProp const& card) {
        return is_limited(options, card) && options.stream == nullptr
                   ? multiprocessor_share::of(options.ordinal, card, options.multiprocessors)
                   : nullptr;
    }
    static device_limits limits_of(cuda_options const& options, cudaDeviceProp const& card,
                                   multiprocessor_share const* share) {
        device_limits limits;
        limits.multiprocessors = share != nullptr            ? share->multiprocessors()
                                 : is_limited(options, card) ? options.multiprocessors
                                                             : card.multiProcessorCount;
        limits.counts_blocks = share == nullptr && is_limited(options, card);
        limits.shared_per_block = std::int64_t(card.sharedMemPerBlockOptin);
        limits.shared_per_multiprocessor = std::int64_t(card.sharedMemPerMultiprocessor);
        limits.shared_reserved = std::int64_t(card.reservedSharedMemPerBlock);
        return limits;
    }

    std::mutex turn_;
    bool abandoned_ = false;  ///< the last call threw: copies and kernels may be under way
    int ordinal_;
    std::unique_ptr<multiprocessor_share> share_;
    device_limits limits_;
    std::shared_ptr<pinned_memory> pinned_;
    quiet_stream main_;
    launch_queue launches_;
    device_arena arena_;
    pinned_ring ring_;
};

}  // namespace optgap
