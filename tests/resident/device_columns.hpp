#pragma once
// Columns in device memory, which the host may not touch, and a store to work on them.

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "optgap/device/store.hpp"
#include "tests/resident/runtime.hpp"
#include "tests/support/cuda_device.hpp"
#include "tests/support/schedules.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {

/// A trainer's stream.
class own_stream {
public:
    own_stream() { EXPECT_EQ(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, 0), cudaSuccess); }
    ~own_stream() { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }
    own_stream(own_stream const&) = delete;
    own_stream& operator=(own_stream const&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// `count` values in device memory, written and read on a stream.
template <class T>
class device_column {
public:
    explicit device_column(std::size_t count) : count_(count) {
        EXPECT_EQ(cudaMalloc(&memory_, count * sizeof(T) + 1), cudaSuccess);
    }
    device_column(std::vector<T> const& values, cudaStream_t stream) : device_column(values.size()) {
        write(values, stream);
    }
    ~device_column() { EXPECT_EQ(cudaFree(memory_), cudaSuccess); }
    device_column(device_column const&) = delete;
    device_column& operator=(device_column const&) = delete;

    [[nodiscard]] T* get() const { return static_cast<T*>(memory_); }
    void write(std::vector<T> const& values, cudaStream_t stream) const {
        ASSERT_EQ(values.size(), count_);
        EXPECT_EQ(cudaMemcpyAsync(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice, stream),
                  cudaSuccess);
    }
    [[nodiscard]] std::vector<T> read(cudaStream_t stream) const {
        std::vector<T> values(count_);
        EXPECT_EQ(cudaMemcpyAsync(values.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream),
                  cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        return values;
    }

private:
    std::size_t count_;
    void* memory_ = nullptr;
};

/// Compares bytes, so that NaN equals NaN.
template <class T>
bool same_bytes(std::vector<T> const& a, std::vector<T> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class Work>
error error_of(Work const& work) {
    try {
        work();
    } catch (error const& told) {
        return told;
    }
    ADD_FAILURE() << "nothing was thrown";
    return error(status::ok, "");
}

/// The message of a misused call.
template <class Work>
std::string misuse_of(Work const& work) {
    error const told = error_of(work);
    EXPECT_EQ(told.code(), status::invalid_argument) << told.what();
    return told.what();
}

inline constexpr difficulty one_level[] = {difficulty::easy()};

/// Instances of all tasks of the registry, and answers of many kinds in any order of rows.
struct answered {
    std::vector<instance_spec> specs;
    instance_batch instances;
    csr_words answers;
    std::vector<std::int32_t> instance_of;
};
answered all_tasks_answered(std::uint64_t seeds, std::int64_t mutations,
                            std::span<difficulty const> levels = one_level);
/// Rows rows[0], rows[1], … of it.
answered rows_of(answered const& all, std::span<std::int64_t const> rows);

/// An answered batch in device memory.
struct answers_there {
    answers_there(answered const& from, cudaStream_t stream)
        : words(from.answers.words, stream),
          offsets(from.answers.offsets, stream),
          instance_of(from.instance_of, stream),
          view{words.get(), std::int64_t(from.answers.words.size()), offsets.get(), from.answers.rows(),
               instance_of.get()} {}
    /// Replaces the answers by others with as many words and rows.
    void write(answered const& from, cudaStream_t stream) const {
        words.write(from.answers.words, stream);
        offsets.write(from.answers.offsets, stream);
        instance_of.write(from.instance_of, stream);
    }
    device_column<std::int32_t> words;
    device_column<std::int64_t> offsets;
    device_column<std::int32_t> instance_of;
    device_answers view;
};

/// A graph of what `queue` gives a stream.
class captured {
public:
    template <class Queue>
    captured(cudaStream_t stream, Queue const& queue) {
        EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        queue();
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        if (graph != nullptr) {
            EXPECT_EQ(cudaGraphInstantiate(&graph_, graph, 0), cudaSuccess);
            EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
        }
    }
    ~captured() {
        if (graph_ != nullptr) {
            EXPECT_EQ(cudaGraphExecDestroy(graph_), cudaSuccess);
        }
    }
    captured(captured const&) = delete;
    captured& operator=(captured const&) = delete;
    void launch(cudaStream_t stream) const { EXPECT_EQ(cudaGraphLaunch(graph_, stream), cudaSuccess); }

private:
    cudaGraphExec_t graph_ = nullptr;
};

class resident_columns : public ::testing::Test {
protected:
    static constexpr std::int64_t roomy = std::int64_t(16) << 20;

    void SetUp() override {
        std::string const why = runtime::start();
        started_ = why.empty();
        if (!started_) {
            without_gpu(why);
        }
    }
    void TearDown() override {
        if (started_) {
            runtime::finish();
        }
    }
    static engine made() { return engine({.where = device::cuda, .threads = 1, .device_memory = 1 << 20}); }

private:
    bool started_ = false;
};

}  // namespace optgap::testing
