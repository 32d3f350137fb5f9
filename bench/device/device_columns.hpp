#pragma once
// Columns in a GPU's memory for a benchmark, a stream for them, and the GPU's clock.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_try.hpp"

namespace optgap::bench {

class device_columns {
public:
    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
    template <class T>
    [[nodiscard]] T* take(std::int64_t count) {
        blocks_.emplace_back(count * std::int64_t(sizeof(T)) + device_arena::alignment);
        return blocks_.back().take<T>(count);
    }
    template <class T>
    [[nodiscard]] T* put(std::vector<T> const& values) {
        T* const region = take<T>(std::int64_t(values.size()));
        OPTGAP_CUDA_TRY(
            cudaMemcpyAsync(region, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
        wait();
        return region;
    }
    template <class T>
    [[nodiscard]] std::vector<T> get(T const* from, std::int64_t count) {
        std::vector<T> values(static_cast<std::size_t>(count));
        OPTGAP_CUDA_TRY(
            cudaMemcpyAsync(values.data(), from, values.size() * sizeof(T), cudaMemcpyDeviceToHost, stream()));
        wait();
        return values;
    }
    void wait() { OPTGAP_CUDA_TRY(cudaStreamSynchronize(stream())); }
    /// Measures by the device's clock the seconds of what `queue` puts on the stream.
    template <class Queue>
    [[nodiscard]] double timed(Queue const& queue) {
        OPTGAP_CUDA_TRY(cudaEventRecord(begin_.get(), stream()));
        queue();
        OPTGAP_CUDA_TRY(cudaEventRecord(end_.get(), stream()));
        OPTGAP_CUDA_TRY(cudaEventSynchronize(end_.get()));
        float milliseconds = 0;
        OPTGAP_CUDA_TRY(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()));
        return std::max(double(milliseconds) * 1e-3, 1e-9);
    }

private:
    quiet_stream stream_;
    device_event begin_{cudaEventDefault};
    device_event end_{cudaEventDefault};
    std::deque<device_arena> blocks_;
};

}  // namespace optgap::bench
