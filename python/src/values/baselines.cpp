#include "python/src/values/baselines.hpp"

namespace optgap::python {
namespace {

constexpr std::pair<char const*, std::int64_t baseline::*> numbers[] = {{"objective", &baseline::objective},
                                                                        {"bound", &baseline::bound},
                                                                        {"floor", &baseline::floor},
                                                                        {"greedy", &baseline::greedy},
                                                                        {"steps", &baseline::steps}};

std::int64_t integer_of(nb::dict const& record, char const* name, std::string const& row) {
    if (!record.contains(name) || record[name].is_none()) {
        return no_objective;
    }
    nb::object const value = record[name];
    nb::object const index = nb::steal(PyBool_Check(value.ptr()) ? nullptr : PyNumber_Index(value.ptr()));
    int overflow = 0;
    long long const number = index.is_valid() ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : 0;
    if (!index.is_valid() || overflow != 0) {
        PyErr_Clear();
        throw argument_error("baselines", row + name + " must be a 64-bit integer or None");
    }
    return number;
}

/// False when the record says nothing.
bool read_record(nb::handle record, std::size_t row, baseline& known) {
    std::string const place = "row " + std::to_string(row) + ": ";
    if (record.is_none()) {
        return false;
    }
    nb::dict fields;
    if (!nb::try_cast(record, fields)) {
        throw argument_error("baselines", place + "expected {objective, bound, proven} or None");
    }
    known.objective = integer_of(fields, "objective", place);
    known.bound = integer_of(fields, "bound", place);
    known.floor = integer_of(fields, "floor", place);
    known.greedy = integer_of(fields, "greedy", place);
    bool proven = false;
    if (fields.contains("proven") && !nb::try_cast(fields["proven"], proven)) {
        throw argument_error("baselines", place + "proven must be True or False");
    }
    if (known.objective == no_objective) {
        known.status = proven ? baseline_status::infeasible : baseline_status::unknown;
        return proven;
    }
    known.status = proven ? baseline_status::optimal : baseline_status::bounded;
    if (proven && known.bound == no_objective) {
        known.bound = known.objective;
    }
    if (proven && known.bound != known.objective) {
        throw argument_error("baselines", place + "is proven, but its objective " + std::to_string(known.objective) +
                                              " is not its bound " + std::to_string(known.bound));
    }
    return true;
}

}  // namespace

nb::dict baseline_columns(std::vector<baseline>&& found) {
    shared_rows<baseline> const rows(std::move(found));
    auto* const status = rows.rows().empty() ? nullptr : reinterpret_cast<std::int32_t*>(&rows.rows().front().status);
    nb::dict columns;
    for (auto const& [name, member] : numbers) {
        columns[name] = rows.column(member);
    }
    columns["status"] = rows.view(status, std::int64_t(sizeof(baseline) / sizeof(std::int32_t)));
    columns["bound_kind"] = rows.column(&baseline::bound_kind);
    return columns;
}

std::vector<baseline> baselines_from(nb::dict const& columns) {
    using strided64 = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::device::cpu>;
    using strided32 = nb::ndarray<std::int32_t const, nb::ndim<1>, nb::device::cpu>;
    auto const status = nb::cast<strided32>(columns["status"]);
    auto const bound_kind = nb::cast<strided32>(columns["bound_kind"]);
    std::vector<baseline> rows(status.shape(0));
    auto const require_rows = [&](std::size_t given) {
        if (given != rows.size()) {
            throw argument_error("baselines", "its columns differ in length");
        }
    };
    require_rows(bound_kind.shape(0));
    for (auto const& [name, member] : numbers) {
        auto const values = nb::cast<strided64>(columns[name]);
        require_rows(values.shape(0));
        for (std::size_t r = 0; r < rows.size(); ++r) {
            rows[r].*member = values(r);
        }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (status(r) < 0 || status(r) > std::int32_t(baseline_status::infeasible)) {
            throw argument_error("baselines", "row " + std::to_string(r) + " has no known status");
        }
        rows[r].status = baseline_status(status(r));
        rows[r].bound_kind = bound_kind(r);
    }
    return rows;
}

nb::tuple baselines_from_records(nb::handle records) {
    std::vector<baseline> rows;
    std::vector<std::uint8_t> known;
    for (nb::handle const record : records) {
        baseline row;
        known.push_back(read_record(record, rows.size(), row) ? 1 : 0);
        rows.push_back(row);
    }
    return nb::make_tuple(baseline_columns(std::move(rows)), to_mask(std::move(known)));
}

std::optional<baseline> baseline_from(nb::handle given) {
    // A record says `proven`, and no status.
    if (nb::dict columns; nb::try_cast(given, columns) && columns.contains("status")) {
        std::vector<baseline> const rows = baselines_from(columns);
        if (rows.size() != 1) {
            throw argument_error("baseline", "expected one row, got " + std::to_string(rows.size()));
        }
        return rows[0];
    }
    baseline row;
    return read_record(given, 0, row) ? std::optional(row) : std::nullopt;
}

void bind_baselines(nb::module_& m) { m.def("baselines_from_records", &baselines_from_records); }

}  // namespace optgap::python
