#pragma once
// The keywords of a rubric's lists as flat arrays, a text prepared for matching, and the search for forms in it. Views
// of memory that another object owns, on a CPU or a GPU.

#include <cstdint>

#include "kernels/core/hd.hpp"

namespace optgap::rubrics {

enum class keyword_boundary : std::uint8_t {
    automatic,  ///< at the ends of words, except in scripts without spaces
    word,       ///< no word character on either side, whatever the ends of the keyword are
    none,       ///< anywhere
};
enum class content_measure : std::uint8_t { lcs, recall, f1, found, order };

/// One use of a form in a list.
struct form_use {
    std::int32_t list = 0;
    std::int32_t order = 0;   ///< its keyword's position there: of several that match, the first counts
    std::int32_t symbol = 0;  ///< its symbol in sequences
};

struct form_info {
    std::uint32_t first_use = 0, last_use = 0;
    std::int32_t words = 0;
    bool opens_with_word = false, closes_with_word = false, closes_spaceless = false;
};

/// A node of the trie over folded bytes.
struct keyword_node {
    std::uint32_t first_edge = 0;
    std::int32_t edges = 0;
    std::int32_t form = -1;
    std::int32_t only = -1;  ///< the only form at this node and below, if the rest of it contains no blank
    std::uint32_t tail = 0, tail_bytes = 0;  ///< that rest, in `tails`
};
struct keyword_edge {
    std::uint8_t byte;
    std::int32_t node;
};

/// Filters by the first bytes of forms.
struct keyword_begins {
    std::uint64_t by4[64] = {};  ///< by four bytes, for forms whose first word has at least four
    std::uint64_t by2[8] = {};   ///< by two
    std::uint64_t by1[4] = {};   ///< by one
    bool shorter = false;        ///< whether there are any by two bytes or by one
};

struct keyword_view {
    form_info const* info = nullptr;
    form_use const* uses = nullptr;
    keyword_node const* nodes = nullptr;
    keyword_edge const* edges = nullptr;
    char const* tails = nullptr;
    std::int32_t const* roots = nullptr;  ///< by byte; -1: none
    keyword_begins const* begins = nullptr;
    keyword_boundary boundary = keyword_boundary::automatic;
    bool strip = false;
    bool any_word_first = false, any_other_first = false;
};

/// A folded text, followed by eight zero bytes that do not belong to it, and bitmaps with a bit for each byte. If the
/// text is ASCII, only `word` is set. Bitmaps have one block of 64 more than the text.
struct ready_view {
    char const* text = nullptr;
    std::int64_t size = 0;
    bool ascii = true;
    std::uint64_t const* word = nullptr;
    std::uint64_t const* start = nullptr;      ///< first bytes of code points
    std::uint64_t const* spaceless = nullptr;  ///< bytes of scripts without spaces
    std::uint64_t const* mixed = nullptr;      ///< bytes of words that mix scripts
};

}  // namespace optgap::rubrics

OPTGAP_KERNELS_BEGIN

OPTGAP_HD inline bool bit_of(std::uint64_t const* bits, std::int64_t at) {
    return (bits[at / 64] >> (at % 64) & 1) != 0;
}
/// For each byte of a block, the bit of the byte before it.
OPTGAP_HD inline std::uint64_t bits_before(std::uint64_t const* bits, std::int64_t block) {
    return bits[block] << 1 | (block == 0 ? 0 : bits[block - 1] >> 63);
}
OPTGAP_HD inline bool is_blank_byte(char byte) {
    return byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31);
}
OPTGAP_HD inline std::uint32_t hash_of_four(std::uint32_t bytes) { return (bytes * 0x9E3779B1u) >> 20; }
OPTGAP_HD inline std::uint32_t hash_of_two(std::uint32_t bytes) { return (bytes * 0x9E3779B1u) >> 23; }

/// The places of a block where a form may begin.
OPTGAP_HD inline std::uint64_t keyword_candidates(rubrics::keyword_view const& of, rubrics::ready_view const& text,
                                                  std::int64_t block) {
    using rubrics::keyword_boundary;
    std::uint64_t const word = text.word[block];
    std::uint64_t const after_other = ~bits_before(text.word, block);
    std::uint64_t const other = of.any_other_first ? ~std::uint64_t(0) : 0;
    if (text.ascii) {
        switch (of.boundary) {
            case keyword_boundary::none: return ~std::uint64_t(0);
            case keyword_boundary::word: return (word | other) & after_other;
            default: return (word & after_other) | (other & ~word);
        }
    }
    std::uint64_t const start = text.start[block] & ~text.mixed[block];
    switch (of.boundary) {
        case keyword_boundary::none: return start;
        case keyword_boundary::word: return start & (word | other) & after_other;
        default: {
            std::uint64_t const free = after_other | text.spaceless[block] | bits_before(text.spaceless, block);
            return start & ((word & free) | (other & ~word));
        }
    }
}

/// Whether a form begins like the text at `at`. May return true wrongly, but never false.
OPTGAP_HD inline bool keyword_may_begin(rubrics::keyword_begins const& begins, char const* at) {
    std::uint32_t four = 0;
#ifdef __CUDA_ARCH__
    for (int k = 3; k >= 0; --k) {  // the bytes need not be aligned
        four = four << 8 | static_cast<unsigned char>(at[k]);
    }
#else
    __builtin_memcpy(&four, at, 4);
#endif
    std::uint32_t const by4 = hash_of_four(four), by2 = hash_of_two(four & 0xFFFF), by1 = four & 0xFF;
    if ((begins.by4[by4 / 64] >> (by4 % 64) & 1) != 0) {
        return true;
    }
    return begins.shorter && (((begins.by2[by2 / 64] >> (by2 % 64)) | (begins.by1[by1 / 64] >> (by1 % 64))) & 1) != 0;
}

OPTGAP_HD inline bool same_bytes(char const* one, char const* other, std::int64_t count) {
#ifdef __CUDA_ARCH__
    bool same = true;
    for (std::int64_t k = 0; same && k < count; ++k) {
        same = one[k] == other[k];
    }
    return same;
#else
    return __builtin_memcmp(one, other, std::size_t(count)) == 0;
#endif
}

/// Whether a form may end at `end`.
OPTGAP_HD inline bool keyword_closes(rubrics::keyword_view const& of, rubrics::ready_view const& text,
                                     std::int32_t form, std::int64_t end) {
    rubrics::form_info const& info = of.info[form];
    switch (of.boundary) {
        case rubrics::keyword_boundary::none: return end == text.size || text.ascii || bit_of(text.start, end);
        case rubrics::keyword_boundary::word: return !bit_of(text.word, end);
        default:
            return !info.closes_with_word || !bit_of(text.word, end) || info.closes_spaceless ||
                   (!text.ascii && bit_of(text.spaceless, end));
    }
}

/// Calls `take(form, end)` for every form that occurs at `at` between its boundaries, shortest first.
template <class Take>
OPTGAP_HD void walk_keywords(rubrics::keyword_view const& of, rubrics::ready_view const& text, std::int64_t at,
                             Take const& take) {
    char const* const bytes = text.text;
    std::int32_t node = of.roots[static_cast<unsigned char>(bytes[at])];
    for (std::int64_t end = at + 1; node >= 0;) {
        rubrics::keyword_node const& here = of.nodes[node];
        if (here.only >= 0) {
            // Only one form is left: either its rest occurs here, or nothing does.
            std::int64_t const rest = here.tail_bytes;
            if (rest <= text.size - end && same_bytes(bytes + end, of.tails + here.tail, rest) &&
                keyword_closes(of, text, here.only, end + rest)) {
                take(here.only, end + rest);
            }
            return;
        }
        if (here.form >= 0 && keyword_closes(of, text, here.form, end)) {
            take(here.form, end);
        }
        if (here.edges == 0 || end >= text.size) {
            return;
        }
        char byte = bytes[end++];
        if (of.strip && is_blank_byte(byte)) {
            byte = ' ';
            while (end < text.size && is_blank_byte(bytes[end])) {
                ++end;
            }
        }
        std::int32_t next = -1;
        for (std::int32_t e = 0; e < here.edges; ++e) {
            rubrics::keyword_edge const& one = of.edges[here.first_edge + std::uint32_t(e)];
            if (one.byte >= static_cast<unsigned char>(byte)) {
                next = one.byte == static_cast<unsigned char>(byte) ? one.node : -1;
                break;
            }
        }
        node = next;
    }
}

OPTGAP_KERNELS_END
