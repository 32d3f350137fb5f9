// Rubrics, and texts scored by them.

#include "optgap/rubrics/codes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "optgap/reward_rules.hpp"
#include "optgap/status.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/score.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

using rubrics::text_rubric;

constexpr auto gate_count = std::size_t(rubrics::gate::count);

std::optional<rubrics::preset> preset_of(std::optional<std::string> const& name) {
    return name ? std::optional(rubrics::preset_named(*name)) : std::nullopt;
}

std::vector<std::string> names_of_gates() {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < gate_count; ++i) {
        out.emplace_back(rubrics::name_of(rubrics::gate(i)));
    }
    return out;
}

/// One column a name. Points and checks are CSR; gates have a column of `gate_count` entries a row, -1 where a rubric
/// lacks one.
nb::dict columns_of(std::vector<rubrics::text_score> const& rows, std::span<finish const> how, truncation policy) {
    std::vector<double> content, style, total, normalized;
    std::vector<float> reward;
    std::vector<std::uint8_t> has_text;
    std::vector<std::int32_t> factor, upper, lower, reference, gate_factor;
    std::vector<std::int64_t> point_offsets{0}, check_offsets{0}, gate_value;
    std::vector<std::int32_t> checks;
    nb::dict reasons;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rubrics::text_score const& row = rows[i];
        content.push_back(row.content);
        style.push_back(row.style);
        total.push_back(row.total);
        normalized.push_back(row.normalized);
        reward.push_back(rubrics::reward_of(row, how.empty() ? finish::unknown : how[i], policy));
        has_text.push_back(row.has_text ? 1 : 0);
        factor.push_back(row.factor);
        for (rubrics::point_score const& point : row.points) {
            upper.push_back(point.numerator);
            lower.push_back(point.denominator);
            reference.push_back(point.reference);
        }
        for (rubrics::check_score const& check : row.checks) {
            if (!check.reason.empty()) {
                reasons[nb::int_(checks.size())] = nb::str(check.reason.data(), check.reason.size());
            }
            checks.push_back(!check.known ? -1 : check.passed ? 1 : 0);
        }
        point_offsets.push_back(std::int64_t(upper.size()));
        check_offsets.push_back(std::int64_t(checks.size()));
        std::size_t const first = gate_value.size();
        gate_value.resize(first + gate_count, -1);
        gate_factor.resize(first + gate_count, -1);
        for (rubrics::gate_score const& gate : row.gates) {
            gate_value[first + std::size_t(gate.which)] = gate.value;
            gate_factor[first + std::size_t(gate.which)] = gate.factor;
        }
    }
    nb::dict out;
    out["content"] = to_array(std::move(content));
    out["style"] = to_array(std::move(style));
    out["total"] = to_array(std::move(total));
    out["normalized"] = to_array(std::move(normalized));
    out["reward"] = to_array(std::move(reward));
    out["has_text"] = to_mask(std::move(has_text));
    out["factor"] = to_array(std::move(factor));
    out["point_numerator"] = to_array(std::move(upper));
    out["point_denominator"] = to_array(std::move(lower));
    out["point_reference"] = to_array(std::move(reference));
    out["point_offsets"] = to_array(std::move(point_offsets));
    out["check_reasons"] = reasons;
    out["check"] = to_array(std::move(checks));
    out["check_offsets"] = to_array(std::move(check_offsets));
    out["gate_value"] = to_array(std::move(gate_value));
    out["gate_factor"] = to_array(std::move(gate_factor));
    return out;
}

nb::dict score(std::vector<text_rubric> const& rubrics, nb::handle texts, int32_in const& rubric_of,
               std::optional<nb::object> const& prompts, std::vector<std::string> const& formats,
               std::vector<std::vector<std::pair<std::string, double>>> const& external,
               std::optional<int32_in> const& finished, std::string_view reward, std::int32_t threads,
               rubrics::code_sandbox* codes) {
    borrowed_texts const borrowed(texts, "texts", 1);
    std::optional<borrowed_texts> asked;
    if (prompts) {
        asked.emplace(*prompts, "prompts", 1);
    }
    std::size_t const rows = borrowed.size();
    auto const require = [&](std::size_t size, char const* name) {
        if (size != 0 && size != rows) {
            throw argument_error(name, "needs an entry for each text");
        }
    };
    require(asked ? asked->size() : 0, "prompts");
    require(formats.size(), "formats");
    require(external.size(), "external");
    std::vector<finish> const how = finishes_from(span_of(finished));
    require(how.size(), "finish");
    std::vector<rubrics::text_input> inputs(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        inputs[i] = {.text = borrowed.views()[i],
                     .prompt = asked && asked->size() > 0 ? asked->views()[i] : std::string_view(),
                     .format = formats.empty() ? std::string_view() : std::string_view(formats[i]),
                     .external = external.empty() ? std::span<std::pair<std::string, double> const>()
                                                  : std::span<std::pair<std::string, double> const>(external[i])};
    }
    reward_spec const spec = parse_reward_rules(reward, lookup_engine().tasks()).specs[0];
    if (reads_lengths(spec)) {
        misuse(
            "reward: length: a rubric is not rewarded by its tokens; expected a check of `words` or `characters` "
            "instead, "
            "or "
            "`length` for tasks alone");
    }
    truncation const policy = spec.truncated;
    std::vector<rubrics::text_score> const found = [&] {
        released_gil const released;
        rubrics::batch_input const batch{
            .rubrics = rubrics, .texts = inputs, .rubric_of = span_of(rubric_of), .threads = threads};
        return codes == nullptr ? rubrics::score_all(batch) : codes->score_all(batch);
    }();
    return columns_of(found, how, policy);
}

}  // namespace

void bind_rubrics(nb::module_& m) {
    nb::class_<text_rubric>(m, "TextRubric")
        .def(
            "__init__",
            [](text_rubric* self, std::string_view json, std::optional<std::string> const& preset) {
                new (self) text_rubric(json, preset_of(preset));
            },
            nb::arg(), nb::arg().none())
        .def_prop_ro("key", [](text_rubric const& self) { return self.key(); })
        .def_prop_ro("preset", [](text_rubric const& self) { return std::string(rubrics::name_of(self.which())); })
        .def_prop_ro("points", [](text_rubric const& self) { return self.points(); })
        .def_prop_ro("checks", [](text_rubric const& self) { return self.checks(); })
        .def("to_json", [](text_rubric const& self, bool texts) { return self.to_json(texts); })
        .def_prop_ro("codes", [](text_rubric const& self) { return self.codes().size(); })
        .def(
            "floors",
            [](text_rubric const& self, std::string_view prompt, std::string_view other, rubrics::code_sandbox* codes) {
                released_gil const released;
                return codes == nullptr ? rubrics::floors_of(self, prompt, other)
                                        : codes->floors_of(self, prompt, other);
            },
            nb::arg(), nb::arg(), nb::arg().none());
    nb::class_<rubrics::code_sandbox>(m, "CodeSandbox")
        .def(
            "__init__",
            [](rubrics::code_sandbox* self, std::string const& isolation, std::int32_t slots) {
                released_gil const released;
                new (self) rubrics::code_sandbox(isolation, slots);
            },
            nb::arg(), nb::arg());
    m.def("rubric_presets", [] {
        auto const names = rubrics::preset_names();
        return std::vector<std::string>(names.begin(), names.end());
    });
    m.def("rubric_gates", &names_of_gates);
    m.def("score_rubrics", &score, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace optgap::python
