#include "host/rubric/checks/pattern.hpp"

#include <atomic>

#include "host/rubric/bytes.hpp"
#include "host/rubric/checks.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/unicode.hpp"
#include "host/rubric/words/boundaries.hpp"
#include "optgap/rubrics/expressions.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

namespace {

constexpr std::int64_t expression_memory = 1 << 20;  ///< bytes of RE2's program and its cache

std::atomic<expression_engine const*> given_engine = nullptr;

expression_engine const* engine_of_process() {
    expression_engine const* const given = given_engine;
    return given != nullptr ? given : linked_expressions();
}

std::shared_ptr<expression const> expression_of(std::string const& text, bool ignore_case, std::string const& where) {
    if (std::string const lack = patterns_lack(); !lack.empty()) {
        misuse(where + ": '" + text + "' is a regular expression, which needs RE2, and " + lack);
    }
    std::string refusal;
    auto made = engine_of_process()->compile(text, ignore_case, expression_memory, refusal);
    if (made == nullptr) {
        misuse(where + ": '" + text + "' is no expression of RE2: " + refusal);
    }
    return made;
}

bool ends_well(std::string_view text, std::size_t at, boundary_rule rule, word_boundaries& words) {
    switch (rule) {
        case boundary_rule::none: return true;
        case boundary_rule::expression: return is_boundary(text, at);
        default: return !words.inside_word(at);
    }
}

bool is_literal(std::string_view text) { return text.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos; }

}  // namespace

void use_expressions(expression_engine const& engine) { given_engine = &engine; }

std::size_t character_end(std::string_view text, std::size_t at) {
    return at + (at < text.size() ? decode(text, at).size : 1);
}

std::string patterns_lack() {
    expression_engine const* const engine = engine_of_process();
    return engine != nullptr ? engine->lacks()
                             : "this build has none: build it where libre2-dev is installed (tools/setup.sh), or score "
                               "by optgap.data.rubrics after pip install 'optgap[patterns]'";
}

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
    expression_ = expression_of(whole, rules.ignore_case, where);
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
    word_boundaries words(where);
    for (std::size_t at = 0; found < most && (at = find_part(where, literal_, at)) != std::string_view::npos;) {
        if (ends_well(where, at, boundaries_, words) && ends_well(where, at + literal_.size(), boundaries_, words)) {
            ++found;
            at += literal_.size();
        } else {
            ++at;
        }
    }
    return found;
}

}  // namespace optgap::rubrics
