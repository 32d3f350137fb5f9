#include "tests/fake_cuda/fake_graphs.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_state.hpp"

namespace optgap::fake {

namespace {

struct recording {
    std::vector<graph_step> steps;
    bool lost = false;
};

std::mutex recordings_lock;
std::map<cudaStream_t, std::shared_ptr<recording>> recordings;

std::shared_ptr<recording> recording_of(cudaStream_t stream) {
    std::lock_guard const alone(recordings_lock);
    auto const found = recordings.find(stream);
    return found == recordings.end() ? nullptr : found->second;
}

}  // namespace

bool captures(cudaStream_t stream) { return recording_of(stream) != nullptr; }

bool add_to_capture(cudaStream_t stream, graph_step const& step) {
    std::shared_ptr<recording> const open = recording_of(stream);
    if (open) {
        open->steps.push_back(step);
    }
    return open != nullptr;
}

bool lose_capture(cudaStream_t stream) {
    std::shared_ptr<recording> const open = recording_of(stream);
    if (open) {
        open->lost = true;
    }
    return open != nullptr;
}

bool lose_captures() {
    std::lock_guard const alone(recordings_lock);
    for (auto const& [stream, open] : recordings) {
        open->lost = true;
    }
    return !recordings.empty();
}

cudaStream_t resolved(cudaStream_t stream) {
    static std::atomic<std::uintptr_t> threads{1 << 16};
    thread_local std::uintptr_t const own = threads++;
    return stream == cudaStreamPerThread ? reinterpret_cast<cudaStream_t>(own) : stream;
}

}  // namespace optgap::fake

namespace fake = optgap::fake;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    std::lock_guard const alone(fake::recordings_lock);
    fake::recordings[stream] = std::make_shared<fake::recording>();
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    std::shared_ptr<fake::recording> const open = fake::recording_of(stream);
    *status = !open        ? cudaStreamCaptureStatusNone
              : open->lost ? cudaStreamCaptureStatusInvalidated
                           : cudaStreamCaptureStatusActive;
    return fake::called(__func__);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    std::shared_ptr<fake::recording> const open = fake::recording_of(stream);
    {
        std::lock_guard const alone(fake::recordings_lock);
        fake::recordings.erase(stream);
    }
    *graph = nullptr;
    if (!open || open->lost) {
        return cudaErrorStreamCaptureInvalidated;
    }
    *graph = reinterpret_cast<cudaGraph_t>(new fake::recording(*open));
    fake::count_handle(1);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    *made = reinterpret_cast<cudaGraphExec_t>(new fake::recording(*reinterpret_cast<fake::recording*>(graph)));
    fake::count_handle(1);
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    for (fake::graph_step const& step : reinterpret_cast<fake::recording*>(graph)->steps) {
        if (step.sets != nullptr) {
            fake::record(step.sets, stream);
        } else if (step.needs != nullptr) {
            fake::wait(stream, step.needs);
        } else {
            fake::queue(step.name, stream, step.what);
        }
    }
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete reinterpret_cast<fake::recording*>(graph);
    fake::count_handle(-1);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete reinterpret_cast<fake::recording*>(graph);
    fake::count_handle(-1);
    return cudaSuccess;
}

}  // extern "C"
