#pragma once
// Regular expressions: RE2's, in a build that has it (expression_re2.cpp, else expression_absent.cpp).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace optgap::chain {

inline constexpr std::int64_t expression_memory = 1 << 20;  ///< bytes of RE2's program and its cache

class expression {
public:
    virtual ~expression() = default;

    /// Matches from the left that do not overlap, at most `most`; behind an empty one it goes on a character further,
    /// as Python.
    virtual std::int64_t count(std::string_view text, std::int64_t most) const = 0;

    /// Throws optgap::error that begins with `where`.
    static std::shared_ptr<expression const> compile(std::string const& text, bool ignore_case,
                                                     std::string const& where);
};

}  // namespace optgap::chain
