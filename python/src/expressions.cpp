// Expressions of checks, asked of google-re2 (PyPI; an extra of the package): the same RE2, one call of Python a match.

#include "optgap/rubrics/expressions.hpp"
#include "python/src/values/interpreter_lock.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace optgap::python {
namespace {

/// Its object is Python's; whoever frees it last may be any thread, or may outlive the interpreter.
class asked_expression final : public rubrics::expression {
public:
    explicit asked_expression(nb::object search) : search_(search.release()) {}
    ~asked_expression() override {
        if (Py_IsInitialized() != 0) {
            held_gil const held;
            search_.dec_ref();
        }
    }
    asked_expression(asked_expression const&) = delete;
    asked_expression& operator=(asked_expression const&) = delete;

    std::int64_t count(std::string_view text, std::int64_t most) const override {
        held_gil const held;
        nb::bytes const whole(text.data(), text.size());
        std::int64_t found = 0;
        for (std::size_t at = 0; at <= text.size() && found < most;) {
            nb::object const match = search_(whole, at);
            if (match.is_none()) {
                break;
            }
            ++found;
            auto const begin = nb::cast<std::size_t>(match.attr("start")());
            auto const end = nb::cast<std::size_t>(match.attr("end")());
            at = begin == end ? rubrics::character_end(text, end) : end;
        }
        return found;
    }

private:
    nb::handle search_;
};

class google_re2 final : public rubrics::expression_engine {
public:
    std::string lacks() const override {
        held_gil const held;
        try {
            if (nb::hasattr(nb::module_::import_("re2"), "Options")) {
                return {};
            }
            return "the module re2 of this Python is another than google-re2: pip install 'optgap[patterns]' where it "
                   "is "
                   "not";
        } catch (nb::python_error& failed) {
            return std::string("this Python has none: pip install 'optgap[patterns]' (") + failed.what() + ")";
        }
    }

    std::shared_ptr<rubrics::expression const> compile(std::string const& text, bool ignore_case, std::int64_t memory,
                                                       std::string& refusal) const override {
        held_gil const held;
        nb::module_ const re2 = nb::module_::import_("re2");
        nb::object const options = re2.attr("Options")();
        options.attr("log_errors") = false;
        options.attr("case_sensitive") = !ignore_case;
        options.attr("max_mem") = memory;
        try {
            nb::object const made = re2.attr("compile")(nb::bytes(text.data(), text.size()), options);
            return std::make_shared<asked_expression const>(made.attr("search"));
        } catch (nb::python_error& failed) {
            if (!failed.matches(re2.attr("error"))) {
                throw;
            }
            refusal = nb::cast<nb::bytes>(failed.value().attr("args")[0]).c_str();
            return nullptr;
        }
    }
};

}  // namespace

void bind_expressions() {
    static google_re2 const engine;
    rubrics::use_expressions(engine);
}

}  // namespace optgap::python
