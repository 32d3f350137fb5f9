#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/ceilings.hpp"
#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_try.hpp"

namespace optgap {

namespace {

constexpr int repeats = 21;
constexpr int warm_ups = 3;
constexpr int threads = 256;
constexpr int shared_words = 4096;
constexpr int shared_rounds = 4096;
constexpr int chains = 8;
constexpr int add_rounds = 8192;
constexpr int adds_per_round = 2 * chains;

__global__ void fill_kernel(std::uint32_t* words, std::int64_t count) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        std::uint32_t x = std::uint32_t(i) * 0x9E3779B9u + 0x7F4A7C15u;
        x ^= x >> 16;
        words[i] = x * 0x85EBCA6Bu;
    }
}

/// Conflict-free 16-byte loads whose addresses do not depend on loaded values. The sum keeps them alive.
__global__ void __launch_bounds__(threads, 1) shared_load_kernel(std::uint32_t const* seed, std::uint32_t* out) {
    __shared__ uint4 words[shared_words / 4];
    for (int i = int(threadIdx.x); i < shared_words / 4; i += threads) {
        std::uint32_t const x = seed[i];
        words[i] = uint4{x, x ^ 1u, x ^ 2u, x ^ 3u};
    }
    __syncthreads();
    std::uint32_t sum = 0;
    int at = int(threadIdx.x);
#pragma unroll 8
    for (int round = 0; round < shared_rounds; ++round) {
        uint4 const x = words[at];
        sum ^= x.x ^ x.y ^ x.z ^ x.w;
        at = (at + threads) & (shared_words / 4 - 1);
        // A barrier only for the optimiser, which must not hoist the repeated loads.
        asm volatile("" ::: "memory");
    }
    out[std::int64_t(blockIdx.x) * threads + threadIdx.x] = sum;
}

/// Independent chains a += b, b += a. No addition can be left out, and few wait for another.
__global__ void __launch_bounds__(threads, 1) integer_add_kernel(std::uint32_t const* seed, std::uint32_t* out) {
    std::uint32_t a[chains];
    std::uint32_t b[chains];
    for (int k = 0; k < chains; ++k) {
        a[k] = seed[threadIdx.x + std::uint32_t(k)];
        b[k] = seed[threadIdx.x + std::uint32_t(k) + chains];
    }
#pragma unroll 16
    for (int round = 0; round < add_rounds; ++round) {
#pragma unroll
        for (int k = 0; k < chains; ++k) {
            asm volatile("add.u32 %0, %0, %1;" : "+r"(a[k]) : "r"(b[k]));
            asm volatile("add.u32 %0, %0, %1;" : "+r"(b[k]) : "r"(a[k]));
        }
    }
    std::uint32_t sum = 0;
    for (int k = 0; k < chains; ++k) {
        sum ^= a[k] ^ b[k];
    }
    out[std::int64_t(blockIdx.x) * threads + threadIdx.x] = sum;
}

/// Host memory that the device can read and write.
class pinned_block {
public:
    explicit pinned_block(std::int64_t bytes) : bytes_(bytes) {
        OPTGAP_CUDA_TRY(cudaHostAlloc(&memory_, std::size_t(bytes), cudaHostAllocDefault));
    }
    ~pinned_block() { cudaFreeHost(memory_); }
    pinned_block(pinned_block const&) = delete;
    pinned_block& operator=(pinned_block const&) = delete;
    [[nodiscard]] void* get() const { return memory_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
    std::int64_t bytes_;
    void* memory_ = nullptr;
};

/// `amount` divided by the seconds of each of `repeats` runs of `work` on the stream.
template <class Work>
ceiling measure(char const* name, char const* unit, double amount, cudaStream_t stream, Work const& work) {
    ceiling found{name, unit, 0, {}};
    device_event const begin(cudaEventDefault);
    device_event const end(cudaEventDefault);
    for (int run = -warm_ups; run < repeats; ++run) {
        OPTGAP_CUDA_TRY(cudaEventRecord(begin.get(), stream));
        work();
        OPTGAP_CUDA_TRY(cudaGetLastError());
        OPTGAP_CUDA_TRY(cudaEventRecord(end.get(), stream));
        OPTGAP_CUDA_TRY(cudaEventSynchronize(end.get()));
        float milliseconds = 0;
        OPTGAP_CUDA_TRY(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
        if (run >= 0) {
            found.samples.push_back(amount / (double(milliseconds) * 1e-3));
        }
    }
    std::vector<double> sorted = found.samples;
    std::sort(sorted.begin(), sorted.end());
    found.median = sorted[sorted.size() / 2];
    return found;
}

}  // namespace

std::vector<ceiling> measure_ceilings() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        static_cast<void>(cudaGetLastError());
        return {};
    }
    int device = 0;
    OPTGAP_CUDA_TRY(cudaGetDevice(&device));
    cudaDeviceProp card{};
    OPTGAP_CUDA_TRY(cudaGetDeviceProperties(&card, device));
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    OPTGAP_CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes));
    std::int64_t const half = std::min(std::int64_t(768) << 20, std::int64_t(free_bytes / 4));
    device_arena memory(2 * half + 2 * device_arena::alignment);
    auto* const from = memory.take<std::uint32_t>(half / 4);
    auto* const to = memory.take<std::uint32_t>(half / 4);
    quiet_stream const stream;
    pinned_block const host(std::int64_t(64) << 20);

    unsigned const blocks = unsigned(card.multiProcessorCount) * unsigned(card.maxThreadsPerMultiProcessor / threads);
    fill_kernel<<<blocks, threads, 0, stream.get()>>>(from, half / 4);
    fill_kernel<<<blocks, threads, 0, stream.get()>>>(to, half / 4);
    OPTGAP_CUDA_TRY(cudaGetLastError());
    double const lanes = double(blocks) * threads;
    return {
        measure("copy", "bytes/s", 2.0 * double(half / 4 * 4), stream.get(),
                [&] {
                    OPTGAP_CUDA_TRY(
                        cudaMemcpyAsync(to, from, std::size_t(half / 4 * 4), cudaMemcpyDeviceToDevice, stream.get()));
                }),
        measure("write", "bytes/s", double(half / 4 * 4), stream.get(),
                [&] { OPTGAP_CUDA_TRY(cudaMemsetAsync(to, 0, std::size_t(half / 4 * 4), stream.get())); }),
        measure("upload", "bytes/s", double(host.bytes()), stream.get(),
                [&] {
                    OPTGAP_CUDA_TRY(cudaMemcpyAsync(to, host.get(), std::size_t(host.bytes()), cudaMemcpyHostToDevice,
                                                    stream.get()));
                }),
        measure("download", "bytes/s", double(host.bytes()), stream.get(),
                [&] {
                    OPTGAP_CUDA_TRY(cudaMemcpyAsync(host.get(), from, std::size_t(host.bytes()), cudaMemcpyDeviceToHost,
                                                    stream.get()));
                }),
        measure("shared_load", "bytes/s", lanes * shared_rounds * 16.0, stream.get(),
                [&] { shared_load_kernel<<<blocks, threads, 0, stream.get()>>>(from, to); }),
        measure("integer_add", "operations/s", lanes * add_rounds * adds_per_round, stream.get(),
                [&] { integer_add_kernel<<<blocks, threads, 0, stream.get()>>>(from, to); }),
    };
}

}  // namespace optgap
