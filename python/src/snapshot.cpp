#include "python/src/snapshot.hpp"

#include <nanobind/stl/string.h>

#include "python/src/values/answers.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {

bound_snapshot::bound_snapshot(std::string const& path) {
    released_gil const released;
    inner = std::make_shared<store::snapshot>(path, lookup_engine(), OPTGAP_VERSION);
}

nb::tuple bound_snapshot::find(int32_in const& task, int32_in const& words, int64_in const& offsets,
                               int32_in const& level, int32_in const& part, array_in<std::uint64_t> const& seed) const {
    instance_view const instances = instances_of(task, words, offsets);
    if (level.size() != task.size() || part.size() != task.size() || seed.size() != task.size()) {
        throw argument_error("specs", "columns differ in length");
    }
    std::vector<instance_spec> specs(task.size(), {-1, {}, split::train, 0});
    for (std::size_t r = 0; r < task.size(); ++r) {
        task_at(task.data()[r]);
        if (part.data()[r] >= 0) {
            specs[r] = {task.data()[r], {level.data()[r]}, split_of(part.data()[r]), seed.data()[r]};
        }
    }
    std::vector<baseline> rows(task.size());
    std::vector<std::uint8_t> known(task.size());
    {
        released_gil const released;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::optional<baseline> const found =
                inner->find(instances.task[r], specs[r], instances.blocks.row(std::int64_t(r)));
            rows[r] = found.value_or(baseline{});
            known[r] = found ? 1 : 0;
        }
    }
    return nb::make_tuple(baseline_columns(std::move(rows)), to_mask(std::move(known)));
}

std::function<std::optional<baseline>(std::int32_t, instance_spec const&, std::span<std::int32_t const>)> known_by(
    nb::handle snapshot) {
    if (snapshot.is_none()) {
        return {};
    }
    return [from = nb::cast<bound_snapshot&>(snapshot).inner](std::int32_t task, instance_spec const& spec,
                                                              std::span<std::int32_t const> words) {
        return from->find(task, spec, words);
    };
}

void bind_snapshot(nb::module_& m) {
    nb::class_<bound_snapshot>(m, "Snapshot")
        .def(nb::init<std::string const&>())
        .def("find", &bound_snapshot::find)
        .def_prop_ro("hash", [](bound_snapshot const& self) { return self.inner->hash(); })
        .def("sentence", [](bound_snapshot const& self) { return self.inner->sentence(); });
}

}  // namespace optgap::python
