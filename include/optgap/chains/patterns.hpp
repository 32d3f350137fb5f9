#pragma once
// Regular expressions of chains in a build without RE2: somebody else's matcher. A build that has RE2 uses its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace optgap::chain {

/// An expression that somebody else compiled. Several threads may ask it at once.
class pattern_finder {
public:
    virtual ~pattern_finder() = default;
    /// Matches from the left that do not overlap, at most `most`; behind an empty one it goes on a character further,
    /// as Python. `text` may be no UTF-8.
    virtual std::int64_t count(std::string_view text, std::int64_t most) const = 0;
};

/// Compiles an expression of RE2's syntax, or throws optgap::error that says what is wrong with it.
using pattern_compiler =
    std::function<std::shared_ptr<pattern_finder const>(std::string const& expression, bool ignore_case)>;

/// True where this build has RE2, or somebody gave it a compiler.
bool has_patterns();

/// Who compiles expressions from now on. Throws optgap::error in a build that has RE2.
void give_patterns(pattern_compiler compiler);

}  // namespace optgap::chain
