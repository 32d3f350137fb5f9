#include "python/src/baseline_source.hpp"

#include <nanobind/stl/string.h>

#include "optgap/fork.hpp"
#include "python/src/values/answers.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/errors.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {

bound_baseline_source::bound_baseline_source(std::shared_ptr<engine const> by, std::string const& snapshot,
                                             std::int64_t bytes)
    : process_(fork_generation()) {
    released_gil const released;
    std::shared_ptr<store::snapshot> frozen = store::snapshot::opened(snapshot, lookup_engine(), OPTGAP_VERSION);
    baseline_source_options options{.layers = {}, .bytes = bytes};
    if (frozen != nullptr) {
        options.layers.push_back(layer_of(frozen));
    }
    engine const& prover = *by;
    held_ = std::shared_ptr<parts>(
        new parts{std::move(by), std::move(frozen), baseline_source(prover, std::move(options))});
}

bound_baseline_source::~bound_baseline_source() {
    if (process_ != fork_generation()) {
        static_cast<void>(new std::shared_ptr<parts>(std::move(held_)));  // the parent's engine has no threads here
    }
}

nb::dict bound_baseline_source::prove(int32_in const& task, int32_in const& words, int64_in const& offsets,
                                      int32_in const& level, int32_in const& part, array_in<std::uint64_t> const& seed,
                                      std::int64_t budget) const {
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
    std::vector<baseline> rows;
    {
        released_gil const released;
        for (sourced_baseline const& one : held_->source.prove(
                 {.instances = instances, .specs = specs, .given = {}, .starts = {}, .budget = budget})) {
            if (!one.damage.empty()) {
                throw error(status::internal, one.damage);
            }
            rows.push_back(one.value);
        }
    }
    return baseline_columns(std::move(rows));
}

void bind_baseline_source(nb::module_& m) {
    nb::class_<bound_baseline_source>(m, "BaselineSource")
        .def("prove", &bound_baseline_source::prove)
        .def_prop_ro("hash", &bound_baseline_source::hash)
        .def("sentence", &bound_baseline_source::sentence);
}

}  // namespace optgap::python
