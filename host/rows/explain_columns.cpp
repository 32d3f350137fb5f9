// The explanation of a kind that has none of its own.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"
#include "host/rows/row_kind.hpp"

namespace optgap::rows {
namespace {

/// Columns as steps: a name, what it means, the value.
class column_list final : public row_sink {
public:
    explicit column_list(std::span<column const> meanings) : meanings_(meanings) {}

    void raw(std::string_view name, std::string_view json_text) override { add(name, std::string(json_text)); }
    void text(std::string_view name, std::string_view value) override { add(name, std::string(value)); }
    void integer(std::string_view name, std::int64_t value) override { add(name, std::to_string(value)); }
    void boolean(std::string_view name, bool value) override { add(name, value ? "true" : "false"); }
    void null(std::string_view name) override { add(name, "null"); }
    void real(std::string_view name, float value) override { number(name, double(value)); }
    void number(std::string_view name, double value) override {
        add(name, std::isfinite(value) ? fmt::format("{:.10g}", value) : "null");
    }
    void integers(std::string_view name, std::span<std::int64_t const> values) override {
        add(name, fmt::format("[{}]", fmt::join(values, ", ")));
    }

    [[nodiscard]] std::vector<reward_step> take() { return std::move(steps_); }

private:
    void add(std::string_view name, std::string const& value) {
        auto const own = std::ranges::find(meanings_, name, &column::name);
        steps_.push_back({std::string(name), std::string(own == meanings_.end() ? std::string_view() : own->meaning),
                          shortened(value, 60)});
    }

    std::span<column const> meanings_;
    std::vector<reward_step> steps_;
};

constexpr column columns_of_all[] = {
    {"reward", column_type::real, "null: the row has none"},
    {"quality", column_type::real, "0 to 1"},
    {"normalized", column_type::real, "between the constant policy (0) and the baseline (1)"},
    {"objective", column_type::integer, "of a feasible answer"},
    {"baseline_kind", column_type::text, "the kind of the baseline, such as proven or bounded"},
    {"truncated", column_type::boolean, "the text was cut off"}};

}  // namespace

finding row_kind::find(explained_rows const& rows) {
    reward_row const& value = rows.row().value;
    finding out{.formed = value.format > 0, .sound = value.code == code_ok};
    if (!out.sound) {
        format_spec const& format = known_formats()[std::size_t(std::max(0, rows.row().format))];
        std::string const known = sentence_for(value.code, format);
        out.rule = known.empty() ? fmt::format("the code is {}", rows.code) : known;
    }
    return out;
}

explanation row_kind::explain(explained_rows const& rows) {
    graded_row const& row = rows.row();
    explanation out{.title = fmt::format("of the kind {}, {}", info().name, rows.task), .found = find(rows)};
    std::string const completion = string_of(rows.item().row, "completion").value_or("");
    section& text = out.add_excerpt(fmt::format("completion, {} bytes", completion.size()), completion, row.answer);
    bool const right = row.value.code == code_ok;
    text.add("code", std::string(rows.code), right ? tone::good : tone::bad);
    if (!out.found.reason().empty()) {
        text.add("why", printable(out.found.reason()), tone::bad);
    }
    column_list common(columns_of_all), own(info().adds);
    common.real("reward", row.value.reward);
    common.real("quality", row.value.quality);
    common.real("normalized", row.value.normalized);
    common.integer_or_null("objective", row.objective, no_objective);
    common.text("baseline_kind", row.baseline_kind);
    common.boolean("truncated", row.value.truncated != 0);
    write(own, row);
    section& columns = out.add("columns");
    columns.steps = common.take();
    for (reward_step& one : own.take()) {
        columns.steps.push_back(std::move(one));
    }
    return out;
}

}  // namespace optgap::rows
