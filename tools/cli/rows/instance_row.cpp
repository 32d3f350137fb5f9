#include "tools/cli/rows/instance_row.hpp"

#include <algorithm>

#include "host/rows/read/answers.hpp"

namespace optgap::cli {
namespace {

constexpr char const* status_names[] = {"unknown", "bounded", "optimal", "infeasible"};

}  // namespace

std::int64_t characters(std::string_view text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

void write_baseline(row_writer& row, baseline const& found, std::span<std::int32_t const> answer,
                    task_info const& info) {
    row.raw("answer", answer_json(answer, info));
    row.integer_or_null("objective", found.objective, no_objective);
    row.integer_or_null("bound", found.bound, no_objective);
    row.text("bound_kind", info.bound_kinds[std::size_t(found.bound_kind)]);
    row.text("status", status_names[std::size_t(found.status)]);
    row.boolean("proven", found.proven());
    row.integer("steps", found.steps);
    row.integer_or_null("floor", found.floor, no_objective);
    row.integer_or_null("greedy", found.greedy, no_objective);
}

}  // namespace optgap::cli
