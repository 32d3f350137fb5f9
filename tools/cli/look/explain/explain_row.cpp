#include "tools/cli/look/explain/explain_row.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/rows/read/fields.hpp"

namespace optgap::cli {
namespace {

/// Names and values, in the order in which they are written.
class value_list final : public row_sink {
public:
    void raw(std::string_view name, std::string_view json_text) override { add(name, std::string(json_text)); }
    void text(std::string_view name, std::string_view value) override { add(name, printable(value)); }
    void integer(std::string_view name, std::int64_t value) override { add(name, std::to_string(value)); }
    void boolean(std::string_view name, bool value) override { add(name, value ? "true" : "false"); }
    void null(std::string_view name) override { add(name, "null"); }
    void real(std::string_view name, float value) override { add(name, fmt::format("{:.10g}", double(value))); }
    void number(std::string_view name, double value) override { add(name, fmt::format("{:.10g}", value)); }
    void integers(std::string_view name, std::span<std::int64_t const> values) override {
        add(name, fmt::format("[{}]", fmt::join(values, ", ")));
    }

    [[nodiscard]] std::vector<std::pair<std::string, std::string>> const& values() const { return values_; }

private:
    void add(std::string_view name, std::string value) { values_.emplace_back(name, std::move(value)); }
    std::vector<std::pair<std::string, std::string>> values_;
};

constexpr std::pair<std::string_view, std::string_view> common_meanings[] = {
    {"reward", "null: the row has none"},
    {"quality", "0 to 1"},
    {"normalized", "between the constant policy (0) and the baseline (1)"},
    {"objective", "of a feasible answer"},
    {"baseline_kind", "what the baseline is worth"},
    {"truncated", "the text was cut off"}};

std::string meaning_of(kind_info const& kind, std::string_view name) {
    auto const own = std::ranges::find(kind.adds, name, &column::name);
    if (own != kind.adds.end()) {
        return std::string(own->meaning);
    }
    auto const common = std::ranges::find(common_meanings, name, &std::pair<std::string_view, std::string_view>::first);
    return common == std::end(common_meanings) ? std::string() : std::string(common->second);
}

}  // namespace

std::string explain_row(context& ctx, scorer& by, row_item& item, painter const& paint) {
    std::vector<graded_row> graded = by.score({&item, 1});
    if (!item.sound()) {
        ctx.end_with(exit_rejected);
        return fmt::format("row {} is rejected: {}: {}\n", item.number, item.field, item.rule);
    }
    by.settle(graded);
    graded_row const& row = graded[0];
    kind_info const& kind = by.kinds()[std::size_t(row.kind)]->info();
    std::string const completion = string_of(item.row, "completion").value_or("");
    bool const right = row.value.code == code_ok;
    std::string out =
        paint.title(fmt::format("row {}: of the kind {}, {}", item.number, kind.name, by.task_name(row))) + "\n\n";
    out += paint.title(fmt::format("completion, {} bytes", completion.size())) + "\n";
    out += marked_excerpt(completion, row.answer, paint);
    out += fmt::format("\ncode      {}\n\n", right ? paint.good("ok") : paint.bad(by.code_name(row)));
    value_list values;
    by.write(values, row, 0, true);
    std::vector<std::string_view> const added = by.kinds()[std::size_t(row.kind)]->added();
    step_table steps;
    for (auto const& [name, value] : values.values()) {
        bool const own = std::ranges::find(added, name) != added.end();
        bool const shown =
            own || std::ranges::find(common_meanings, name, &std::pair<std::string_view, std::string_view>::first) !=
                       std::end(common_meanings);
        if (shown) {
            steps.add(name, meaning_of(kind, name), shortened(value, 60));
        }
    }
    return out + paint.title("columns") + "\n" + steps.text();
}

}  // namespace optgap::cli
