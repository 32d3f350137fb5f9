#pragma once
// The CUDA executor's resources: streams, one device arena of constant size, and one ring of pinned pieces through
// which all copies go. Everything is allocated at creation; a batch allocates nothing. Making and freeing them waits
// for no work of others on the GPU.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "host/cuda/cuda_driver.hpp"
#include "host/cuda/cuda_share.hpp"
#include "host/cuda/cuda_try.hpp"

namespace optgap {

/// Lets this thread make the calls that a graph capture of another thread forbids to all of them by default
/// (cudaStreamCaptureModeGlobal): allocations, and waits for events. None of the executor's calls can be part of that
/// graph.
class beside_captures {
public:
    beside_captures() { OPTGAP_CUDA_TRY(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~beside_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    beside_captures(beside_captures const&) = delete;
    beside_captures& operator=(beside_captures const&) = delete;

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Makes one device current for the life of the object, then restores the caller's. It does not restore a device
/// without a context: a thread that never chose a GPU counts as one on the first, and cudaSetDevice would make a
/// context there.
class device_scope {
public:
    explicit device_scope(int device) {
        OPTGAP_CUDA_TRY(cudaGetDevice(&before_));
        if (before_ != device) {
            OPTGAP_CUDA_TRY(cudaSetDevice(device));
        }
        changed_ = before_ != device;
    }
    ~device_scope() {
        if (changed_ && has_context(before_)) {
            cudaSetDevice(before_);
        }
    }
    device_scope(device_scope const&) = delete;
    device_scope& operator=(device_scope const&) = delete;

private:
    beside_captures relaxed_;
    int before_ = 0;
    bool changed_ = false;
};

/// A stream of the lowest priority: a trainer's kernels go first. Or the caller's, which is only borrowed.
class quiet_stream {
public:
    /// On the multiprocessors of `share`, if there is one.
    explicit quiet_stream(cudaStream_t borrowed, multiprocessor_share const* share = nullptr)
        : stream_(borrowed), borrowed_(borrowed != nullptr) {
        if (borrowed_) {
            return;
        }
        int least = 0;
        int greatest = 0;
        OPTGAP_CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        if (share != nullptr) {
            stream_ = share->make_stream(least);
            OPTGAP_CUDA_TRY(stream_ != nullptr ? cudaSuccess : cudaErrorNotSupported);
            return;
        }
        OPTGAP_CUDA_TRY(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, least));
    }
    quiet_stream() : quiet_stream(nullptr) {}
    ~quiet_stream() {
        if (stream_ != nullptr && !borrowed_) {
            cudaStreamDestroy(stream_);
        }
    }
    quiet_stream(quiet_stream const&) = delete;
    quiet_stream& operator=(quiet_stream const&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_;
    bool borrowed_;
};

/// An event whose waiter sleeps. `device_event(cudaEventDefault)` also records the time.
class device_event {
public:
    explicit device_event(unsigned flags = cudaEventDisableTiming | cudaEventBlockingSync) {
        OPTGAP_CUDA_TRY(cudaEventCreateWithFlags(&event_, flags));
    }
    ~device_event() {
        if (event_ != nullptr) {
            cudaEventDestroy(event_);
        }
    }
    device_event(device_event const&) = delete;
    device_event& operator=(device_event const&) = delete;
    [[nodiscard]] cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

/// A block of the current device's memory. cudaMalloc and cudaFree may wait for all that is queued on the device. The
/// calls of a pool wait for one stream alone, here a stream of their own, so that the block is made and freed beside a
/// trainer's work. The card's work on it must have ended before it is freed.
class device_memory {
public:
    explicit device_memory(std::int64_t bytes) {
        int device = 0;
        int pools = 0;
        OPTGAP_CUDA_TRY(cudaGetDevice(&device));
        OPTGAP_CUDA_TRY(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device));
        if (pools == 0) {
            OPTGAP_CUDA_TRY(cudaMalloc(&memory_, std::size_t(bytes)));
            return;
        }
        cudaMemPoolProps wanted{};
        wanted.allocType = cudaMemAllocationTypePinned;
        wanted.location.type = cudaMemLocationTypeDevice;
        wanted.location.id = device;
        OPTGAP_CUDA_TRY(cudaMemPoolCreate(&pool_, &wanted));
        cudaError_t const made = cudaMallocFromPoolAsync(&memory_, std::size_t(bytes), pool_, stream_.get());
        cudaError_t const there = made == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : made;
        if (there != cudaSuccess) {
            give_back();
            OPTGAP_CUDA_TRY(there);
        }
    }
    ~device_memory() { give_back(); }
    device_memory(device_memory const&) = delete;
    device_memory& operator=(device_memory const&) = delete;
    [[nodiscard]] unsigned char* get() const { return static_cast<unsigned char*>(memory_); }

private:
    /// A pool keeps freed memory until its stream's next wait.
    void give_back() {
        if (pool_ == nullptr) {
            cudaFree(memory_);
            return;
        }
        if (memory_ != nullptr) {
            cudaFreeAsync(memory_, stream_.get());
            cudaStreamSynchronize(stream_.get());
        }
        cudaMemPoolDestroy(pool_);
    }

    quiet_stream stream_;
    cudaMemPool_t pool_ = nullptr;
    void* memory_ = nullptr;
};

/// One block, handed out from front to back and taken back as a whole.
class device_arena {
public:
    /// Every region begins on such a boundary, so it takes at most this much more than its size.
    static constexpr std::int64_t alignment = 256;

    explicit device_arena(std::int64_t bytes) : capacity_(bytes / alignment * alignment), memory_(capacity_) {}

    [[nodiscard]] std::int64_t capacity() const { return capacity_; }
    [[nodiscard]] std::int64_t left() const { return capacity_ - used_; }
    void reset() { used_ = 0; }
    /// Uninitialised memory for `count` values.
    template <class T>
    [[nodiscard]] T* take(std::int64_t count) {
        std::int64_t const bytes = (count * std::int64_t(sizeof(T)) + alignment - 1) / alignment * alignment;
        if (bytes > left()) {
            throw error(status::out_of_memory, "the device arena holds " + std::to_string(capacity_) +
                                                   " bytes, and a slice needs " + std::to_string(used_ + bytes));
        }
        T* const region = reinterpret_cast<T*>(memory_.get() + used_);
        used_ += bytes;
        return region;
    }

private:
    std::int64_t capacity_;
    std::int64_t used_ = 0;
    device_memory memory_;
};

/// Host memory that the card reads and writes. Allocating and freeing it may wait for the whole device.
class pinned_memory {
public:
    pinned_memory(int device, std::int64_t bytes) : device_(device) {
        OPTGAP_CUDA_TRY(cudaHostAlloc(reinterpret_cast<void**>(&memory_), std::size_t(bytes), cudaHostAllocDefault));
    }
    ~pinned_memory() {
        std::optional<device_scope> here;
        try {
            here.emplace(device_);
        } catch (error const&) {  // the context is gone; the memory is the host's
        }
        cudaFreeHost(memory_);
    }
    pinned_memory(pinned_memory const&) = delete;
    pinned_memory& operator=(pinned_memory const&) = delete;
    [[nodiscard]] unsigned char* get() const { return memory_; }

private:
    int device_;
    unsigned char* memory_ = nullptr;
};

/// Waits awake for as long as a small call takes, then asleep, since a sleeping thread wakes late.
inline void await(cudaEvent_t event) {
    constexpr std::chrono::microseconds awake(50);
    auto const until = std::chrono::steady_clock::now() + awake;
    do {
        if (has_ended(event)) {
            return;
        }
    } while (std::chrono::steady_clock::now() < until);
    OPTGAP_CUDA_TRY(cudaEventSynchronize(event));
}

/// Copies between pageable host memory and the device, piece by piece, while earlier pieces are still under way. The
/// caller's memory is not read after `upload` has returned, nor written before `finish` is called.
class pinned_ring {
public:
    /// The ring's bytes for a limit that the arena shares: a sixteenth, in pieces from 4 KiB to 4 MiB.
    static constexpr std::int64_t bytes_within(std::int64_t limit) {
        return pieces * std::clamp<std::int64_t>(limit / (16 * pieces) / 256 * 256, 4 << 10, 4 << 20);
    }

    /// `memory` is the caller's: `bytes` bytes that the card reads and writes.
    pinned_ring(cudaStream_t stream, unsigned char* memory, std::int64_t bytes)
        : stream_(stream), piece_bytes_(bytes / pieces), memory_(memory) {}

    /// Queues bytes for the device, after `flush` at the latest. Those for regions near each other in the arena share a
    /// piece and a copy, which overwrites what lies between: nothing on the device may have been written there since
    /// `flush`.
    void upload(void* to, void const* from, std::int64_t bytes) {
        auto* target = static_cast<unsigned char*>(to);
        auto const* source = static_cast<unsigned char const*>(from);
        while (bytes > 0) {
            std::int64_t const gap = filled_ > 0 ? target - (open_to_ + filled_) : 0;
            if (gap < 0 || gap > largest_gap || filled_ + gap >= piece_bytes_) {
                flush();
            }
            if (filled_ == 0) {
                open_ = acquire();
                open_to_ = target;
            } else {
                filled_ += gap;
            }
            std::int64_t const part = std::min(bytes, piece_bytes_ - filled_);
            std::memcpy(memory_of(open_) + filled_, source, std::size_t(part));
            filled_ += part;
            target += part;
            source += part;
            bytes -= part;
        }
    }
    /// Work that is queued on the stream from here on sees all uploaded bytes.
    void flush() {
        if (filled_ > 0) {
            OPTGAP_CUDA_TRY(cudaMemcpyAsync(open_to_, memory_of(open_), std::size_t(std::exchange(filled_, 0)),
                                            cudaMemcpyHostToDevice, stream_));
            mark(open_, nullptr, 0);
        }
    }

    /// Queues copies to the host; the bytes are there after `finish`.
    void download(void const* from, void* to, std::int64_t bytes) {
        flush();
        auto const* source = static_cast<unsigned char const*>(from);
        auto* target = static_cast<unsigned char*>(to);
        while (bytes > 0) {
            std::int64_t const part = std::min(bytes, piece_bytes_);
            std::size_t const piece = acquire();
            OPTGAP_CUDA_TRY(
                cudaMemcpyAsync(memory_of(piece), source, std::size_t(part), cudaMemcpyDeviceToHost, stream_));
            mark(piece, target, part);
            source += part;
            target += part;
            bytes -= part;
        }
    }
    /// Waits for all copies, by waiting for the youngest: a stream keeps their order.
    void finish() {
        flush();
        staging const& youngest = pieces_[(next_ + pieces_.size() - 1) % pieces_.size()];
        if (youngest.busy) {
            await(youngest.done.get());
        }
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            take_out((next_ + k) % pieces_.size());
        }
    }
    /// Forgets what an abandoned call left under way; the stream must be idle.
    void clear() {
        filled_ = 0;
        for (staging& p : pieces_) {
            p.busy = false;
        }
    }

private:
    struct staging {
        device_event done;
        unsigned char* to = nullptr;
        std::int64_t bytes = 0;
        bool busy = false;
    };

    [[nodiscard]] unsigned char* memory_of(std::size_t piece) { return memory_ + std::int64_t(piece) * piece_bytes_; }
    /// The oldest piece, free for use.
    [[nodiscard]] std::size_t acquire() {
        std::size_t const piece = next_;
        next_ = (next_ + 1) % pieces_.size();
        settle(piece);
        return piece;
    }
    void mark(std::size_t index, unsigned char* to, std::int64_t bytes) {
        staging& p = pieces_[index];
        OPTGAP_CUDA_TRY(cudaEventRecord(p.done.get(), stream_));
        p.to = to;
        p.bytes = bytes;
        p.busy = true;
    }
    void settle(std::size_t index) {
        if (pieces_[index].busy) {
            OPTGAP_CUDA_TRY(cudaEventSynchronize(pieces_[index].done.get()));
            take_out(index);
        }
    }
    /// Copies a piece out whose copy from the device has ended.
    void take_out(std::size_t index) {
        staging& p = pieces_[index];
        if (std::exchange(p.busy, false) && p.to != nullptr) {
            std::memcpy(p.to, memory_of(index), std::size_t(p.bytes));
        }
    }

    static constexpr std::int64_t pieces = 4;
    static constexpr std::int64_t largest_gap = 4 << 10;  ///< a copy of its own costs the host more than these bytes

    cudaStream_t stream_;
    std::int64_t piece_bytes_;
    std::array<staging, std::size_t(pieces)> pieces_;
    std::size_t next_ = 0;
    std::size_t open_ = 0;              ///< the piece that is being filled, where `filled_` says so
    std::int64_t filled_ = 0;           ///< its bytes
    unsigned char* open_to_ = nullptr;  ///< where they go
    unsigned char* memory_;
};

}  // namespace optgap

#endif
