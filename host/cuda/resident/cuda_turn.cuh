#pragma once
// One call's turn at what stays on a GPU.

#include <cstdint>
#include <mutex>

#include "host/cuda/cuda_try.hpp"
#include "host/cuda/resident/cuda_resident.cuh"
#include "kernels/launch/row_lists.cuh"
#include "optgap/status.hpp"

namespace optgap {

/// The call has the device alone and current, an empty block to work in, and `stream` behind all calls so far.
///
/// On a stream that captures a graph the call is recorded, not run: the order with other calls becomes nodes of the
/// graph (events that are external to it), so that it holds whenever the graph is launched; and there is no number to
/// wait for.
class cuda_resident::turn {
public:
    turn(cuda_resident& owner, cudaStream_t stream)
        : owner_(owner), stream_(stream), alone_(owner.lock_), scope_(owner.ordinal_), recorded_(captures(stream)) {
        if (recorded_ && owner_.abandoned_) {
            throw error(status::invalid_argument,
                        "stream: it captures a graph, and an earlier call failed, which the next one has to wait for; "
                        "call wait() first");
        }
        owner_.start_over();
        owner_.held_->work.reset();
        owner_.abandoned_ = true;
        OPTGAP_CUDA_TRY(cudaStreamWaitEvent(stream_, owner_.held_->newest.get(),
                                            unsigned(recorded_ ? cudaEventWaitExternal : cudaEventWaitDefault)));
    }
    turn(turn const&) = delete;
    turn& operator=(turn const&) = delete;
    /// Work given to a capture that failed never runs.
    ~turn() { owner_.abandoned_ = owner_.abandoned_ && !recorded_; }

    /// Ends the call once all of its work is queued. Returns its number, which no other call gets even where this
    /// throws; 0 when it is recorded.
    std::uint64_t done() {
        if (recorded_) {
            OPTGAP_CUDA_TRY(cudaEventRecordWithFlags(owner_.held_->newest.get(), stream_, cudaEventRecordExternal));
            leave();
            return 0;
        }
        std::uint64_t const call = ++owner_.calls_;
        OPTGAP_CUDA_TRY(launch_end_note(stream_, &owner_.told().ended, call));
        OPTGAP_CUDA_TRY(cudaEventRecord(owner_.held_->newest.get(), stream_));
        leave();
        return call;
    }
    /// Records that none of the call's work is under way.
    void leave() { owner_.abandoned_ = false; }

private:
    static bool captures(cudaStream_t stream) {
        cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
        OPTGAP_CUDA_TRY(cudaStreamIsCapturing(stream, &capture));
        if (capture == cudaStreamCaptureStatusInvalidated) {
            throw error(status::invalid_argument, "stream: the graph that it captured is lost to an earlier error");
        }
        return capture == cudaStreamCaptureStatusActive;
    }

    cuda_resident& owner_;
    cudaStream_t stream_;
    std::lock_guard<std::mutex> alone_;
    device_scope scope_;
    bool recorded_;
};

}  // namespace optgap
