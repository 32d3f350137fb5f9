#pragma once
// Streams beside a main one, for launches that do not depend on each other: each goes behind what the main stream holds
// when it is forked, and the main stream goes on behind all of them.

#if __has_include(<cuda_runtime_api.h>)

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_share.hpp"
#include "host/cuda/cuda_try.hpp"
#include "kernels/launch/launch_plan.hpp"

namespace optgap {

/// Not thread-safe. A fork that is not joined leaves work under way that the main stream does not wait for: see
/// `joined`.
class side_streams {
public:
    explicit side_streams(std::size_t count, multiprocessor_share const* share = nullptr) {
        for (; count > 0; --count) {
            sides_.emplace_back(share);
        }
    }

    /// Without `beside` all launches go onto `main` itself.
    void fork(cudaStream_t main, bool beside) {
        main_ = main;
        beside_ = beside && !sides_.empty();
        for (side& one : sides_) {
            one.work = 0;
        }
        if (beside_) {
            forked_from_ = main;
            OPTGAP_CUDA_TRY(cudaEventRecord(main_reached_.get(), main_));
        }
    }
    /// The stream of a launch with this share of the work: the one that has least to do. Launches whose scratch lives
    /// in global memory share it, and therefore run one after the other on the main stream.
    [[nodiscard]] cudaStream_t stream_for(launch_plan const& plan, std::int64_t work = 1) {
        if (!beside_ || plan.global_scratch) {
            return main_;
        }
        side& least = *std::min_element(sides_.begin(), sides_.end(),
                                        [](side const& a, side const& b) { return a.work < b.work; });
        if (least.work == 0) {
            OPTGAP_CUDA_TRY(cudaStreamWaitEvent(least.stream.get(), main_reached_.get(), 0));
        }
        least.work += std::max<std::int64_t>(work, 1);
        return least.stream.get();
    }
    void join() {
        for (side& one : sides_) {
            if (one.work > 0) {
                OPTGAP_CUDA_TRY(cudaEventRecord(one.reached.get(), one.stream.get()));
                OPTGAP_CUDA_TRY(cudaStreamWaitEvent(main_, one.reached.get(), 0));
                one.work = 0;
            }
        }
    }
    /// Joins when an error ends the forked work, so that a wait for the main stream waits for all of it.
    class joined {
    public:
        explicit joined(side_streams& sides) : sides_(sides) {}
        ~joined() {
            try {
                sides_.join();
            } catch (error const&) {  // the earlier error is reported
            }
        }
        joined(joined const&) = delete;
        joined& operator=(joined const&) = delete;

    private:
        side_streams& sides_;
    };
    /// Whether no capture of another stream holds the side streams. A capture of `main` gets them by the fork and keeps
    /// them until it ends; meanwhile the launches of others go onto their main stream itself.
    [[nodiscard]] bool free_for(cudaStream_t main) const {
        return std::all_of(sides_.begin(), sides_.end(), [&](side const& one) {
            cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
            OPTGAP_CUDA_TRY(cudaStreamIsCapturing(one.stream.get(), &status));
            return status == cudaStreamCaptureStatusNone ||
                   (status == cudaStreamCaptureStatusActive && main == forked_from_);
        });
    }
    /// Makes the host wait for all of them.
    void wait() const {
        for (side const& one : sides_) {
            OPTGAP_CUDA_TRY(cudaStreamSynchronize(one.stream.get()));
        }
    }

private:
    struct side {
        explicit side(multiprocessor_share const* share) : stream(nullptr, share) {}
        quiet_stream stream;
        device_event reached;
        std::int64_t work = 0;  ///< since the fork
    };

    std::deque<side> sides_;
    device_event main_reached_;
    cudaStream_t main_ = nullptr;         ///< of the fork under way
    cudaStream_t forked_from_ = nullptr;  ///< the last main stream of a fork
    bool beside_ = false;
};

}  // namespace optgap

#endif
