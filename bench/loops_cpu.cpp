// Continuous host work as in a trainer's thread: arithmetic in floats, and moving memory.

#include <chrono>
#include <cstring>
#include <memory>

#include "bench/interference.hpp"

namespace optgap::bench {

namespace {

using clock = std::chrono::steady_clock;

constexpr int rounds_a_piece = 20'000;  ///< about 0.1 ms
constexpr std::size_t piece_bytes = std::size_t(1) << 20;
constexpr std::size_t buffer_bytes = std::size_t(128) << 20;  ///< each of two buffers: more than any cache

#if defined(__x86_64__)
using lanes = float __attribute__((vector_size(32)));
#define OPTGAP_BENCH_V3 __attribute__((target("avx2,fma")))
#else
using lanes = float __attribute__((vector_size(16)));
#define OPTGAP_BENCH_V3
#endif
constexpr double flop_a_piece = 2.0 * rounds_a_piece * 8 * double(sizeof(lanes) / sizeof(float));

/// Eight chains x = x * a + b that the compiler can neither merge nor leave out.
OPTGAP_BENCH_V3 float multiply_add_piece(float from) {
    lanes const a = lanes{} + 0.999f;
    lanes const b = lanes{} + from;
    lanes s = b, t = b, u = b, v = b, w = b, x = b, y = b, z = b;
    for (int round = 0; round < rounds_a_piece; ++round) {
        s = s * a + b, t = t * a + b, u = u * a + b, v = v * a + b;
        w = w * a + b, x = x * a + b, y = y * a + b, z = z * a + b;
#if defined(__x86_64__)
        asm volatile("" : "+x"(s), "+x"(t), "+x"(u), "+x"(v), "+x"(w), "+x"(x), "+x"(y), "+x"(z));
#else
        asm volatile("" : "+w"(s), "+w"(t), "+w"(u), "+w"(v), "+w"(w), "+w"(x), "+w"(y), "+w"(z));
#endif
    }
    return (s + t + u + v + w + x + y + z)[0];
}

/// `units` per piece, divided by the time of the pieces that ended before `stop`.
template <class Piece>
double rate_of(double units, std::atomic<bool> const& stop, Piece const& piece) {
    clock::time_point const begin = clock::now();
    clock::time_point last = begin;
    double done = 0;
    do {
        piece();
        clock::time_point const now = clock::now();
        if (done > 0 && stop) {
            break;
        }
        last = now;
        done += units;
    } while (!stop);
    return done / std::chrono::duration<double>(last - begin).count();
}

struct two_buffers {
    std::vector<unsigned char> from = std::vector<unsigned char>(buffer_bytes, 1);
    std::vector<unsigned char> to = std::vector<unsigned char>(buffer_bytes, 2);
};

}  // namespace

std::vector<trainer_loop> cpu_loops() {
    auto const memory = std::make_shared<two_buffers>();
    return {{"multiply_add", "flop", "",
             [](std::atomic<bool> const& stop) {
                 float kept = 1.0f;
                 double const rate = rate_of(flop_a_piece, stop, [&] { kept = multiply_add_piece(kept * 1e-3f); });
                 expect(kept > 0.0f, "the chains of multiply_add do not grow");
                 return rate;
             }},
            {"memory_copy", "bytes", "copy", [memory](std::atomic<bool> const& stop) {
                 std::size_t at = 0;
                 return rate_of(2.0 * piece_bytes, stop, [&] {
                     std::memcpy(memory->to.data() + at, memory->from.data() + at, piece_bytes);
                     at = (at + piece_bytes) % buffer_bytes;
                 });
             }}};
}

}  // namespace optgap::bench
