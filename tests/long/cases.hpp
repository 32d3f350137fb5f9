#pragma once
// One case of a long check: an instance, and many answers or completions on which the fast side and the slow side must
// agree.

#include <cstdint>
#include <string>
#include <vector>

#include "optgap/engine.hpp"
#include "tests/long/place.hpp"

namespace optgap::long_checks {

/// A fault of the fast side that the checks must find, planted only on request.
enum class plant : std::int32_t {
    none = 0,
    objective,  ///< one feasible answer in about 500 gets an objective better by one
    rule,       ///< accepts an answer that violates its rules minimally
    parser,     ///< does not read the text after a NUL
};
inline constexpr char const* plant_names[] = {"none", "objective", "rule", "parser"};

struct found_rows {
    std::int64_t rows = 0;
    std::int64_t feasible = 0;
    std::vector<std::string> mismatches;  ///< a line of JSON each
    std::string shown;                    ///< both sides of the requested row, for people
};

/// Adds the case's rows to `found`, and for row `show`, if any, its description. The key's task is one of the engine's.
void check_case(engine const& by, place const& one, plant fault, found_rows& found, std::int32_t show = -1);

}  // namespace optgap::long_checks
