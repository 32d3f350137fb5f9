#pragma once
// Checks of style are data in a closed vocabulary. A check is a measure under a predicate, a named instruction type
// ("keywords:existence"), a pattern, a number given with the row, or all / any / not / at_least of checks
// (docs/checks.md). Host only.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/rubric/text.hpp"
#include "kernels/rubric/counts.hpp"
#include "optgap/rubrics/rubric.hpp"

namespace optgap::rubrics {

/// The form of an instruction type: as published, with its gaps, or strict, where a text without content never passes.
enum class check_mode : std::uint8_t { peer, strict };

struct check_rules {
    check_mode mode = check_mode::strict;
    bool loose = false;  ///< instruction types pass when any of eight variants of the text does
    sentence_rule sentences = sentence_rule::plain;
};

/// The input of a check. `text` is scanned, not folded; `prompt` may be empty.
struct check_input {
    text_pass const& text;
    std::string_view prompt = {};
    /// Returns the row's number under a name, for checks of kind `external`; nullopt where the row has none.
    std::function<std::optional<double>(std::string_view)> external = {};
    /// Answers checks of kind `code`; null: their verdicts are unknown.
    code_judge* codes = nullptr;
};

/// Compares value / of with the bound; `of` is 1 for a count. A combination counts its parts that pass.
struct check_result {
    std::int64_t value = 0;
    std::int64_t of = 1;
    bool passed = false;
    bool known = true;        ///< false: an external check whose row has no number; it does not pass
    std::string reason = {};  ///< why a check in Python gave no answer
};

class check {
public:
    check(check&&) noexcept;
    check& operator=(check&&) noexcept;
    ~check();

    /// Takes time linear in the text. Threads may share the check; a text_pass belongs to one thread.
    check_result evaluate(check_input const& input) const;

    /// "words 132, at least 150 wanted: fails", for `explain`.
    std::string sentence(check_result const& result) const;

    /// What the check requires, in a few words: "words at least 150".
    std::string const& title() const;

    /// The first name in the check: the measure's, the type's, or the combination's.
    std::string const& kind() const;

    /// The check as a counter of kernels/rubric, where it is simple enough.
    [[nodiscard]] std::optional<counter_check> of_counter() const;

    struct part;
    explicit check(std::shared_ptr<part const> compiled);

private:
    std::shared_ptr<part const> part_;
};

/// Reads a check. `where` names its place in errors ("style[2]"). The keys `weight` and `name` of the outermost object
/// belong to the caller and are not read. Throws optgap::error(invalid_argument) with place, field and what was
/// expected, also for a check that this build cannot run (`pattern` without RE2).
check compile_check(nlohmann::ordered_json const& value, std::string const& where, check_rules const& rules = {});

/// The deepest nesting of all / any / not / at_least, and the largest number of checks in one.
inline constexpr int deepest_check = 8;
inline constexpr int max_checks = 64;

/// What this process lacks for checks of kind `pattern`; empty where they run.
std::string patterns_lack();

}  // namespace optgap::rubrics
