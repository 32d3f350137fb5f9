#pragma once
// Compiled checks.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/rubric/checks.hpp"
#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/types.hpp"
#include "kernels/rubric/counts.hpp"

namespace optgap::rubrics {

struct check::part {
    std::string kind;   ///< the first name in the check
    std::string title;  ///< what the check requires, in a few words

    virtual ~part() = default;
    virtual check_result evaluate(check_input const& input) const = 0;
    /// The result in words, without the verdict.
    virtual std::string counted(check_result const& result) const = 0;
    /// The check as a counter, where it is simple enough.
    virtual std::optional<counter_check> of_counter() const { return std::nullopt; }
};

/// The condition on a measure.
struct predicate : bound {
    bool holds(measured found) const;
    std::string words() const;
};

enum class scope_unit : std::uint8_t { text, paragraph, sentence, line };
enum class scope_choice : std::uint8_t { one, each, some };

struct scope {
    scope_unit unit = scope_unit::text;
    scope_choice choice = scope_choice::one;
    std::int64_t at = 0;  ///< counted from 1, or backwards from −1
    std::string words() const;
};

struct measure_part final : check::part {
    measure const* of = nullptr;
    std::vector<argument_value> given;
    predicate bound;
    scope where;
    sentence_rule sentences = sentence_rule::plain;
    pattern expression;  ///< of kind pattern, which is measured by its matches

    check_result evaluate(check_input const& input) const override;
    std::string counted(check_result const& result) const override;
    std::optional<counter_check> of_counter() const override;

private:
    measured value_of(text_pass const& text, check_input const& input) const;
};

struct type_part final : check::part {
    instruction_type const* of = nullptr;
    std::vector<argument_value> given;
    check_rules rules;

    check_result evaluate(check_input const& input) const override;
    std::string counted(check_result const& result) const override;

private:
    type_answer answer(text_pass const& text, check_input const& input) const;
};

struct external_part final : check::part {
    std::string name;
    double low = 1;
    double high = 0;
    bool has_high = false;

    check_result evaluate(check_input const& input) const override;
    std::string counted(check_result const& result) const override;
};

/// Python code, as data sets hold it. It runs elsewhere: check_input::codes.
struct code_part final : check::part {
    std::string code;

    check_result evaluate(check_input const& input) const override;
    std::string counted(check_result const& result) const override;
};

/// Passes when at least `least` of the parts pass; negated: when fewer do.
struct combined_part final : check::part {
    std::vector<std::shared_ptr<check::part const>> parts;
    std::int64_t least = 0;
    bool negated = false;

    check_result evaluate(check_input const& input) const override;
    std::string counted(check_result const& result) const override;
};

}  // namespace optgap::rubrics
