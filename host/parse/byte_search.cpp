#include "host/parse/byte_search.hpp"

#include <algorithm>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace optgap::text {
namespace {

bool always() { return true; }

std::uint64_t mask_plain(char const* data, pair_filter const& filter) {
    std::uint64_t mask = 0;
    for (std::size_t j = 0; j < block_bytes; ++j) {
        unsigned const a = static_cast<unsigned char>(data[j]);
        unsigned const b = static_cast<unsigned char>(data[j + 1]);
        bool match = false;
        for (int k = 0; k < filter.count; ++k) {
            byte_pair const pair = filter.pairs[std::size_t(k)];
            match |= ((a & pair.keep_first) == pair.first) & ((b & pair.keep_second) == pair.second);
        }
        mask |= std::uint64_t(match) << j;
    }
    return mask;
}

std::size_t first_plain(char const* data, std::size_t blocks, pair_filter const& filter, std::uint64_t& mask) {
    for (std::size_t i = 0; i < blocks; ++i) {
        if ((mask = mask_plain(data + i * block_bytes, filter)) != 0) {
            return i;
        }
    }
    mask = 0;
    return blocks;
}

std::size_t last_plain(char const* data, std::size_t blocks, pair_filter const& filter, std::uint64_t& mask) {
    for (std::size_t i = blocks; i-- > 0;) {
        if ((mask = mask_plain(data + i * block_bytes, filter)) != 0) {
            return i;
        }
    }
    mask = 0;
    return blocks;
}

#if defined(__x86_64__)

// Uses function pointers and target attributes instead of target_clones: an ifunc resolver runs before ThreadSanitizer
// does.
#define OPTGAP_AVX2 __attribute__((target("avx2")))

struct filter_sse2 {
    __m128i keep_first[4], first[4], keep_second[4], second[4];
    explicit filter_sse2(pair_filter const& filter) {
        for (std::size_t k = 0; k < 4; ++k) {
            byte_pair const pair = filter.pairs[k];
            keep_first[k] = _mm_set1_epi8(char(pair.keep_first));
            first[k] = _mm_set1_epi8(char(pair.first));
            keep_second[k] = _mm_set1_epi8(char(pair.keep_second));
            second[k] = _mm_set1_epi8(char(pair.second));
        }
    }
};

template <int Pairs>
std::uint64_t mask_sse2(char const* data, filter_sse2 const& f) {
    std::uint64_t mask = 0;
    for (int part = 0; part < 4; ++part) {
        __m128i const a = _mm_loadu_si128(reinterpret_cast<__m128i const*>(data + 16 * part));
        __m128i const b = _mm_loadu_si128(reinterpret_cast<__m128i const*>(data + 16 * part + 1));
        __m128i match = _mm_setzero_si128();
        for (int k = 0; k < Pairs; ++k) {
            match = _mm_or_si128(match, _mm_and_si128(_mm_cmpeq_epi8(_mm_and_si128(a, f.keep_first[k]), f.first[k]),
                                                      _mm_cmpeq_epi8(_mm_and_si128(b, f.keep_second[k]), f.second[k])));
        }
        mask |= std::uint64_t(std::uint32_t(_mm_movemask_epi8(match))) << (16 * part);
    }
    return mask;
}

template <int Pairs, bool Forward>
std::size_t find_sse2(char const* data, std::size_t blocks, pair_filter const& filter, std::uint64_t& mask) {
    filter_sse2 const f(filter);
    for (std::size_t step = 0; step < blocks; ++step) {
        std::size_t const i = Forward ? step : blocks - 1 - step;
        if ((mask = mask_sse2<Pairs>(data + i * block_bytes, f)) != 0) {
            return i;
        }
    }
    mask = 0;
    return blocks;
}

template <bool Forward>
std::size_t dispatch_sse2(char const* data, std::size_t blocks, pair_filter const& filter, std::uint64_t& mask) {
    switch (filter.count) {
        case 1: return find_sse2<1, Forward>(data, blocks, filter, mask);
        case 2: return find_sse2<2, Forward>(data, blocks, filter, mask);
        case 3: return find_sse2<3, Forward>(data, blocks, filter, mask);
        default: return find_sse2<4, Forward>(data, blocks, filter, mask);
    }
}

bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }

template <int Pairs, bool Forward>
OPTGAP_AVX2 std::size_t find_avx2(char const* data, std::size_t blocks, pair_filter const& filter,
                                  std::uint64_t& mask) {
    __m256i keep_first[Pairs], first[Pairs], keep_second[Pairs], second[Pairs];
    for (int k = 0; k < Pairs; ++k) {
        byte_pair const pair = filter.pairs[std::size_t(k)];
        keep_first[k] = _mm256_set1_epi8(char(pair.keep_first));
        first[k] = _mm256_set1_epi8(char(pair.first));
        keep_second[k] = _mm256_set1_epi8(char(pair.keep_second));
        second[k] = _mm256_set1_epi8(char(pair.second));
    }
    for (std::size_t step = 0; step < blocks; ++step) {
        std::size_t const i = Forward ? step : blocks - 1 - step;
        char const* const block = data + i * block_bytes;
        __m256i match[2];
        for (int half = 0; half < 2; ++half) {
            __m256i const a = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(block + 32 * half));
            __m256i const b = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(block + 32 * half + 1));
            match[half] = _mm256_setzero_si256();
            for (int k = 0; k < Pairs; ++k) {
                __m256i const is_first = _mm256_cmpeq_epi8(_mm256_and_si256(a, keep_first[k]), first[k]);
                __m256i const is_second = _mm256_cmpeq_epi8(_mm256_and_si256(b, keep_second[k]), second[k]);
                match[half] = _mm256_or_si256(match[half], _mm256_and_si256(is_first, is_second));
            }
        }
        __m256i const either = _mm256_or_si256(match[0], match[1]);
        if (_mm256_testz_si256(either, either) == 0) {
            mask = std::uint64_t(std::uint32_t(_mm256_movemask_epi8(match[0]))) |
                   std::uint64_t(std::uint32_t(_mm256_movemask_epi8(match[1]))) << 32;
            return i;
        }
    }
    mask = 0;
    return blocks;
}

template <bool Forward>
std::size_t dispatch_avx2(char const* data, std::size_t blocks, pair_filter const& filter, std::uint64_t& mask) {
    switch (filter.count) {
        case 1: return find_avx2<1, Forward>(data, blocks, filter, mask);
        case 2: return find_avx2<2, Forward>(data, blocks, filter, mask);
        case 3: return find_avx2<3, Forward>(data, blocks, filter, mask);
        default: return find_avx2<4, Forward>(data, blocks, filter, mask);
    }
}

constexpr byte_search known_searches[] = {
    {"avx2", has_avx2, dispatch_avx2<true>, dispatch_avx2<false>},
    {"sse2", always, dispatch_sse2<true>, dispatch_sse2<false>},
    {"plain", always, first_plain, last_plain},
};

#else

constexpr byte_search known_searches[] = {{"plain", always, first_plain, last_plain}};

#endif

/// The mask of a block at the text's end, padded with zeros, since no kernel reads beyond the text.
std::uint64_t padded_mask(std::string_view tail, pair_filter const& filter, byte_search const& search) {
    char padded[block_bytes + 1] = {};
    std::memcpy(padded, tail.data(), tail.size());
    std::uint64_t mask = 0;
    search.first(padded, 1, filter, mask);
    return tail.size() < block_bytes ? mask & ((std::uint64_t(1) << tail.size()) - 1) : mask;
}

}  // namespace

std::span<byte_search const> byte_searches() {
    static std::vector<byte_search> const found = [] {
        std::vector<byte_search> usable;
        std::copy_if(std::begin(known_searches), std::end(known_searches), std::back_inserter(usable),
                     [](byte_search const& each) { return each.supported(); });
        return usable;
    }();
    return found;
}

byte_search const& best_byte_search() {
    static byte_search const& best = byte_searches().front();
    return best;
}

void forward_candidates::advance() {
    // The kernels look one byte ahead, so the text's last position never belongs to a whole block.
    std::size_t const blocks = (text_.size() - 1 - unread_) / block_bytes;
    if (blocks > 0) {
        std::size_t const found = search_.first(text_.data() + unread_, blocks, filter_, mask_);
        base_ = unread_ + found * block_bytes;
        unread_ = found < blocks ? base_ + block_bytes : base_;
        if (found < blocks) {
            return;
        }
    }
    base_ = unread_;
    mask_ = padded_mask(text_.substr(unread_), filter_, search_);
    unread_ = text_.size();
}

void backward_candidates::advance() {
    if (unread_ == text_.size()) {
        std::size_t const tail = (text_.size() - 1) % block_bytes + 1;
        unread_ -= tail;
        base_ = unread_;
        mask_ = padded_mask(text_.substr(base_), filter_, search_);
        return;
    }
    std::size_t const blocks = unread_ / block_bytes;
    std::size_t const found = search_.last(text_.data(), blocks, filter_, mask_);
    unread_ = found < blocks ? found * block_bytes : 0;
    base_ = unread_;
}

}  // namespace optgap::text
