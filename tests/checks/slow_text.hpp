#pragma once
// Slow reference for the structural pass: a list of code points and a loop for each query. It shares only the tables of
// properties with the pass (tests/cli/checks_test.py compares these with Python's).

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/text.hpp"

namespace optgap::testing {

struct slow_point {
    char32_t point;
    std::uint32_t begin;
    std::uint32_t end;
    bool broken;
    bool is(std::uint16_t classes) const { return !broken && (rubrics::properties_of(point).classes & classes) != 0; }
};

/// UTF-8 by its definition: shortest forms, no surrogates, nothing beyond U+10FFFF; anything else is one broken byte.
inline std::vector<slow_point> slow_points(std::string_view text) {
    std::vector<slow_point> points;
    for (std::size_t at = 0; at < text.size();) {
        auto const lead = static_cast<unsigned char>(text[at]);
        int const size = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
        char32_t point = size == 1 ? lead : size == 0 ? 0 : lead & (0x7Fu >> size);
        bool good = size > 0 && at + std::size_t(size) <= text.size();
        for (int k = 1; k < size && good; ++k) {
            auto const next = static_cast<unsigned char>(text[at + std::size_t(k)]);
            good = next >> 6 == 2;
            point = point << 6 | (next & 63);
        }
        static constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
        good = good && point >= least[size] && point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
        std::size_t const end = at + (good ? std::size_t(size) : 1);
        points.push_back({good ? point : rubrics::broken_point, std::uint32_t(at), std::uint32_t(end), !good});
        at = end;
    }
    return points;
}

/// The longest runs of points that satisfy the predicate.
template <class Holds>
std::vector<rubrics::place> slow_runs(std::vector<slow_point> const& points, Holds holds) {
    std::vector<rubrics::place> runs;
    bool inside = false;
    for (slow_point const& one : points) {
        bool const now = holds(one);
        if (now && !inside) {
            runs.push_back({one.begin, one.end});
        } else if (now) {
            runs.back().end = one.end;
        }
        inside = now;
    }
    return runs;
}

struct slow_text {
    rubrics::text_counts counts;
    std::int64_t nonempty_lines = 0, longest_line = 0, longest_word = 0;
    std::vector<rubrics::place> words, pieces, lines, paragraphs;

    explicit slow_text(std::string_view text) {
        using namespace rubrics;
        std::vector<slow_point> const points = slow_points(text);
        words = slow_runs(points, [](slow_point const& one) { return one.is(is_word); });
        pieces = slow_runs(points, [](slow_point const& one) { return !one.is(is_space); });
        counts.bytes = std::int64_t(text.size());
        counts.characters = std::int64_t(points.size());
        counts.numbers = std::int64_t(slow_runs(points, [](slow_point const& one) { return one.is(is_digit); }).size());
        for (std::size_t k = 0; k < points.size(); ++k) {
            slow_point const& one = points[k];
            counts.broken += one.broken;
            counts.letters += one.is(is_letter);
            counts.upper += one.is(is_upper);
            counts.lower += one.is(is_lower);
            counts.digits += one.is(is_digit);
            counts.spaces += one.is(is_space);
            counts.punctuation += one.is(is_punctuation);
            counts.hidden += one.is(is_format);
            counts.emoji += one.is(is_emoji) || (one.point == 0xFE0F && k > 0 && points[k - 1].is(may_be_emoji) &&
                                                 !points[k - 1].is(is_emoji));
            script const of = one.broken ? script::other : properties_of(one.point).of;
            counts.cjk += of == script::han || of == script::hiragana || of == script::katakana;
            if (one.is(is_letter)) {
                ++counts.script_letters[std::size_t(of)];
            }
        }
        std::uint32_t begin = 0;
        for (std::uint32_t at = 0; at <= text.size(); ++at) {
            if (at == text.size() || text[at] == '\n') {
                lines.push_back({begin, at});
                begin = at + 1;
            }
        }
        bool open = false;
        for (place const& line : lines) {
            std::vector<place> inside;
            std::copy_if(pieces.begin(), pieces.end(), std::back_inserter(inside),
                         [&](place const& piece) { return piece.begin >= line.begin && piece.end <= line.end; });
            nonempty_lines += !inside.empty();
            if (!inside.empty() && !open) {
                paragraphs.push_back({inside.front().begin, 0});
            }
            if (!inside.empty()) {
                paragraphs.back().end = inside.back().end;
            }
            open = !inside.empty();
            longest_line =
                std::max(longest_line, std::int64_t(slow_points(text.substr(line.begin, line.size())).size()));
        }
        for (place const& word : words) {
            longest_word =
                std::max(longest_word, std::int64_t(slow_points(text.substr(word.begin, word.size())).size()));
        }
    }
};

/// The difference between the pass and the reference; empty where there is none.
inline std::string difference(rubrics::text_pass const& fast, slow_text const& slow) {
    using namespace rubrics;
    std::string out;
    auto const compare = [&](char const* name, auto const& left, auto const& right) {
        if (left != right) {
            out += std::string(out.empty() ? "" : ", ") + name;
        }
    };
    compare("bytes", fast.counts.bytes, slow.counts.bytes);
    compare("characters", fast.counts.characters, slow.counts.characters);
    compare("broken", fast.counts.broken, slow.counts.broken);
    compare("letters", fast.counts.letters, slow.counts.letters);
    compare("upper", fast.counts.upper, slow.counts.upper);
    compare("lower", fast.counts.lower, slow.counts.lower);
    compare("digits", fast.counts.digits, slow.counts.digits);
    compare("numbers", fast.counts.numbers, slow.counts.numbers);
    compare("spaces", fast.counts.spaces, slow.counts.spaces);
    compare("punctuation", fast.counts.punctuation, slow.counts.punctuation);
    compare("emoji", fast.counts.emoji, slow.counts.emoji);
    compare("hidden", fast.counts.hidden, slow.counts.hidden);
    compare("nonempty_lines", fast.nonempty_lines(), slow.nonempty_lines);
    compare("longest_line", fast.longest_line(), slow.longest_line);
    compare("longest_word", fast.longest_word(), slow.longest_word);
    compare("cjk", fast.counts.cjk, slow.counts.cjk);
    compare("script_letters", fast.counts.script_letters, slow.counts.script_letters);
    compare("word count", fast.counts.words, std::int64_t(slow.words.size()));
    compare("piece count", fast.counts.pieces, std::int64_t(slow.pieces.size()));
    compare("words", fast.words(), slow.words);
    compare("pieces", fast.pieces(), slow.pieces);
    compare("lines", fast.lines(), slow.lines);
    compare("paragraphs", fast.paragraphs(), slow.paragraphs);
    return out;
}

}  // namespace optgap::testing
