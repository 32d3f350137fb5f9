#include "optgap/key.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "host/specs/nearest.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr std::array<char const*, 4> paper_levels{"easy", "medium", "hard", "benchmark"};
constexpr std::array<char const*, 3> splits{"train", "val", "test"};

constexpr char const* key_form =
    "expected TASK@VERSION:SPLIT:LEVEL:SEED[:sSTYLE][#HASH8] or TASK@VERSION:x:HASH32, such as "
    "tsp@1:train:hard:42#9f3a1c2e";

/// All of `text` as a decimal number without sign or leading zeros.
template <class Number>
bool read_number(std::string_view text, Number& out) {
    if (text.empty() || (text.size() > 1 && text[0] == '0') || text[0] == '-' || text[0] == '+') {
        return false;
    }
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    return problem == std::errc() && end == text.data() + text.size();
}

bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Cuts `text` at the first `separator`: returns what is before it and leaves what follows.
std::string_view take(std::string_view& text, char separator) {
    std::size_t const at = text.find(separator);
    std::string_view const head = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return head;
}

std::string hex(std::uint64_t value, int digits) {
    std::string text(std::size_t(digits), '0');
    for (int i = digits - 1; i >= 0; --i, value >>= 4) {
        text[std::size_t(i)] = "0123456789abcdef"[value & 15];
    }
    return text;
}

}  // namespace

difficulty parse_level(std::string_view text) {
    for (std::size_t i = 0; i < paper_levels.size(); ++i) {
        if (text == paper_levels[i]) {
            return {std::int32_t(i) - 4};
        }
    }
    std::int32_t step = 0;
    if (text.size() > 1 && text[0] == 'd' && read_number(text.substr(1), step) && step <= max_scale_step) {
        return difficulty::scale(step);
    }
    throw field_error(
        "level", "'" + std::string(text) + "' is not a level: expected easy, medium, hard, benchmark or d0, d1, … d" +
                     std::to_string(max_scale_step) + did_you_mean(text, {paper_levels.begin(), paper_levels.end()}));
}

std::string level_name(difficulty level) {
    return level.on_scale() ? "d" + std::to_string(level.code) : paper_levels[std::size_t(level.level())];
}

split parse_split(std::string_view text) {
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (text == splits[i]) {
            return split(i);
        }
    }
    throw field_error("split", "'" + std::string(text) + "' is not a split: expected train, val or test");
}

char const* split_name(split part) { return splits[std::size_t(part)]; }

instance_key parse_key(std::string_view text) {
    auto const fail = [&](std::string const& what) {
        throw field_error("key", what + " in '" + std::string(text.substr(0, 120)) + "'; " + key_form);
    };
    instance_key key;
    std::string_view rest = text;
    key.task = take(rest, '@');
    if (key.task.empty() || rest.empty()) {
        fail("no TASK@VERSION");
    }
    if (!read_number(take(rest, ':'), key.version)) {
        fail("VERSION is not a number");
    }
    std::string_view const part = take(rest, ':');
    if (part == "x") {
        key.is_explicit = true;
        if (!is_hex(rest, 32)) {
            fail("HASH32 is not 32 lower-case hex digits");
        }
        key.hash = rest;
        return key;
    }
    key.part = parse_split(part);
    std::string_view tail = rest;
    std::string_view body = take(tail, '#');
    if (rest.size() != body.size()) {
        if (!is_hex(tail, 8)) {
            fail("HASH8 is not 8 lower-case hex digits");
        }
        key.hash = tail;
    }
    key.level = parse_level(take(body, ':'));
    std::size_t const seed_end = body.find(':');
    if (!read_number(take(body, ':'), key.seed)) {
        fail("SEED is not an unsigned 64-bit number");
    }
    bool const has_style = seed_end != std::string_view::npos;
    if (has_style && (body.empty() || body[0] != 's' || !read_number(body.substr(1), key.style))) {
        fail("STYLE is not s followed by a number");
    }
    return key;
}

std::string to_string(instance_key const& key) {
    std::string text = key.task + "@" + std::to_string(key.version) + ":";
    if (key.is_explicit) {
        return text + "x:" + key.hash;
    }
    text += std::string(split_name(key.part)) + ":" + level_name(key.level) + ":" + std::to_string(key.seed);
    if (key.style != 0) {
        text += ":s" + std::to_string(key.style);
    }
    return key.hash.empty() ? text : text + "#" + key.hash;
}

instance_hash hash_words(std::span<std::int32_t const> words) {
    XXH128_hash_t const hash = XXH3_128bits(words.data(), words.size_bytes());
    return {hash.high64, hash.low64};
}

instance_key key_of(task_info const& info, instance_spec const& spec, instance_hash hash, std::int32_t style) {
    instance_key key;
    key.task = info.name;
    key.version = info.version;
    key.part = spec.part;
    key.level = spec.level;
    key.seed = spec.seed;
    key.style = style;
    key.hash = hex8(hash);
    return key;
}

instance_key explicit_key(task_info const& info, instance_hash hash) {
    instance_key key;
    key.task = info.name;
    key.version = info.version;
    key.is_explicit = true;
    key.hash = hex32(hash);
    return key;
}

std::string hex8(instance_hash hash) { return hex(hash.high >> 32, 8); }
std::string hex32(instance_hash hash) { return hex(hash.high, 16) + hex(hash.low, 16); }

namespace {

std::string place_text(std::string_view task, std::int32_t version, split part, difficulty level) {
    return std::string(task) + "@" + std::to_string(version) + ":" + split_name(part) + ":" + level_name(level);
}

}  // namespace

std::uint32_t random_domain(std::string_view task, std::int32_t version, split part, difficulty level) {
    std::string const text = place_text(task, version, part, level);
    return std::uint32_t(XXH3_64bits(text.data(), text.size()));
}

std::int32_t drawn_style(task_info const& info, instance_spec const& spec) {
    std::string const text =
        place_text(info.name, info.version, spec.part, spec.level) + ":" + std::to_string(spec.seed) + ":style";
    std::uint64_t const word = std::uint32_t(XXH3_64bits(text.data(), text.size()));
    return std::int32_t(word * std::uint64_t(std::max(1, info.styles - 1)) >> 32);
}

}  // namespace optgap
