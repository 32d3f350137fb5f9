#pragma once
// Words and expressions to find. Literals are searched directly, expressions by RE2 (optgap/rubrics/expressions.hpp).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace optgap::rubrics {

class expression;

inline constexpr std::size_t longest_pattern = 200;  ///< bytes

/// The condition at both ends of a match.
enum class boundary_rule : std::uint8_t {
    none,
    expression,  ///< \b: exactly one side is a word character
    whole,       ///< no word continues across an end (host/rubric/words/boundaries.hpp)
};

struct pattern_rules {
    bool expression = false;  ///< the text is a regular expression; else a literal
    bool ignore_case = true;  ///< as Python's IGNORECASE, by python_fold
    boundary_rule boundaries = boundary_rule::none;
    bool multiline = false;  ///< ^ and $ match at lines
};

/// A text to find. An expression without special characters is searched as a literal.
class pattern {
public:
    pattern() = default;
    /// Throws optgap::error that begins with `where`: too long, not RE2's syntax, or no RE2 in this build.
    pattern(std::string_view text, pattern_rules const& rules, std::string const& where);

    /// Counts matches from the left that do not overlap, up to `most`. `text` is unchanged; `folded` is the same by
    /// fold_points.
    std::int64_t count(std::string_view text, std::string_view folded, std::int64_t most) const;
    bool found(std::string_view text, std::string_view folded) const { return count(text, folded, 1) > 0; }
    std::string const& text() const { return text_; }

private:
    std::string text_;
    std::string literal_;  ///< folded where case is ignored
    bool ignore_case_ = true;
    boundary_rule boundaries_ = boundary_rule::none;
    std::shared_ptr<expression const> expression_;
};

}  // namespace optgap::rubrics
