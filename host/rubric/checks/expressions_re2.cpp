#include <re2/re2.h>

#include "optgap/rubrics/expressions.hpp"

namespace optgap::rubrics {

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
            at = match.empty() ? character_end(text, end) : end;
        }
        return found;
    }

    re2::RE2 compiled;
};

class re2_engine final : public expression_engine {
public:
    std::string lacks() const override { return {}; }

    std::shared_ptr<expression const> compile(std::string const& text, bool ignore_case, std::int64_t memory,
                                              std::string& refusal) const override {
        re2::RE2::Options options;
        options.set_log_errors(false);
        options.set_case_sensitive(!ignore_case);
        options.set_max_mem(memory);
        auto made = std::make_shared<re2_expression const>(text, options);
        if (!made->compiled.ok()) {
            refusal = made->compiled.error();
            return nullptr;
        }
        return made;
    }
};

}  // namespace

expression_engine const* linked_expressions() {
    static re2_engine const engine;
    return &engine;
}

}  // namespace optgap::rubrics
