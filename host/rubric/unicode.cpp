#include "host/rubric/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "host/rubric/bytes.hpp"

namespace optgap::rubrics {

extern char const packed_properties[];
extern char const packed_lower[];
extern char const packed_fold[];

namespace {

constexpr std::uint16_t changes_under_fold = 8192;

/// Reads the format of tools/unicode/tables.py: six bits a character, numbers of seven bits a byte.
class packed_reader {
public:
    explicit packed_reader(char const* text) : text_(text) {}

    std::uint32_t number() {
        std::uint32_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            std::uint32_t const byte = next_byte();
            value |= (byte & 127) << shift;
            if (byte < 128) {
                return value;
            }
        }
    }
    std::int32_t signed_number() {
        std::uint32_t const value = number();
        return value % 2 == 0 ? std::int32_t(value / 2) : -std::int32_t(value / 2) - 1;
    }

private:
    static std::uint32_t six_bits(char letter) {
        if (letter >= 'a') {
            return std::uint32_t(letter - 'a') + 26;
        }
        if (letter >= 'A') {
            return std::uint32_t(letter - 'A');
        }
        return letter == '+' ? 62u : letter == '-' ? 63u : std::uint32_t(letter - '0') + 52;
    }
    std::uint32_t next_byte() {
        while (held_ < 8) {
            bits_ |= six_bits(*text_++) << held_;
            held_ += 6;
        }
        std::uint32_t const byte = bits_ & 255;
        bits_ >>= 8;
        held_ -= 8;
        return byte;
    }

    char const* text_;
    std::uint32_t bits_ = 0;
    unsigned held_ = 0;
};

struct case_step {
    char32_t first;
    std::uint16_t count;
    std::uint16_t stride;
    std::int32_t distance;
};

std::vector<case_step> read_steps(char const* packed) {
    packed_reader in(packed);
    std::vector<case_step> steps(in.number());
    char32_t first = 0;
    for (case_step& step : steps) {
        first += in.number();
        step.first = first;
        step.count = std::uint16_t(in.number());
        step.stride = std::uint16_t(in.number());
        step.distance = in.signed_number();
    }
    return steps;
}

char32_t mapped(std::vector<case_step> const& steps, char32_t point) {
    auto const after = std::upper_bound(steps.begin(), steps.end(), point,
                                        [](char32_t value, case_step const& step) { return value < step.first; });
    // Steps of stride 2 may interleave with one neighbour.
    for (std::ptrdiff_t back = 1; back <= 2 && after - steps.begin() >= back; ++back) {
        case_step const& step = *(after - back);
        std::uint32_t const offset = point - step.first;
        if (offset % step.stride == 0 && offset / step.stride < step.count) {
            return char32_t(std::int64_t(point) + step.distance);
        }
    }
    return point;
}

struct unicode_tables {
    std::vector<point_properties> kinds;
    std::array<std::uint16_t, point_table::block_count> block_of{};
    std::vector<std::uint8_t> blocks;
    std::vector<case_step> lower;
    std::vector<case_step> fold;
    point_table view;

    unicode_tables() : lower(read_steps(packed_lower)), fold(read_steps(packed_fold)) {
        packed_reader in(packed_properties);
        kinds.resize(in.number());
        for (point_properties& kind : kinds) {
            kind.classes = std::uint16_t(in.number());
            kind.of = script(in.number());
        }
        std::vector<std::uint8_t> all;
        all.reserve(beyond_points);
        while (all.size() < beyond_points) {
            std::uint32_t const length = in.number();
            all.insert(all.end(), length, std::uint8_t(in.number()));
        }
        constexpr std::size_t size = std::size_t(1) << point_table::block_bits;
        constexpr std::size_t low_end = point_table::low_end, high_begin = point_table::high_begin;
        for (std::size_t b = 0; b < block_of.size(); ++b) {
            std::size_t const first = b * size < low_end ? b * size : b * size - low_end + high_begin;
            std::uint8_t const* const own = all.data() + first;
            std::size_t known = 0;
            while (known * size < blocks.size() && std::memcmp(blocks.data() + known * size, own, size) != 0) {
                ++known;
            }
            if (known * size == blocks.size()) {
                blocks.insert(blocks.end(), own, own + size);
            }
            block_of[b] = std::uint16_t(known);
        }
        view = {kinds.data(), block_of.data(), blocks.data()};
    }
};

unicode_tables const& tables() {
    static unicode_tables const all;
    return all;
}

/// Whether a code point is cased in the sense of Unicode's Final_Sigma.
bool is_cased(std::uint16_t classes) { return (classes & (is_upper | is_lower | is_title)) != 0; }

/// Whether the nearest code point before `at`, or after it, that is not case-ignorable is cased.
bool cased_before(std::string_view text, std::size_t at) {
    while (at > 0) {
        decoded const one = decode_before(text, at);
        std::uint16_t const classes = properties_of(one.point).classes;
        if ((classes & is_case_ignorable) == 0) {
            return is_cased(classes);
        }
        at -= one.size;
    }
    return false;
}
bool cased_behind(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        decoded const one = decode(text, at);
        std::uint16_t const classes = properties_of(one.point).classes;
        if ((classes & is_case_ignorable) == 0) {
            return is_cased(classes);
        }
        at += one.size;
    }
    return false;
}

}  // namespace

std::size_t unicode_table_bytes() {
    unicode_tables const& all = tables();
    return all.kinds.size() * sizeof(point_properties) + sizeof all.block_of + all.blocks.size() +
           (all.lower.size() + all.fold.size()) * sizeof(case_step);
}

point_properties properties_of(char32_t point) { return properties_in(tables().view, point); }
point_table const& point_properties_table() { return tables().view; }

bool is_spaceless(script of) {
    return of == script::han || of == script::hiragana || of == script::katakana || of == script::thai ||
           of == script::spaceless;
}

decoded decode(std::string_view text, std::size_t at) {
    return decode_point(text.data(), std::int64_t(text.size()), std::int64_t(at));
}

decoded decode_before(std::string_view text, std::size_t at) {
    return point_before(text.data(), std::int64_t(text.size()), std::int64_t(at));
}

void append_point(std::string& out, char32_t point) {
    if (point < 0x80) {
        out += char(point);
    } else if (point < 0x800) {
        out += {char(0xC0 | point >> 6), char(0x80 | (point & 63))};
    } else if (point < 0x10000) {
        out += {char(0xE0 | point >> 12), char(0x80 | (point >> 6 & 63)), char(0x80 | (point & 63))};
    } else {
        out += {char(0xF0 | point >> 18), char(0x80 | (point >> 12 & 63)), char(0x80 | (point >> 6 & 63)),
                char(0x80 | (point & 63))};
    }
}

char32_t simple_fold(char32_t point) {
    if (point < 0x80) {
        return point >= 'A' && point <= 'Z' ? point + 32 : point;
    }
    return (properties_of(point).classes & changes_under_fold) != 0 ? mapped(tables().fold, point) : point;
}

char32_t simple_lower(char32_t point) {
    if (point < 0x80) {
        return point >= 'A' && point <= 'Z' ? point + 32 : point;
    }
    return (properties_of(point).classes & (is_upper | is_title)) != 0 ? mapped(tables().lower, point) : point;
}

char32_t python_fold(char32_t point) {
    switch (point) {
        case 0x130:
        case 0x131: return 'i';
        case 0x17F: return 's';
        case 0x212A: return 'k';
        default: return simple_lower(point);
    }
}

void lower_ascii(std::string_view text, std::string& out) {
    out.resize(text.size());
    std::size_t const whole = text.size() & ~std::size_t(15);
    for (std::size_t k = 0; k < whole; k += 16) {
        bytes16 value = load16(text.data() + k);
        value |= within(value, 'A', 'Z') & 32;
        std::memcpy(out.data() + k, &value, sizeof value);
    }
    for (std::size_t k = whole; k < text.size(); ++k) {
        char const byte = text[k];
        out[k] = char(byte | (byte >= 'A' && byte <= 'Z' ? 32 : 0));
    }
}

void python_lower(std::string_view text, std::string& out) {
    if (is_ascii_text(text)) {
        lower_ascii(text, out);
        return;
    }
    map_points(text, out, [&](decoded const& one, std::size_t at) {
        if (one.point == 0x130) {
            out += "i\xCC\x87";
        } else if (one.point == 0x3A3) {
            bool const is_final = cased_before(text, at) && !cased_behind(text, at + one.size);
            append_point(out, is_final ? 0x3C2 : 0x3C3);
        } else {
            append_point(out, simple_lower(one.point));
        }
    });
}

}  // namespace optgap::rubrics
