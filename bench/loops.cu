// Continuous GPU work as in a trainer: bf16 matrix products on the tensor cores, and a memory-bound loop.

#include <cuda_bf16.h>
#include <mma.h>

#include <deque>
#include <memory>

#include "bench/interference.hpp"
#include "host/cuda/cuda_memory.hpp"
#include "host/cuda/cuda_try.hpp"

namespace optgap::bench {

namespace {

constexpr int side = 4096;  ///< of the square matrices: 137 Gflop per product
constexpr int tile = 128;   ///< side of a block's tile: 8 warps, each with 64 x 32 results
constexpr int depth = 32;   ///< of one step along the inner dimension
constexpr int padding = 8;  ///< so that the rows of a tile begin in different banks
constexpr int product_threads = 256;
constexpr std::int64_t stream_words = std::int64_t(32) << 20;  ///< in each of three arrays: more than any cache
constexpr int stream_threads = 256;
constexpr std::size_t under_way = 4;  ///< launches queued ahead, so that the stream never runs dry

/// Small integers, so that every product and sum is exact in float.
__host__ __device__ constexpr int left_at(int row, int k) { return (row * 7 + k * 3) % 5 - 2; }
__host__ __device__ constexpr int right_at(int k, int column) { return (k * 5 + column * 11) % 7 - 3; }

__global__ void fill_matrices_kernel(__nv_bfloat16* left, __nv_bfloat16* right) {
    int const stride = int(gridDim.x * blockDim.x);
    for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < side * side; i += stride) {
        left[i] = __float2bfloat16(float(left_at(i / side, i % side)));
        right[i] = __float2bfloat16(float(right_at(i / side, i % side)));
    }
}

/// out = left * right, row-major. The next tiles are loaded to registers while these are multiplied.
__global__ void __launch_bounds__(product_threads, 2)
    product_kernel(__nv_bfloat16 const* left, __nv_bfloat16 const* right, float* out) {
    namespace wmma = nvcuda::wmma;
    __shared__ __align__(32) __nv_bfloat16 a[tile][depth + padding];
    __shared__ __align__(32) __nv_bfloat16 b[depth][tile + padding];
    constexpr int pieces = 2;  // 16-byte pieces of each tile that a thread moves
    int const thread = int(threadIdx.x);
    int const warp = thread / 32;
    int const row0 = int(blockIdx.y) * tile;
    int const column0 = int(blockIdx.x) * tile;
    uint4 next_a[pieces];
    uint4 next_b[pieces];
    auto const fetch = [&](int k0) {
        for (int p = 0; p < pieces; ++p) {
            int const at = thread + p * product_threads;
            next_a[p] = *reinterpret_cast<uint4 const*>(left + std::int64_t(row0 + at / 4) * side + k0 + at % 4 * 8);
            next_b[p] =
                *reinterpret_cast<uint4 const*>(right + std::int64_t(k0 + at / 16) * side + column0 + at % 16 * 8);
        }
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
    for (auto& row : sum) {
        for (auto& one : row) {
            wmma::fill_fragment(one, 0.0f);
        }
    }
    fetch(0);
    for (int k0 = 0; k0 < side; k0 += depth) {
        __syncthreads();
        for (int p = 0; p < pieces; ++p) {
            int const at = thread + p * product_threads;
            *reinterpret_cast<uint4*>(&a[at / 4][at % 4 * 8]) = next_a[p];
            *reinterpret_cast<uint4*>(&b[at / 16][at % 16 * 8]) = next_b[p];
        }
        __syncthreads();
        if (k0 + depth < side) {
            fetch(k0 + depth);
        }
        for (int k = 0; k < depth; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> y[2];
            for (int i = 0; i < 4; ++i) {
                wmma::load_matrix_sync(x[i], &a[warp / 4 * 64 + i * 16][k], depth + padding);
            }
            for (int j = 0; j < 2; ++j) {
                wmma::load_matrix_sync(y[j], &b[k][warp % 4 * 32 + j * 16], tile + padding);
            }
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 2; ++j) {
                    wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
                }
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) {
            int const row = row0 + warp / 4 * 64 + i * 16;
            int const column = column0 + warp % 4 * 32 + j * 16;
            wmma::store_matrix_sync(out + std::int64_t(row) * side + column, sum[i][j], side, wmma::mem_row_major);
        }
    }
}

/// to = 2 x + y: two arrays read, one written.
__global__ void __launch_bounds__(stream_threads, 1) stream_kernel(float4 const* x, float4 const* y, float4* to) {
    std::int64_t const stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < stream_words / 4; i += stride) {
        float4 const p = x[i];
        float4 const q = y[i];
        to[i] = float4{2 * p.x + q.x, 2 * p.y + q.y, 2 * p.z + q.z, 2 * p.w + q.w};
    }
}

/// A stream of default priority, as a trainer's kernels have.
class trainer_stream {
public:
    trainer_stream() { OPTGAP_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~trainer_stream() { cudaStreamDestroy(stream_); }
    trainer_stream(trainer_stream const&) = delete;
    trainer_stream& operator=(trainer_stream const&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// `units` per launch, divided by the time of the launches that had ended when `stop` was seen. Event k follows launch
/// k.
template <class Launch>
double rate_of(double units, cudaStream_t stream, std::atomic<bool> const& stop, Launch const& launch) {
    device_event const begin(cudaEventDefault);
    std::deque<device_event> ends;
    for (std::size_t k = 0; k < under_way + 1; ++k) {
        ends.emplace_back(cudaEventDefault);
    }
    std::int64_t queued = 0;
    auto const queue = [&] {
        launch();
        OPTGAP_CUDA_TRY(cudaGetLastError());
        OPTGAP_CUDA_TRY(cudaEventRecord(ends[std::size_t(queued++) % ends.size()].get(), stream));
    };
    OPTGAP_CUDA_TRY(cudaEventRecord(begin.get(), stream));
    for (std::size_t k = 0; k < under_way; ++k) {
        queue();
    }
    std::int64_t ended = 0;
    cudaEvent_t last = nullptr;
    do {
        cudaEvent_t const next = ends[std::size_t(ended) % ends.size()].get();
        OPTGAP_CUDA_TRY(cudaEventSynchronize(next));
        if (ended > 0 && stop) {
            break;
        }
        last = next;
        ++ended;
        queue();
    } while (!stop);
    float milliseconds = 0;
    OPTGAP_CUDA_TRY(cudaEventElapsedTime(&milliseconds, begin.get(), last));
    OPTGAP_CUDA_TRY(cudaStreamSynchronize(stream));
    return double(ended) * units / (double(milliseconds) * 1e-3);
}

template <class T>
T copied_from(T const* device, cudaStream_t stream) {
    T value{};
    OPTGAP_CUDA_TRY(cudaMemcpyAsync(&value, device, sizeof value, cudaMemcpyDeviceToHost, stream));
    OPTGAP_CUDA_TRY(cudaStreamSynchronize(stream));
    return value;
}

struct gpu_memory {
    trainer_stream stream;
    device_arena arena{std::int64_t(side) * side * 8 + 3 * stream_words * 4 + 8 * device_arena::alignment};
    __nv_bfloat16* left = arena.take<__nv_bfloat16>(std::int64_t(side) * side);
    __nv_bfloat16* right = arena.take<__nv_bfloat16>(std::int64_t(side) * side);
    float* product = arena.take<float>(std::int64_t(side) * side);
    float4* x = arena.take<float4>(stream_words / 4);
    float4* y = arena.take<float4>(stream_words / 4);
    float4* to = arena.take<float4>(stream_words / 4);
    unsigned stream_blocks = unsigned(gpu_multiprocessors()) * 8;

    void multiply() const {
        product_kernel<<<dim3(side / tile, side / tile), product_threads, 0, stream.get()>>>(left, right, product);
    }
    void combine() const { stream_kernel<<<stream_blocks, stream_threads, 0, stream.get()>>>(x, y, to); }

    gpu_memory() {
        fill_matrices_kernel<<<1024, 256, 0, stream.get()>>>(left, right);
        OPTGAP_CUDA_TRY(cudaGetLastError());
        OPTGAP_CUDA_TRY(cudaMemsetAsync(x, 0x3F, std::size_t(stream_words) * 4, stream.get()));
        OPTGAP_CUDA_TRY(cudaMemsetAsync(y, 0x40, std::size_t(stream_words) * 4, stream.get()));
        multiply();
        combine();
        OPTGAP_CUDA_TRY(cudaGetLastError());
        for (int check = 0; check < 64; ++check) {
            int const row = check * 1021 % side;
            int const column = check * 613 % side;
            double expected = 0;
            for (int k = 0; k < side; ++k) {
                expected += left_at(row, k) * right_at(k, column);
            }
            expect(double(copied_from(product + std::int64_t(row) * side + column, stream.get())) == expected,
                   "the matrix product at " + std::to_string(row) + ", " + std::to_string(column));
        }
        float4 const p = copied_from(x, stream.get());
        float4 const q = copied_from(y, stream.get());
        for (std::int64_t const at : {std::int64_t(0), stream_words / 4 - 1}) {
            expect(copied_from(to + at, stream.get()).w == 2 * p.w + q.w, "the loop over memory");
        }
    }
};

}  // namespace

std::int32_t gpu_multiprocessors() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        static_cast<void>(cudaGetLastError());
        return 0;
    }
    int device = 0;
    int count = 0;
    OPTGAP_CUDA_TRY(cudaGetDevice(&device));
    OPTGAP_CUDA_TRY(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

std::vector<trainer_loop> gpu_loops() {
    if (gpu_multiprocessors() == 0) {
        return {};
    }
    auto const memory = std::make_shared<gpu_memory>();
    return {{"matrix_product", "flop", "",
             [memory](std::atomic<bool> const& stop) {
                 return rate_of(2.0 * side * side * side, memory->stream.get(), stop, [&] { memory->multiply(); });
             }},
            {"memory_stream", "bytes", "copy", [memory](std::atomic<bool> const& stop) {
                 return rate_of(3.0 * double(stream_words) * sizeof(float), memory->stream.get(), stop,
                                [&] { memory->combine(); });
             }}};
}

}  // namespace optgap::bench
