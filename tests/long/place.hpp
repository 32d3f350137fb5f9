#pragma once
// The place of a row of the long checks, and its own randomness: its key alone reproduces the row, on any number of
// threads and in any order.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace optgap::long_checks {

enum class check : std::int32_t { answers = 0, completions = 1 };
inline constexpr char const* check_names[] = {"answers", "completions"};

/// A chunk is this many cases; a case is an instance with its answers or completions.
inline constexpr std::int32_t cases_per_chunk = 32;

struct place {
    check what = check::answers;
    std::string task;
    std::uint64_t seed = 1;
    std::int64_t chunk = 0;  ///< within this check and task
    std::int32_t which = 0;  ///< case within the chunk
    std::int32_t row = 0;
};

/// "answers:tsp:1:37:5:112"
std::string key_text(place const& one);
/// Returns false for a malformed key.
bool read_key(std::string_view text, place& one);
/// Depends on everything but the row.
std::mt19937_64 randomness(place const& one);

}  // namespace optgap::long_checks
