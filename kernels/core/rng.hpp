#pragma once
// Randomness is a pure function of a key: Philox4x32-10 (Salmon et al., SC'11), no stored streams.
//
//   key     = the instance's 64-bit seed
//   counter = (block, purpose, domain, 0); domain is a hash of "task@version:split:level", taken once on the host
//   the four words of a block are used in order, so word i of a purpose is word i % 4 of block i / 4
//
// The bits come from cuRAND, whose header also compiles for the host, or without the toolkit from Random123, whose bits
// are the same. One test compares them with Random123's published vectors, another with Random123's own.

#include <cstdint>

#include "kernels/core/hd.hpp"

#ifdef OPTGAP_HAVE_CURAND
#ifdef __CUDACC__
#define QUALIFIERS static __forceinline__ __host__ __device__
#else
#define QUALIFIERS static inline
#endif
#include <vector_types.h>

#include <curand_philox4x32_x.h>
#undef QUALIFIERS
#else
#include <Random123/philox.h>
#endif

namespace optgap {

/// The source of an item's random words. The item's position in a batch plays no part.
struct draw {
    std::uint64_t seed = 0;
    std::uint32_t domain = 0;
};

}  // namespace optgap

OPTGAP_KERNELS_BEGIN

struct philox_block {
    std::uint32_t word[4];
};

OPTGAP_HD inline philox_block philox(std::uint64_t key, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                                     std::uint32_t c3) {
#ifdef OPTGAP_HAVE_CURAND
    uint4 const out = curand_Philox4x32_10(uint4{c0, c1, c2, c3}, uint2{std::uint32_t(key), std::uint32_t(key >> 32)});
    return {{out.x, out.y, out.z, out.w}};
#else
    r123::Philox4x32 generator;
    auto const out = generator({{c0, c1, c2, c3}}, {{std::uint32_t(key), std::uint32_t(key >> 32)}});
    return {{out[0], out[1], out[2], out[3]}};
#endif
}

/// U(a, b) from one random word: a + floor(word * (b - a + 1) / 2^32). The bias, below range / 2^32, is part of the
/// format.
OPTGAP_HD inline std::int32_t to_range(std::uint32_t word, std::int32_t a, std::int32_t b) {
    std::uint64_t const range = std::uint64_t(std::uint32_t(b) - std::uint32_t(a)) + 1;
    return std::int32_t(std::uint32_t(a) + std::uint32_t((word * range) >> 32));
}

/// Block `index` of one purpose: four random words.
OPTGAP_HD inline philox_block random_block(draw source, std::uint32_t purpose, std::uint32_t index) {
    return philox(source.seed, index, purpose, source.domain, 0);
}

OPTGAP_HD inline std::uint32_t random_word(draw source, std::uint32_t purpose, std::uint32_t index) {
    return random_block(source, purpose, index / 4).word[index % 4];
}

/// Word `index` of one purpose as U(a, b).
OPTGAP_HD inline std::int32_t uniform(draw source, std::uint32_t purpose, std::uint32_t index, std::int32_t a,
                                      std::int32_t b) {
    return to_range(random_word(source, purpose, index), a, b);
}

/// Reads one purpose's words in order, for code that does not know its number of draws beforehand.
class draw_stream {
public:
    OPTGAP_HD draw_stream(draw source, std::uint32_t purpose) : source_(source), purpose_(purpose) {}

    OPTGAP_HD std::uint32_t next() {
        if (next_ % 4 == 0) {
            block_ = random_block(source_, purpose_, next_ / 4);
        }
        return block_.word[next_++ % 4];
    }
    OPTGAP_HD std::int32_t uniform(std::int32_t a, std::int32_t b) { return to_range(next(), a, b); }
    /// True with probability permille / 1000.
    OPTGAP_HD bool chance(std::int32_t permille) { return uniform(0, 999) < permille; }

private:
    draw source_;
    std::uint32_t purpose_;
    std::uint32_t next_ = 0;
    philox_block block_{};
};

/// Writes words 0 … count-1 of one purpose as U(a, b), block by block, with the whole team.
template <class Team>
OPTGAP_HD void fill_uniform(Team& team, draw source, std::uint32_t purpose, std::int32_t a, std::int32_t b,
                            std::int32_t* out, std::int64_t count) {
    std::int64_t const full = count / 4;
#ifdef __CUDA_ARCH__
    bool const at_sixteen = reinterpret_cast<std::uintptr_t>(out) % 16 == 0;
#endif
    team.each(full, [&](std::int64_t i) {
        philox_block const block = random_block(source, purpose, std::uint32_t(i));
#ifdef __CUDA_ARCH__
        if (at_sixteen) {  // one store where the row is aligned, not four that are 16 bytes apart from lane to lane
            *reinterpret_cast<int4*>(out + 4 * i) = {to_range(block.word[0], a, b), to_range(block.word[1], a, b),
                                                     to_range(block.word[2], a, b), to_range(block.word[3], a, b)};
            return;
        }
#endif
        for (int k = 0; k < 4; ++k) {
            out[4 * i + k] = to_range(block.word[k], a, b);
        }
    });
    if (team.rank() == 0 && full * 4 < count) {
        philox_block const block = random_block(source, purpose, std::uint32_t(full));
        for (std::int64_t i = full * 4; i < count; ++i) {
            out[i] = to_range(block.word[i - full * 4], a, b);
        }
    }
}

/// Fisher–Yates over `values` by one lane; the caller syncs.
OPTGAP_HD inline void shuffle(draw_stream& stream, std::int32_t* values, std::int32_t count) {
    for (std::int32_t i = count - 1; i > 0; --i) {
        std::int32_t const j = stream.uniform(0, i);
        std::int32_t const kept = values[i];
        values[i] = values[j];
        values[j] = kept;
    }
}

OPTGAP_KERNELS_END
