#pragma once  // Experimental.
// The engine of the regular expressions of checks, since the core itself has no RE2. RE2's static library cannot become
// part of a shared one, so the Python package's program links it, and its module uses google-re2.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace optgap::rubrics {

/// One expression, in RE2's syntax. Threads may share it.
class expression {
public:
    virtual ~expression() = default;

    /// Counts matches from the left that do not overlap, at most `most`. After an empty match it goes on a character
    /// further, as Python does.
    virtual std::int64_t count(std::string_view text, std::int64_t most) const = 0;
};

class expression_engine {
public:
    virtual ~expression_engine() = default;

    /// A sentence on what must be installed before anything is compiled; empty where nothing is missing.
    virtual std::string lacks() const = 0;

    /// Returns null where RE2 refuses the text; `refusal` then says why. `memory`: bytes of RE2's program and its
    /// cache.
    virtual std::shared_ptr<expression const> compile(std::string const& text, bool ignore_case, std::int64_t memory,
                                                      std::string& refusal) const = 0;
};

/// The end of the character at `at`, where a byte that is no UTF-8 counts as one; behind the text, `at` + 1. An engine
/// goes on there after an empty match.
std::size_t character_end(std::string_view text, std::size_t at);

/// RE2's engine in a program that links it; null in others.
expression_engine const* linked_expressions();

/// This process's checks use `engine` from now on; it must live as long as the process does.
void use_expressions(expression_engine const& engine);

}  // namespace optgap::rubrics
