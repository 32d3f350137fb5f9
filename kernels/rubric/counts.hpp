#pragma once
// Counts of a text, and bounds on them: integers, by any team. This is the slow reference of the fast CPU pass in
// host/rubric/text.cpp, and runs on a GPU.

#include "kernels/core/team.hpp"
#include "kernels/rubric/points.hpp"

namespace optgap::rubrics {

/// The counters in their order; there are script::count entries for `scripts`.
enum class counter : std::int32_t {
    bytes,
    characters,
    broken,
    letters,
    upper,
    lower,
    digits,
    numbers,
    spaces,
    punctuation,
    emoji,
    hidden,
    words,
    pieces,
    cjk,
    lines,
    words_apart,  ///< words, with each Han or kana character counted as one
    scripts,
    count = scripts + std::int32_t(script::count),
};

/// The bounds of a number. Shares are per mille.
struct bound {
    static constexpr std::int64_t none = INT64_MIN;
    std::int64_t low = none;
    std::int64_t high = none;
    std::int64_t ratio_low = none;
    std::int64_t ratio_high = none;
};

/// A check of a counter, or of its share of another counter.
struct counter_check {
    counter value = counter::bytes;
    counter of = counter::count;  ///< counter::count: not a share
    bound keeps{};
};

struct counter_result {
    std::int64_t value = 0;
    std::int64_t of = 1;  ///< 1 if the value is not a share
    std::int32_t passed = 0;
    bool operator==(counter_result const&) const = default;
};

}  // namespace optgap::rubrics

OPTGAP_KERNELS_BEGIN

/// Whether a value keeps to a bound. `of` is 0 for a share of nothing, which satisfies no bound of a ratio.
OPTGAP_HD inline bool keeps_to(rubrics::bound const& bound, std::int64_t value, std::int64_t of) {
    constexpr std::int64_t none = rubrics::bound::none;
    bool good = (bound.low == none || value >= bound.low) && (bound.high == none || value <= bound.high);
    if (bound.ratio_low != none || bound.ratio_high != none) {
        good = good && of > 0 && (bound.ratio_low == none || value * 1000 >= bound.ratio_low * of) &&
               (bound.ratio_high == none || value * 1000 <= bound.ratio_high * of);
    }
    return good;
}

/// Counts a text of less than 2 GiB. `out` has counter::count numbers, written by lane 0. Each lane takes bytes at a
/// distance of the team's size, and handles the code points that begin there.
template <class Team>
OPTGAP_HD void count_text(Team& team, char const* text, std::int64_t size, rubrics::point_table const& table,
                          std::int64_t* out) {
    using namespace rubrics;
    constexpr std::int32_t count = std::int32_t(counter::count);
    std::uint32_t mine[count] = {};
    auto const add = [&](counter which, bool more) { mine[std::int32_t(which)] += more ? 1 : 0; };
    team.each(size, [&](std::int64_t at) {
        if (!begins_point(text, size, at)) {
            return;
        }
        decoded const one = decode_point(text, size, at);
        point_properties const is = one.broken ? point_properties{} : properties_in(table, one.point);
        decoded const last = at > 0 ? point_before(text, size, at) : decoded{U' ', 1, false};
        point_properties const was = last.broken ? point_properties{} : properties_in(table, last.point);
        auto const has = [&](std::uint16_t classes) { return (is.classes & classes) != 0; };
        auto const had = [&](std::uint16_t classes) { return (was.classes & classes) != 0; };
        auto const apart = [](script of) {
            return of == script::han || of == script::hiragana || of == script::katakana;
        };
        bool const first = at == 0;
        bool const drawn = one.point == 0xFE0F && had(may_be_emoji) && !had(is_emoji);
        add(counter::characters, true);
        add(counter::broken, one.broken);
        add(counter::letters, has(is_letter));
        add(counter::upper, has(is_upper));
        add(counter::lower, has(is_lower));
        add(counter::digits, has(is_digit));
        add(counter::numbers, has(is_digit) && (first || !had(is_digit)));
        add(counter::spaces, has(is_space));
        add(counter::punctuation, has(is_punctuation));
        add(counter::emoji, has(is_emoji) || (!first && drawn));
        add(counter::hidden, has(is_format));
        add(counter::words, has(is_word) && (first || !had(is_word)));
        add(counter::pieces, !has(is_space) && (first || had(is_space)));
        add(counter::cjk, apart(is.of));
        add(counter::lines, one.point == U'\n');
        bool const begins = first || !had(is_word) || apart(was.of);
        add(counter::words_apart, apart(is.of) || (has(is_word) && begins));
#ifdef __CUDA_ARCH__
#pragma unroll  // keeps the counts in registers
#endif
        for (std::int32_t s = 0; s < std::int32_t(script::count); ++s) {
            mine[std::int32_t(counter::scripts) + s] += has(is_letter) && std::int32_t(is.of) == s ? 1 : 0;
        }
    });
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::int32_t k = 0; k < count; ++k) {
        std::int64_t const all = team.sum(mine[k]);
        if (team.rank() == 0) {
            out[k] = k == std::int32_t(counter::bytes)   ? size
                     : k == std::int32_t(counter::lines) ? all + (size > 0 ? 1 : 0)
                                                         : all;
        }
    }
    team.sync();
}

/// Evaluates checks on the counters of a text.
template <class Team>
OPTGAP_HD void check_counters(Team& team, std::int64_t const* counters, rubrics::counter_check const* checks,
                              std::int32_t count, rubrics::counter_result* out) {
    team.each(count, [&](std::int64_t k) {
        rubrics::counter_check const& one = checks[k];
        std::int64_t const value = counters[std::int32_t(one.value)];
        std::int64_t const of = one.of == rubrics::counter::count ? 0 : counters[std::int32_t(one.of)];
        out[k] = {value, of > 0 ? of : 1, keeps_to(one.keeps, value, of) ? 1 : 0};
    });
    team.sync();
}

OPTGAP_KERNELS_END
