#pragma once
// Content scores by any team: what each list of keywords finds in a text, compared with the sequence of its reference
// (Hyyrö 2004: the length of a longest common subsequence, in bits). First each lane finds the places, in its own
// blocks, where any form occurs. Then each lane walks these places for its own lists, from the left, because matches of
// a list must not overlap.
//
// This code takes each list by itself and runs on a GPU. The fast path of a CPU is host/rubric/content/matcher.cpp, one
// walk for all lists. Lists with an empty keyword, and texts in which Python's lower case differs from the fold, are
// handled only on the host.

#include "kernels/core/team.hpp"
#include "kernels/rubric/keywords.hpp"

namespace optgap::rubrics {

/// What one list found in a text.
struct list_score {
    std::int32_t numerator = 0;
    std::int32_t denominator = 1;
    std::int64_t matched_words = 0;
    bool operator==(list_score const&) const = default;
};

/// A list: the sequence of its reference as bits, with `blocks` blocks of 64 for each symbol.
struct list_view {
    std::int32_t length = 0;    ///< of the sequence
    std::int32_t distinct = 0;  ///< number of different symbols in it
    std::int32_t symbols = 0;
    std::int32_t blocks = 0;
    std::int32_t open_at = 0;   ///< where its blocks begin in content_room::open
    std::int32_t masks_at = 0;  ///< where its blocks begin in lists_view::masks
    std::int32_t seen_at = 0;   ///< where its symbols begin in content_room::seen
};

struct lists_view {
    keyword_view words{};
    list_view const* lists = nullptr;
    std::int32_t count = 0;
    std::uint64_t const* masks = nullptr;
    content_measure measure = content_measure::lcs;
};

/// The memory that a team works in. A lane reads only its own part, except for `places`.
struct content_room {
    std::uint64_t* places = nullptr;  ///< size / 64 + 1
    std::uint64_t* open = nullptr;    ///< the lists' blocks
    std::uint8_t* seen = nullptr;     ///< the lists' symbols
};

inline constexpr std::int64_t max_matches = std::int64_t(1) << 30;  ///< a text of 2 GiB has no more matches

}  // namespace optgap::rubrics

OPTGAP_KERNELS_BEGIN

OPTGAP_HD inline std::int32_t bits_set(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __popcll(bits);
#else
    return __builtin_popcountll(bits);
#endif
}
OPTGAP_HD inline std::int32_t lowest_bit(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
    return __ffsll(static_cast<long long>(bits)) - 1;
#else
    return __builtin_ctzll(bits);
#endif
}

/// Updates the bits of a list after a symbol. The subtraction never borrows, because hits are a subset of the open
/// bits.
OPTGAP_HD inline void advance_list(std::uint64_t* open, std::uint64_t const* mask, std::int64_t blocks) {
    std::uint64_t carry = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::uint64_t const hit = open[b] & mask[b];
        std::uint64_t const sum = open[b] + hit;
        std::uint64_t const more = sum + carry;
        carry = std::uint64_t(sum < hit) | std::uint64_t(more < sum);
        open[b] = more | (open[b] - hit);
    }
}

/// How much of a sequence of length `length` is matched.
OPTGAP_HD inline std::int64_t common_length(std::uint64_t const* open, std::int64_t length, std::int64_t blocks) {
    std::int64_t common = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::int64_t const bits = length - b * 64;
        std::uint64_t const low = bits >= 64 ? ~std::uint64_t(0) : bits <= 0 ? 0 : (std::uint64_t(1) << bits) - 1;
        common += bits_set(~open[b] & low);
    }
    return common;
}

/// A list's score from the matched part `common` of its sequence, the `matches` in the text, and the number `found` of
/// its sequence's symbols that occur.
OPTGAP_HD inline rubrics::list_score list_scored(rubrics::content_measure measure, std::int64_t length,
                                                 std::int64_t distinct, std::int64_t common, std::int64_t matches,
                                                 std::int64_t found, std::int64_t words) {
    matches = matches < rubrics::max_matches ? matches : rubrics::max_matches;
    std::int64_t numerator = common;
    std::int64_t denominator = length > matches ? length : matches;
    if (measure == rubrics::content_measure::recall) {
        denominator = length;
    } else if (measure == rubrics::content_measure::f1) {
        numerator = 2 * common;
        denominator = length + matches;
    } else if (measure == rubrics::content_measure::found) {
        numerator = found;
        denominator = distinct;
    }
    if (denominator == 0) {
        return {0, 1, words};
    }
    return {std::int32_t(numerator), std::int32_t(denominator), words};
}

/// Scores one list over the places where some form occurs.
OPTGAP_HD inline rubrics::list_score match_list(rubrics::lists_view const& of, std::int32_t list,
                                                rubrics::ready_view const& text, rubrics::content_room const& room) {
    using namespace rubrics;
    list_view const& own = of.lists[list];
    std::uint64_t* const open = room.open + own.open_at;
    std::uint8_t* const seen = room.seen + own.seen_at;
    std::uint64_t const* const masks = of.masks + own.masks_at;
    for (std::int32_t b = 0; b < own.blocks; ++b) {
        open[b] = ~std::uint64_t(0);
    }
    for (std::int32_t s = 0; s < own.symbols; ++s) {
        seen[s] = 0;
    }
    std::int64_t free_from = 0, matches = 0, words = 0;
    for (std::int64_t block = 0; block <= text.size / 64; ++block) {
        for (std::uint64_t bits = room.places[block]; bits != 0; bits &= bits - 1) {
            std::int64_t const at = block * 64 + lowest_bit(bits);
            if (at < free_from) {
                continue;
            }
            std::int32_t order = INT32_MAX, symbol = -1, form_words = 0;
            std::int64_t behind = 0;
            walk_keywords(of.words, text, at, [&](std::int32_t form, std::int64_t end) {
                form_info const& info = of.words.info[form];
                for (std::uint32_t u = info.first_use; u < info.last_use; ++u) {
                    form_use const& use = of.words.uses[u];
                    if (use.list == list && use.order < order) {
                        order = use.order;
                        symbol = use.symbol;
                        form_words = info.words;
                        behind = end;
                    }
                }
            });
            if (symbol < 0) {
                continue;
            }
            free_from = behind;
            words += form_words;
            bool const fresh = seen[symbol] == 0;
            seen[symbol] = 1;
            if (of.measure == content_measure::order && !fresh) {
                continue;
            }
            ++matches;
            advance_list(open, masks + std::int64_t(symbol) * own.blocks, own.blocks);
        }
    }
    std::int64_t found = 0;
    if (of.measure == content_measure::found) {
        for (std::int32_t s = 0; s < own.symbols; ++s) {
            bool wanted = false;
            for (std::int32_t b = 0; b < own.blocks; ++b) {
                wanted = wanted || masks[std::int64_t(s) * own.blocks + b] != 0;
            }
            found += wanted && seen[s] != 0 ? 1 : 0;
        }
    }
    return list_scored(of.measure, own.length, own.distinct, common_length(open, own.length, own.blocks), matches,
                       found, words);
}

/// Scores every list of a rubric on a text; `out` has one entry for each.
template <class Team>
OPTGAP_HD void match_lists(Team& team, rubrics::lists_view const& of, rubrics::ready_view const& text,
                           rubrics::content_room const& room, rubrics::list_score* out) {
    team.each(text.size / 64 + 1, [&](std::int64_t block) {
        std::uint64_t places = 0;
        for (std::uint64_t bits = keyword_candidates(of.words, text, block); bits != 0; bits &= bits - 1) {
            std::int32_t const bit = lowest_bit(bits);
            std::int64_t const at = block * 64 + bit;
            if (at >= text.size) {
                break;
            }
            bool stands = false;
            if (keyword_may_begin(*of.words.begins, text.text + at)) {
                walk_keywords(of.words, text, at, [&](std::int32_t, std::int64_t) { stands = true; });
            }
            places |= std::uint64_t(stands ? 1 : 0) << bit;
        }
        room.places[block] = places;
    });
    team.sync();
    team.each(of.count, [&](std::int64_t list) { out[list] = match_list(of, std::int32_t(list), text, room); });
    team.sync();
}

OPTGAP_KERNELS_END
