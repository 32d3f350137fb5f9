// A GPU as the runtime of tests/resident. Only host code, in a file that only builds with CUDA have.

#include "tests/resident/runtime.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "host/executor/executor.hpp"

namespace optgap::testing::runtime {

namespace {

/// Blocks a stream until `open`, or for ten seconds, after which a call that waits for the stream continues.
class gate {
public:
    explicit gate(cudaStream_t stream) : stream_(stream) {
        EXPECT_EQ(cudaLaunchHostFunc(stream, stand_still, this), cudaSuccess);
    }
    ~gate() {
        open();
        EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    }
    gate(gate const&) = delete;
    gate& operator=(gate const&) = delete;
    /// Returns false when the stream has continued before.
    bool open() {
        std::lock_guard const alone(lock_);
        open_ = true;
        opened_.notify_all();
        return !gave_up_;
    }

private:
    static void stand_still(void* self) {
        auto& own = *static_cast<gate*>(self);
        std::unique_lock alone(own.lock_);
        own.gave_up_ = !own.opened_.wait_for(alone, std::chrono::seconds(10), [&] { return own.open_; });
    }

    cudaStream_t stream_;
    std::mutex lock_;
    std::condition_variable opened_;
    bool open_ = false;
    bool gave_up_ = false;
};

/// A thread of another library that captures.
class capturing_thread {
public:
    capturing_thread() : thread_([this] { capture(); }) {
        std::unique_lock alone(lock_);
        changed_.wait(alone, [&] { return begun_; });
    }
    bool end() {
        {
            std::lock_guard const alone(lock_);
            asked_to_end_ = true;
        }
        changed_.notify_all();
        thread_.join();
        return whole_;
    }

private:
    void capture() {
        void* memory = nullptr;
        cudaStream_t stream = nullptr;
        EXPECT_EQ(cudaMalloc(&memory, 1 << 20), cudaSuccess);
        EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_EQ(cudaMemsetAsync(memory, 0, 1 << 20, stream), cudaSuccess);
        {
            std::unique_lock alone(lock_);
            begun_ = true;
            changed_.notify_all();
            changed_.wait(alone, [&] { return asked_to_end_; });
        }
        bool const goes_on = cudaMemsetAsync(memory, 1, 1 << 20, stream) == cudaSuccess;
        cudaGraph_t graph = nullptr;
        whole_ = cudaStreamEndCapture(stream, &graph) == cudaSuccess && goes_on && graph != nullptr;
        if (graph != nullptr) {
            EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        }
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
        EXPECT_EQ(cudaFree(memory), cudaSuccess);
    }

    std::mutex lock_;
    std::condition_variable changed_;
    bool begun_ = false;
    bool asked_to_end_ = false;
    bool whole_ = false;
    std::thread thread_;
};

std::unique_ptr<capturing_thread> foreign;

}  // namespace

std::string start() {
    std::string why;
    cuda_options options{.memory_limit = 1 << 20};
    return make_cuda_executor(options, why) ? "" : why;
}

void finish() {
    if (foreign) {  // from a test that ended early
        end_foreign_capture();
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a call of the store's left an error";
}

void set_order(std::uint64_t) {}

std::vector<std::string> complaints() { return {}; }

void expect_nothing_waits(cudaStream_t stream, std::function<void()> const& calls) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    EXPECT_EQ(cudaStreamIsCapturing(stream, &capture), cudaSuccess);
    if (capture == cudaStreamCaptureStatusActive) {  // a capture refuses a wait, and ends
        calls();
        EXPECT_EQ(cudaStreamIsCapturing(stream, &capture), cudaSuccess);
        EXPECT_EQ(capture, cudaStreamCaptureStatusActive);
        return;
    }
    gate stands(stream);
    calls();
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady) << "the stream went on without what stood before it";
    static_cast<void>(cudaGetLastError());  // cudaStreamQuery leaves its error there
    EXPECT_TRUE(stands.open()) << "a call returned only when its stream went on";
}

bool counts_calls() { return false; }
std::int64_t calls(char const*) { return 0; }
std::int64_t all_calls() { return 0; }
void forget_calls() {}

cudaError_t leave_error() { return cudaMalloc(nullptr, 1); }

void begin_foreign_capture() { foreign = std::make_unique<capturing_thread>(); }
bool end_foreign_capture() {
    bool const whole = foreign->end();
    foreign.reset();
    return whole;
}

}  // namespace optgap::testing::runtime
