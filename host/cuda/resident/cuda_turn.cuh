#pragma once
// One call's turn at what stays on a GPU.

#include <cstdint>
#include <mutex>

#include "host/cuda/cuda_try.hpp"
#include "host/cuda/resident/cuda_resident.cuh"
#include "kernels/launch/row_lists.cuh"

namespace optgap {

/// Alone, with the device current, an empty block to work in, and `stream` behind all calls so far.
class cuda_resident::turn {
public:
    turn(cuda_resident& owner, cudaStream_t stream)
        : owner_(owner), stream_(stream), alone_(owner.lock_), scope_(owner.ordinal_) {
        owner_.start_over();
        OPTGAP_CUDA_TRY(cudaStreamWaitEvent(stream_, owner_.held_->newest.get(), 0));
        owner_.held_->work.reset();
        owner_.abandoned_ = true;
    }
    turn(turn const&) = delete;
    turn& operator=(turn const&) = delete;

    /// All that the call queues is queued; its number.
    std::uint64_t done() {
        OPTGAP_CUDA_TRY(launch_end_note(stream_, &owner_.told().ended, owner_.calls_ + 1));
        OPTGAP_CUDA_TRY(cudaEventRecord(owner_.held_->newest.get(), stream_));
        leave();
        return ++owner_.calls_;
    }
    /// Nothing of it is under way.
    void leave() { owner_.abandoned_ = false; }

private:
    cuda_resident& owner_;
    cudaStream_t stream_;
    std::lock_guard<std::mutex> alone_;
    device_scope scope_;
};

}  // namespace optgap
