#include "host/rubric/content/ready_text.hpp"

#include <algorithm>
#include <cstring>

#include "host/rubric/content/python_case.hpp"
#include "host/rubric/content/stem.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace optgap::rubrics {
namespace {

constexpr std::size_t padding = 64;  ///< zero bytes after a text, for whole blocks and eight-byte loads

bool is_ascii(std::string_view text) {
    std::size_t at = 0;
    std::uint64_t all = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, text.data() + at, 8);
        all |= eight;
    }
    for (; at < text.size(); ++at) {
        all |= std::uint64_t(std::uint8_t(text[at]));
    }
    return (all & 0x8080808080808080u) == 0;
}

/// The word characters among 64 bytes of ASCII, as bits. Folds the bytes on the way where `fold`.
#if defined(__SSE2__)
std::uint64_t ascii_block(char* bytes, bool fold) {
    std::uint64_t bits = 0;
    auto const between = [](__m128i value, char low, char high) {
        return _mm_and_si128(_mm_cmpgt_epi8(value, _mm_set1_epi8(char(low - 1))),
                             _mm_cmplt_epi8(value, _mm_set1_epi8(char(high + 1))));
    };
    for (int part = 0; part < 4; ++part) {
        __m128i const value = _mm_loadu_si128(reinterpret_cast<__m128i const*>(bytes + part * 16));
        __m128i const upper = between(value, 'A', 'Z');
        __m128i const lowered = _mm_or_si128(value, _mm_and_si128(upper, _mm_set1_epi8(32)));
        __m128i const word = _mm_or_si128(_mm_or_si128(between(lowered, 'a', 'z'), between(value, '0', '9')),
                                          _mm_cmpeq_epi8(value, _mm_set1_epi8('_')));
        if (fold) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + part * 16), lowered);
        }
        bits |= std::uint64_t(std::uint32_t(_mm_movemask_epi8(word))) << (part * 16);
    }
    return bits;
}
#else
std::uint64_t ascii_block(char* bytes, bool fold) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) {
        char const value = bytes[i];
        bool const upper = value >= 'A' && value <= 'Z';
        char const lowered = upper ? char(value + 32) : value;
        bool const word = (lowered >= 'a' && lowered <= 'z') || (value >= '0' && value <= '9') || value == '_';
        bytes[i] = fold ? lowered : value;
        bits |= std::uint64_t(word) << i;
    }
    return bits;
}
#endif

void set_range(byte_bits& bits, std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
        bits.set(at);
    }
}

/// Folds as the authors' function does, and records the letters whose lower case is their own.
void fold_as_python(ready_text& out) {
    out.text.clear();
    std::string_view const from = out.original;
    std::vector<std::uint32_t> odd;
    for (std::size_t at = 0; at < from.size();) {
        decoded const one = decode(from, at);
        if (has_own_lower_case(one.point)) {
            odd.push_back(std::uint32_t(out.text.size()));
        }
        append_point(out.text, ignorecase_class(one.point));
        at += one.size;
    }
    out.has_odd = !odd.empty();
    if (!out.has_odd) {
        return;
    }
    out.odd.assign(out.text.size());
    out.origin.clear();
    for (std::uint32_t const at : odd) {
        out.odd.set(at);
    }
    std::string folded;
    for (std::size_t at = 0; at < from.size();) {
        decoded const one = decode(from, at);
        folded.clear();
        append_point(folded, ignorecase_class(one.point));
        out.origin.insert(out.origin.end(), folded.size(), std::uint32_t(at));
        at += one.size;
    }
    out.origin.push_back(std::uint32_t(from.size()));
}

/// Marks words that mix letters of Latin and of Cyrillic or Greek. They imitate other words, so nothing matches them.
void mark_mixed(ready_text& out) {
    bool latin = false, other = false;
    std::size_t begin = 0;
    std::size_t at = 0;
    auto const close = [&] {
        if (latin && other) {
            set_range(out.mixed, begin, at);
        }
        latin = other = false;
    };
    while (at < out.size) {
        decoded const one = decode(out.view(), at);
        if (!out.word[at]) {
            close();
            begin = at + one.size;
        } else if (one.point < 0x80) {
            latin = latin || (one.point >= 'a' && one.point <= 'z') || (one.point >= 'A' && one.point <= 'Z');
        } else {
            script const of = properties_of(one.point).of;
            latin = latin || of == script::latin;
            other = other || of == script::cyrillic || of == script::greek;
        }
        at += one.size;
    }
    close();
}

void classify(ready_text& out, bool strip) {
    out.size = out.text.size();
    out.word.assign(out.size);
    out.start.assign(out.size);
    out.spaceless.assign(out.size);
    out.mixed.assign(out.size);
    bool suspect = false;
    std::int64_t points = 0;
    for (std::size_t at = 0; at < out.size; ++points) {
        out.start.set(at);
        auto const byte = std::uint8_t(out.text[at]);
        if (byte < 0x80) {
            bool const word = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                              (byte >= '0' && byte <= '9') || byte == '_';
            out.word.block(at / 64) |= std::uint64_t(word) << (at % 64);
            ++at;
            continue;
        }
        decoded const one = decode(out.view(), at);
        point_properties const of = one.broken ? point_properties{} : properties_of(one.point);
        if ((of.classes & is_word) != 0) {
            set_range(out.word, at, at + one.size);
            suspect = suspect || of.of == script::cyrillic || of.of == script::greek;
            if (is_spaceless(of.of)) {
                set_range(out.spaceless, at, at + one.size);
            }
        } else if (strip && (of.classes & is_space) != 0) {
            std::memset(out.text.data() + at, ' ', one.size);  // one blank per byte: a run of blanks counts as one
        }
        at += one.size;
    }
    out.points = points;
    if (strip && suspect) {
        mark_mixed(out);
    }
}

/// U+0345 is a mark, but has the class of iota, a letter. re looks at the text's character, not at its class.
void clear_odd_marks(ready_text& out) {
    for (std::size_t at = 0; at < out.size; ++at) {
        if (out.odd[at] && !is_a(decode(out.original, out.origin[at]).point, is_word)) {
            out.word.clear(at, decode(out.view(), at).size);
        }
    }
}

/// Replaces every word of letters a to z by its stem.
std::string stemmed(ready_text const& of) {
    std::string out, word;
    std::size_t done = 0;
    out.reserve(of.size);
    each_word(of, [&](std::size_t begin, std::size_t end) {
        word.assign(of.view().substr(begin, end - begin));
        if (std::ranges::all_of(word, [](char letter) { return letter >= 'a' && letter <= 'z'; })) {
            stem_english(word);
        }
        out.append(of.view().substr(done, begin - done)).append(word);
        done = end;
    });
    return out.append(of.view().substr(done));
}

/// Computes the bits of a text that is folded already.
void mark_words(ready_text& out, bool strip) {
    if (!out.ascii) {
        classify(out, strip);
        out.text.resize(out.size + padding);
        std::memset(out.text.data() + out.size, 0, padding);
        return;
    }
    out.size = out.text.size();
    out.text.resize(out.size + padding);
    std::memset(out.text.data() + out.size, 0, padding);
    out.word.assign(out.size);
    for (std::size_t b = 0; b < out.blocks(); ++b) {
        out.word.block(b) = ascii_block(out.text.data() + b * 64, false);
    }
}

void make_ready_unstemmed(std::string_view text, text_settings const& how, ready_text& out) {
    out.original = text;
    out.hidden = 0;
    out.has_odd = false;
    out.ascii = is_ascii(text);
    if (out.ascii) {
        out.size = text.size();
        out.points = std::int64_t(text.size());
        out.text.resize(text.size() + padding);
        if (!text.empty()) {
            std::memcpy(out.text.data(), text.data(), text.size());
        }
        std::memset(out.text.data() + text.size(), 0, padding);
        out.word.assign(out.size);
        for (std::size_t b = 0; b < out.blocks(); ++b) {
            out.word.block(b) = ascii_block(out.text.data() + b * 64, how.fold != fold_rule::none);
        }
        return;
    }
    if (how.fold == fold_rule::python) {
        fold_as_python(out);
    } else {
        out.hidden = prepare(text,
                             {.fold = how.fold,
                              .normal = how.normal,
                              .typography = how.typography,
                              .drop_hidden = how.strip,
                              .sentences = sentence_rule::plain},
                             out.text);
    }
    classify(out, how.strip);
    if (out.has_odd) {
        clear_odd_marks(out);
    }
    out.points += how.strip ? out.hidden : 0;
    out.text.resize(out.size + padding);
    std::memset(out.text.data() + out.size, 0, padding);
}

}  // namespace

void make_ready(std::string_view text, text_settings const& how, ready_text& out) {
    make_ready_unstemmed(text, how, out);
    if (how.stem == word_stems::english) {
        std::int64_t const points = out.points;  // of the original text, as for hidden characters
        out.text = stemmed(out);
        mark_words(out, how.strip);
        out.points = points;
    }
}

}  // namespace optgap::rubrics
