#pragma once
// Where a row of the long checks stands, and the randomness that is its own: the same row from its key alone, on any
// number of threads and in any order.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace optgap::long_checks {

enum class check : std::int32_t { answers = 0, completions = 1 };
inline constexpr char const* check_names[] = {"answers", "completions"};

/// A chunk is so many cases; a case is an instance with its answers or completions.
inline constexpr std::int32_t cases_per_chunk = 32;

struct place {
    check what = check::answers;
    std::string task;
    std::uint64_t seed = 1;
    std::int64_t chunk = 0;  ///< of this check and task
    std::int32_t which = 0;  ///< case of the chunk
    std::int32_t row = 0;
};

/// "answers:tsp:1:37:5:112"
std::string key_text(place const& one);
/// False for what is no such key.
bool read_key(std::string_view text, place& one);
/// A function of everything but the row.
std::mt19937_64 randomness(place const& one);

}  // namespace optgap::long_checks
