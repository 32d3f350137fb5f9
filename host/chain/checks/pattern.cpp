#include "host/chain/checks/pattern.hpp"

#include "host/chain/checks.hpp"
#include "host/chain/checks/python_text.hpp"
#include "optgap/status.hpp"

#ifdef OPTGAP_WITH_RE2
#include <re2/re2.h>
#endif

namespace optgap::chain {

bool has_patterns() {
#ifdef OPTGAP_WITH_RE2
    return true;
#else
    return false;
#endif
}

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
#ifdef OPTGAP_WITH_RE2
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(!rules.ignore_case);
    options.set_max_mem(pattern_memory);
    options.set_never_nl(false);
    std::string const flags = rules.multiline ? "(?m)" : "";
    std::string const whole =
        rules.boundaries != boundary_rule::none ? flags + "\\b(?:" + text_ + ")\\b" : flags + "(?:" + text_ + ")";
    auto const compiled = std::make_shared<re2::RE2 const>(whole, options);
    if (!compiled->ok()) {
        misuse(where + ": '" + text_ + "' is no expression of RE2: " + compiled->error());
    }
    expression_ = compiled;
#else
    misuse(where + ": '" + text_ + "' is a regular expression (pattern), and this build has no RE2");
#endif
}

std::int64_t pattern::count(std::string_view text, std::string_view folded, std::int64_t most) const {
    std::int64_t found = 0;
#ifdef OPTGAP_WITH_RE2
    if (expression_ != nullptr) {
        re2::StringPiece const whole(text.data(), text.size());
        re2::StringPiece match;
        for (std::size_t at = 0; at <= text.size() && found < most;) {
            if (!expression_->Match(whole, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
                break;
            }
            ++found;
            auto const end = std::size_t(match.data() - text.data()) + match.size();
            // After an empty match Python goes on one character further.
            at = match.empty() ? end + (end < text.size() ? decode(text, end).size : 1) : end;
        }
        return found;
    }
#endif
    std::string_view const where = ignore_case_ ? folded : text;
    if (literal_.empty()) {
        return most;
    }
    for (std::size_t at = 0; found < most && (at = where.find(literal_, at)) != std::string_view::npos;) {
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
