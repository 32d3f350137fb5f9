// Expressions of a build without RE2: those of a compiler that it was given, or none.

#include <mutex>

#include "host/chain/checks/expression.hpp"
#include "optgap/chains/patterns.hpp"
#include "optgap/status.hpp"

namespace optgap::chain {

namespace {

std::mutex guard;

pattern_compiler& given() {
    static auto* const one = new pattern_compiler;  // never destroyed: it may hold what outlives no interpreter
    return *one;
}

class given_expression final : public expression {
public:
    explicit given_expression(std::shared_ptr<pattern_finder const> by) : by_(std::move(by)) {}
    std::int64_t count(std::string_view text, std::int64_t most) const override { return by_->count(text, most); }

private:
    std::shared_ptr<pattern_finder const> by_;
};

pattern_compiler compiler() {
    std::lock_guard const lock(guard);
    return given();
}

}  // namespace

bool has_patterns() { return compiler() != nullptr; }

void give_patterns(pattern_compiler by) {
    std::lock_guard const lock(guard);
    given() = std::move(by);
}

std::shared_ptr<expression const> expression::compile(std::string const& text, bool ignore_case,
                                                      std::string const& where) {
    pattern_compiler const by = compiler();
    if (by == nullptr) {
        misuse(where + ": '" + text + "' is a regular expression (pattern), and this build has no RE2");
    }
    try {
        return std::make_shared<given_expression const>(by(text, ignore_case));
    } catch (error const& refused) {
        misuse(where + ": '" + text + "' is no expression of RE2: " + refused.what());
    }
}

}  // namespace optgap::chain
