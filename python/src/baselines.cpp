#include "python/src/baselines.hpp"

namespace optgap::python {
namespace {

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

nb::tuple baseline_arrays(std::vector<baseline>&& found) {
    shared_rows<baseline> const rows(std::move(found));
    auto* const status = rows.rows().empty() ? nullptr : reinterpret_cast<std::int32_t*>(&rows.rows().front().status);
    return nb::make_tuple(rows.column(&baseline::objective), rows.column(&baseline::bound),
                          rows.column(&baseline::floor), rows.column(&baseline::greedy), rows.column(&baseline::steps),
                          rows.view(status, std::int64_t(sizeof(baseline) / sizeof(std::int32_t))),
                          rows.column(&baseline::bound_kind));
}

std::vector<baseline> baselines_from(nb::tuple const& arrays) {
    using strided64 = nb::ndarray<std::int64_t const, nb::ndim<1>, nb::device::cpu>;
    using strided32 = nb::ndarray<std::int32_t const, nb::ndim<1>, nb::device::cpu>;
    std::int64_t baseline::*const wide[] = {&baseline::objective, &baseline::bound, &baseline::floor, &baseline::greedy,
                                            &baseline::steps};
    std::vector<baseline> rows(nb::len(nb::object(arrays[0])));
    auto const require_rows = [&](std::size_t given) {
        if (given != rows.size()) {
            throw argument_error("baselines", "its columns differ in length");
        }
    };
    for (std::size_t f = 0; f < std::size(wide); ++f) {
        auto const values = nb::cast<strided64>(arrays[f]);
        require_rows(values.shape(0));
        for (std::size_t r = 0; r < rows.size(); ++r) {
            rows[r].*wide[f] = values(r);
        }
    }
    auto const status = nb::cast<strided32>(arrays[5]);
    auto const bound_kind = nb::cast<strided32>(arrays[6]);
    require_rows(status.shape(0));
    require_rows(bound_kind.shape(0));
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
    return nb::make_tuple(baseline_arrays(std::move(rows)), to_mask(std::move(known)));
}

std::optional<baseline> baseline_from(nb::handle given) {
    if (nb::isinstance<nb::tuple>(given)) {
        std::vector<baseline> const rows = baselines_from(nb::borrow<nb::tuple>(given));
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
