#include "tests/fake_cuda/fake_graphs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "tests/fake_cuda/fake_runtime.hpp"
#include "tests/fake_cuda/fake_state.hpp"

namespace optgap::fake {

namespace {

/// For each stream of a capture, the number of its steps that others follow.
using steps_behind = std::map<cudaStream_t, std::int64_t>;

void learn(steps_behind& mine, steps_behind const& other) {
    for (auto const& [stream, steps] : other) {
        mine[stream] = std::max(mine[stream], steps);
    }
}

struct recording {
    cudaStream_t origin = nullptr;
    std::vector<graph_step> steps;
    std::map<cudaStream_t, steps_behind> known;
    bool lost = false;
    bool open = true;

    void add(cudaStream_t stream, graph_step step) {
        step.on = stream;
        ++known[stream][stream];
        steps.push_back(std::move(step));
    }
    /// Whether the first stream waits for everything that the others were given.
    [[nodiscard]] bool is_joined() {
        return std::ranges::all_of(
            known, [&](auto const& one) { return known[origin][one.first] == one.second.at(one.first); });
    }
};

/// An event recorded within a capture marks a place in its graph. It means nothing outside.
struct captured_event {
    std::shared_ptr<recording> in;
    steps_behind known;
};

std::mutex recordings_lock;
std::map<cudaStream_t, std::shared_ptr<recording>> recordings;
std::map<cudaEvent_t, captured_event> captured_events;

std::shared_ptr<recording> recording_of(cudaStream_t stream) {
    std::lock_guard const alone(recordings_lock);
    auto const found = recordings.find(stream);
    return found == recordings.end() ? nullptr : found->second;
}

captured_event captured_as(cudaEvent_t event) {
    std::lock_guard const alone(recordings_lock);
    auto const found = captured_events.find(event);
    return found == captured_events.end() ? captured_event{} : found->second;
}

/// A graph with streams and events of its own instead of the captured ones.
struct executable {
    explicit executable(recording const& from) : steps(from.steps), origin(from.origin) {
        for (graph_step const& step : steps) {
            if (step.on != origin && !streams.contains(step.on)) {
                open_stream(streams[step.on] = reinterpret_cast<cudaStream_t>(new char));
            }
            if (step.is_place && !events.contains(event_of(step))) {
                open_event(events[event_of(step)] = reinterpret_cast<cudaEvent_t>(new char));
            }
        }
    }
    ~executable() {
        for (auto const& [captured, stream] : streams) {
            close_stream(stream);
            delete reinterpret_cast<char*>(stream);
        }
        for (auto const& [captured, event] : events) {
            close_event(event);
            delete reinterpret_cast<char*>(event);
        }
    }
    executable(executable const&) = delete;
    executable& operator=(executable const&) = delete;

    static cudaEvent_t event_of(graph_step const& step) { return step.sets != nullptr ? step.sets : step.needs; }
    void launch(cudaStream_t onto) const {
        for (graph_step const& step : steps) {
            cudaStream_t const stream = step.on == origin ? onto : streams.at(step.on);
            cudaEvent_t const event = step.is_place ? events.at(event_of(step)) : event_of(step);
            if (step.sets != nullptr) {
                record(event, stream);
            } else if (step.needs != nullptr) {
                wait(stream, event);
            } else {
                queue(step.name, stream, step.what);
            }
        }
    }

    std::vector<graph_step> steps;
    cudaStream_t origin;
    std::map<cudaStream_t, cudaStream_t> streams;
    std::map<cudaEvent_t, cudaEvent_t> events;
};

}  // namespace

bool captures(cudaStream_t stream) { return recording_of(stream) != nullptr; }

bool add_to_capture(cudaStream_t stream, graph_step const& step) {
    std::shared_ptr<recording> const open = recording_of(stream);
    if (open) {
        open->add(stream, step);
    }
    return open != nullptr;
}

cudaError_t may_wait(cudaStream_t stream, cudaEvent_t event, bool external) {
    std::shared_ptr<recording> const own = recording_of(stream);
    std::shared_ptr<recording> const of_event = captured_as(event).in;
    if (external) {
        return own ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (own == of_event || (!own && of_event->open)) {
        return cudaSuccess;
    }
    lose_capture(stream);
    return !of_event ? cudaErrorStreamCaptureIsolation : own ? cudaErrorStreamCaptureMerge : cudaErrorCapturedEvent;
}

bool wait_in_capture(cudaStream_t stream, cudaEvent_t event, bool external) {
    if (external) {
        return add_to_capture(stream, {.name = "cudaStreamWaitEvent", .needs = event});
    }
    captured_event const seen = captured_as(event);
    if (!seen.in) {
        return false;
    }
    {
        std::lock_guard const alone(recordings_lock);
        recordings[stream] = seen.in;
    }
    seen.in->add(stream, {.name = "cudaStreamWaitEvent", .needs = event, .is_place = true});
    learn(seen.in->known[stream], seen.known);
    return true;
}

bool record_in_capture(cudaEvent_t event, cudaStream_t stream, bool external) {
    std::shared_ptr<recording> const own = recording_of(stream);
    if (own) {
        own->add(stream, {.name = "cudaEventRecord", .sets = event, .is_place = !external});
    }
    if (!external) {
        std::lock_guard const alone(recordings_lock);
        captured_events.erase(event);
        if (own) {
            captured_events[event] = {own, own->known[stream]};
        }
    }
    return own != nullptr;
}

bool is_captured(cudaEvent_t event) { return captured_as(event).in != nullptr; }

void forget_captured(cudaEvent_t event) {
    std::lock_guard const alone(recordings_lock);
    captured_events.erase(event);
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
    auto const begun = std::make_shared<fake::recording>();
    begun->origin = stream;
    begun->known[stream][stream] = 0;
    fake::recordings[stream] = begun;
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
    std::shared_ptr<fake::recording> const ended = fake::recording_of(stream);
    *graph = nullptr;
    if (!ended) {
        return cudaErrorIllegalState;
    }
    {
        std::lock_guard const alone(fake::recordings_lock);
        std::erase_if(fake::recordings, [&](auto const& one) { return one.second == ended; });
        ended->open = false;
    }
    if (ended->lost) {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (!ended->is_joined()) {
        return cudaErrorStreamCaptureUnjoined;
    }
    *graph = reinterpret_cast<cudaGraph_t>(new fake::recording(*ended));
    fake::count_handle(1);
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    *made = reinterpret_cast<cudaGraphExec_t>(new fake::executable(*reinterpret_cast<fake::recording*>(graph)));
    fake::count_handle(1);
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    reinterpret_cast<fake::executable*>(graph)->launch(stream);
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete reinterpret_cast<fake::executable*>(graph);
    fake::count_handle(-1);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete reinterpret_cast<fake::recording*>(graph);
    fake::count_handle(-1);
    return cudaSuccess;
}

}  // extern "C"
