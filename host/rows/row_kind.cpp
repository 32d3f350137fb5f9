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

void require_given(given_baselines& of, std::int32_t group, std::int32_t task, instance_hash instance,
                   baseline const& given, std::string const& field) {
    if (std::string const why = of.conflict(group, task, instance, given); !why.empty()) {
        throw field_error(field, why);
    }
}

std::vector<row_kind::asked_row> row_kind::asks(row_batch&) { return {}; }

void row_kind::answered(row_batch&, std::span<asked_row>, std::span<graded_row const>) {}

void row_kind::wants(row_batch&, wanted_baselines&) {}

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
