#pragma once
// One case of a long check: an instance, and many answers or completions of which the fast side and the slow side must
// say the same.

#include <cstdint>
#include <string>
#include <vector>

#include "optgap/engine.hpp"
#include "tests/long/place.hpp"

namespace optgap::long_checks {

/// A fault in the fast side that the checks must find, put into what it says: never but on demand.
enum class plant : std::int32_t {
    none = 0,
    objective,  ///< one feasible answer in about 500 is worth one more
    rule,       ///< an answer that breaks its rules by the least amount of many is let through
    parser,     ///< the text behind a NUL is not read
};
inline constexpr char const* plant_names[] = {"none", "objective", "rule", "parser"};

struct found_rows {
    std::int64_t rows = 0;
    std::int64_t feasible = 0;
    std::vector<std::string> mismatches;  ///< a line of JSON each
    std::string shown;                    ///< of the row that was asked for: both sides, for people
};

/// Adds the case's rows to `found`; of row `show`, if any, also what it is. The key's task is one of the engine's.
void check_case(engine const& by, place const& one, plant fault, found_rows& found, std::int32_t show = -1);

}  // namespace optgap::long_checks
