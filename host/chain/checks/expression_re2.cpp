#include <re2/re2.h>

#include "host/chain/checks.hpp"
#include "host/chain/checks/expression.hpp"
#include "host/chain/unicode.hpp"
#include "optgap/status.hpp"

namespace optgap::chain {

bool has_patterns() { return true; }

namespace {

class re2_expression final : public expression {
public:
    re2_expression(std::string const& text, re2::RE2::Options const& options) : compiled(text, options) {}

    std::int64_t count(std::string_view text, std::int64_t most) const override {
        re2::StringPiece const whole(text.data(), text.size());
        re2::StringPiece match;
        std::int64_t found = 0;
        for (std::size_t at = 0; at <= text.size() && found < most;) {
            if (!compiled.Match(whole, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
                break;
            }
            ++found;
            auto const end = std::size_t(match.data() - text.data()) + match.size();
            at = match.empty() ? end + (end < text.size() ? decode(text, end).size : 1) : end;
        }
        return found;
    }

    re2::RE2 compiled;
};

}  // namespace

std::shared_ptr<expression const> expression::compile(std::string const& text, bool ignore_case,
                                                      std::string const& where) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(!ignore_case);
    options.set_max_mem(expression_memory);
    auto const made = std::make_shared<re2_expression const>(text, options);
    if (!made->compiled.ok()) {
        misuse(where + ": '" + text + "' is no expression of RE2: " + made->compiled.error());
    }
    return made;
}

}  // namespace optgap::chain
