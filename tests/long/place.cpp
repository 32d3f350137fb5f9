#include "tests/long/place.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace optgap::long_checks {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): every bit of the input reaches every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

template <class Integer>
bool read_integer(std::string_view text, Integer& out) {
    auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
    return fault == std::errc() && end == text.data() + text.size() && out >= 0;
}

}  // namespace

std::string key_text(place const& one) {
    return fmt::format("{}:{}:{}:{}:{}:{}", check_names[std::int32_t(one.what)], one.task, one.seed, one.chunk,
                       one.which, one.row);
}

bool read_key(std::string_view text, place& one) {
    std::vector<std::string_view> parts;
    for (std::size_t colon = 0; colon != std::string_view::npos; text.remove_prefix(colon + 1)) {
        colon = text.find(':');
        parts.push_back(text.substr(0, colon));
        if (colon == std::string_view::npos) {
            break;
        }
    }
    if (parts.size() != 6 || (parts[0] != check_names[0] && parts[0] != check_names[1])) {
        return false;
    }
    one.what = parts[0] == check_names[0] ? check::answers : check::completions;
    one.task = parts[1];
    return read_integer(parts[2], one.seed) && read_integer(parts[3], one.chunk) && read_integer(parts[4], one.which) &&
           one.which < cases_per_chunk && read_integer(parts[5], one.row);
}

std::mt19937_64 randomness(place const& one) {
    // Uses the task's name, so that adding or removing a task changes no other task's rows.
    std::uint64_t state = mixed(one.seed);
    for (char const letter : one.task) {
        state = mixed(state ^ std::uint64_t(static_cast<unsigned char>(letter)));
    }
    for (std::uint64_t const part : {std::uint64_t(one.what), std::uint64_t(one.chunk), std::uint64_t(one.which)}) {
        state = mixed(state ^ part);
    }
    return std::mt19937_64(state);
}

}  // namespace optgap::long_checks
