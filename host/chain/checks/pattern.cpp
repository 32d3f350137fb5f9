#include "host/chain/checks/pattern.hpp"

#include "host/chain/bytes.hpp"
#include "host/chain/checks/expression.hpp"
#include "host/chain/checks/python_text.hpp"
#include "optgap/status.hpp"

namespace optgap::chain {

namespace {

bool ends_well(std::string_view text, std::size_t at, boundary_rule rule) {
    if (rule == boundary_rule::none || is_boundary(text, at)) {
        return true;
    }
    // No boundary: a word character at both sides, or at none.
    return rule == boundary_rule::whole && (at == text.size() || word_size(text, at) == 0);
}

bool is_literal(std::string_view text) { return text.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos; }

}  // namespace

pattern::pattern(std::string_view text, pattern_rules const& rules, std::string const& where)
    : text_(text), ignore_case_(rules.ignore_case), boundaries_(rules.boundaries) {
    if (!rules.expression || is_literal(text)) {
        if (rules.ignore_case) {
            fold_points(text, literal_);
        } else {
            literal_ = text;
        }
        return;
    }
    if (text.size() > longest_pattern) {
        misuse(where + ": " + std::to_string(text.size()) + " bytes; a pattern has at most " +
               std::to_string(longest_pattern));
    }
    std::string const flags = rules.multiline ? "(?m)" : "";
    std::string const whole =
        rules.boundaries != boundary_rule::none ? flags + "\\b(?:" + text_ + ")\\b" : flags + "(?:" + text_ + ")";
    expression_ = expression::compile(whole, rules.ignore_case, where);
}

std::int64_t pattern::count(std::string_view text, std::string_view folded, std::int64_t most) const {
    std::int64_t found = 0;
    if (expression_ != nullptr) {
        return expression_->count(text, most);
    }
    std::string_view const where = ignore_case_ ? folded : text;
    if (literal_.empty()) {
        return most;
    }
    for (std::size_t at = 0; found < most && (at = find_part(where, literal_, at)) != std::string_view::npos;) {
        if (ends_well(where, at, boundaries_) && ends_well(where, at + literal_.size(), boundaries_)) {
            ++found;
            at += literal_.size();
        } else {
            ++at;
        }
    }
    return found;
}

}  // namespace optgap::chain
