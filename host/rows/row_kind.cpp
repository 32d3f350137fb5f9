#include "host/rows/row_kind.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "host/programs/problem.hpp"
#include "host/rows/read/fields.hpp"
#include "host/rows/read/row_place.hpp"
#include "optgap/key.hpp"

namespace optgap::rows {

std::vector<kind_entry> listed_kinds();  // written by tools/cmake/declarations.cmake

std::span<kind_entry const> kind_entries() {
    static std::vector<kind_entry> const sorted = [] {
        std::vector<kind_entry> all = listed_kinds();
        std::ranges::stable_sort(all, std::greater<>(), [](kind_entry const& one) { return one.info->rank; });
        return all;
    }();
    return sorted;
}

std::span<option const> kind_options() {
    static std::vector<option> const all = [] {
        std::vector<option> out;
        for (std::size_t k = kind_entries().size(); k-- > 0;) {
            kind_info const& kind = *kind_entries()[k].info;
            out.insert(out.end(), kind.options.begin(), kind.options.end());
        }
        return out;
    }();
    return all;
}

void run_services::require_given(std::size_t row, std::int32_t group, brought_baseline const& one) {
    if (!brought.empty()) {
        brought[row].push_back(one);
    } else if (std::string const why = given.conflict(group, one.task, one.instance, one.given); !why.empty()) {
        throw field_error(one.field, why);
    }
}

namespace {

/// A key without what makes no other problem.
std::string problem_name(std::string const& key) {
    auto const bare = [](instance_key one) {
        if (!one.is_explicit) {
            one.style = 0;
            one.hash.clear();
        }
        return one;
    };
    if (is_external_key(key)) {
        return "key " + key;
    }
    if (!programs::is_problem_key(key)) {
        return to_string(bare(parse_key(key)));
    }
    programs::problem_key several = programs::parse_problem_key(key);
    several.first = bare(several.first);
    return programs::to_string(several);
}

}  // namespace

row_problem row_kind::problem(json_row const& row) const {
    bool const has_keys = std::ranges::any_of(info().reads, [](column const& one) { return one.name == "key"; });
    row_problem out{"", std::string(info().name), "explicit"};
    if (has_keys) {
        row_place place = place_of(row);
        out.task = std::move(place.task);
        out.level = std::move(place.level);
    }
    if (auto const key = has_keys ? string_of(row, "key") : std::nullopt) {
        out.name = problem_name(*key);
        return out;
    }
    out.name = out.task;
    for (column const& one : info().reads) {
        std::string_view const* const value = one.name == "completion" ? nullptr : field_of(row, one.name);
        out.name += value == nullptr ? std::string() : fmt::format(" {}", *value);
    }
    return out;
}

std::vector<row_kind::asked_row> row_kind::asks(row_batch&) { return {}; }

void row_kind::answered(row_batch&, std::span<asked_row>, std::span<graded_row const>) {}

void row_kind::wants(row_batch&, wanted_baselines&) {}

std::shared_ptr<void> row_kind::take(graded_row const&) { return nullptr; }

void row_kind::put(graded_row&, std::shared_ptr<void> const&) {}

void row_kind::settle(std::span<graded_row* const>) {}

std::span<double const> row_kind::scores(graded_row const&) const { return {}; }

std::vector<std::string_view> row_kind::added() const {
    std::vector<std::string_view> names;
    for (column const& one : info().adds) {
        names.push_back(one.name);
    }
    return names;
}

void row_kind::write(row_sink&, graded_row const&) const {}

std::optional<explanation> row_kind::explain_unscored(row_item&) { return std::nullopt; }

std::int32_t row_kind::hidden_instances(graded_row const&) const { return 0; }

void row_kind::tell(run_report&) const {}

}  // namespace optgap::rows
