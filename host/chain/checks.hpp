#pragma once
// Checks of style: a closed vocabulary as data. A check is a measure under a predicate, a named instruction type
// ("keywords:existence"), a pattern, a number given with the row, or all / any / not / at_least of checks
// (docs/checks.md). Host only.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/chain/text.hpp"
#include "kernels/chain/counts.hpp"
#include "optgap/chains/chain.hpp"

namespace optgap::chain {

/// Which form of an instruction type: as published, its holes included, or ours, where nothing passes for want of
/// content.
enum class check_mode : std::uint8_t { peer, strict };

struct check_rules {
    check_mode mode = check_mode::strict;
    bool loose = false;  ///< instruction types pass when any of eight variants of the text does
    sentence_rule sentences = sentence_rule::plain;
};

/// What a check reads. `text` is scanned, not folded; `prompt` may be empty.
struct check_input {
    text_pass const& text;
    std::string_view prompt = {};
    /// The row's number under a name, for checks of kind `external`; nothing where the row has none.
    std::function<std::optional<double>(std::string_view)> external = {};
    /// Answers checks of kind `code`; null: their verdicts are not known.
    code_judge* codes = nullptr;
};

/// value / of against the bound; `of` is 1 for a count. A combination counts its parts that pass.
struct check_result {
    std::int64_t value = 0;
    std::int64_t of = 1;
    bool passed = false;
    bool known = true;        ///< false: an external check whose row has no number; it did not pass
    std::string reason = {};  ///< of a check in Python that gave no answer
};

class check {
public:
    check(check&&) noexcept;
    check& operator=(check&&) noexcept;
    ~check();

    /// Linear in the text. The check may be shared by threads; a text_pass belongs to one.
    check_result evaluate(check_input const& input) const;

    /// "words 132, at least 150 wanted: fails", for `explain`.
    std::string sentence(check_result const& result) const;

    /// What it asks, in a few words: "words at least 150".
    std::string const& title() const;

    /// The first name in it: of the measure, of the type, or of the combination.
    std::string const& kind() const;

    /// The check as one of a counter of kernels/chain, where it is no more than that.
    [[nodiscard]] std::optional<counter_check> of_counter() const;

    struct part;
    explicit check(std::shared_ptr<part const> compiled);

private:
    std::shared_ptr<part const> part_;
};

/// Reads a check. `where` is how errors call its place ("style[2]"); the keys `weight` and `name` of the outermost
/// object are the caller's and are not read. Throws optgap::error(invalid_argument) with place, field and what was
/// expected; also for a check that cannot be done here (`pattern` without RE2).
check compile_check(nlohmann::ordered_json const& value, std::string const& where, check_rules const& rules = {});

/// Deepest nesting of all / any / not / at_least, and most checks in one.
inline constexpr int deepest_check = 8;
inline constexpr int most_checks = 64;

/// What checks of kind `pattern` lack in this process; empty where they are done.
std::string patterns_lack();

}  // namespace optgap::chain
