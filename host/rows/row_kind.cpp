#include "host/rows/row_kind.hpp"

#include <algorithm>
#include <functional>

namespace optgap::rows {

std::vector<kind_entry> listed_kinds();  // made by tools/cmake/libraries.cmake

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

void row_kind::tell(run_report&) const {}

}  // namespace optgap::rows
