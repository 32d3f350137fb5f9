// optgap._native.Curriculum: the library's, over arrays.

#include "optgap/curriculum.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "optgap/proposals/pool_mix.hpp"
#include "optgap/task_choice.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

/// Per task: level code and characters of its longest prompt.
using prompt_table = std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>>;

std::vector<curriculum_task> tasks_of(std::vector<std::string> const& names, std::vector<std::int32_t> const& weights,
                                      prompt_table const& prompts) {
    std::vector<curriculum_task> tasks;
    for (std::size_t t = 0; t < names.size(); ++t) {
        curriculum_task task{.name = names[t], .weight = weights.at(t)};
        for (task_info const& info : lookup_engine().tasks()) {
            if (info.name == task.name) {
                task.labels = task_labels(info);
            }
        }
        for (auto const& [level, chars] : prompts.at(t)) {
            task.prompts.push_back({{level}, chars});
        }
        tasks.push_back(std::move(task));
    }
    return tasks;
}

class bound_curriculum {
public:
    bound_curriculum(std::string_view spec, std::vector<std::string> const& names,
                     std::vector<std::int32_t> const& weights, prompt_table const& prompts, std::uint64_t seed)
        : plan_(parse_curriculum_spec(spec), tasks_of(names, weights, prompts), seed) {}

    /// task, level and seed of the problems first ... first + count - 1.
    nb::tuple draw(std::int64_t first, std::int64_t count) const {
        std::vector<std::int32_t> task, level;
        std::vector<std::uint64_t> seed;
        for (std::int64_t i = first; i < first + count; ++i) {
            curriculum_draw const next = plan_.draw(i);
            task.push_back(next.task);
            level.push_back(next.level.code);
            seed.push_back(next.seed);
        }
        return nb::make_tuple(to_array(std::move(task)), to_array(std::move(level)), to_array(std::move(seed)));
    }

    /// Rows with one number in `instance_of`, which is a row of `task` and `level`, are one group.
    void observe(int32_in const& task, int32_in const& level, int32_in const& instance_of,
                 array_in<bool> const& feasible, array_in<float> const& quality, int32_in const& finished) {
        std::vector<std::vector<rollout_outcome>> groups(task.size());
        for (std::size_t r = 0; r < instance_of.size(); ++r) {
            groups.at(std::size_t(instance_of.data()[r]))
                .push_back(outcome_of(plan_.spec(), feasible.data()[r], double(quality.data()[r]),
                                      finish(finished.data()[r])));
        }
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (!groups[i].empty()) {
                plan_.observe(task.data()[i], {level.data()[i]}, groups[i]);
            }
        }
    }

    std::string delta(std::int32_t rank) { return to_json(plan_.delta(rank)); }
    bool merge(std::string_view text) { return plan_.merge(parse_curriculum_delta(text)); }
    void step() { plan_.step(); }
    [[nodiscard]] nb::object shares() const { return to_array(plan_.shares()); }
    [[nodiscard]] std::string state_dict() const { return plan_.state_dict(); }
    void load_state_dict(std::string_view text) { plan_.load_state_dict(text); }
    [[nodiscard]] std::string spec() const { return to_json(plan_.spec()); }
    [[nodiscard]] std::int64_t steps() const { return plan_.current_step(); }
    [[nodiscard]] bool finished() const { return plan_.finished(); }

private:
    curriculum plan_;
};

}  // namespace

void bind_curriculum(nb::module_& m) {
    m.def("pool_mix", [](std::string_view text) {
        pool_mix const mix = parse_pool_mix(text);
        return std::tuple(to_json(mix), to_json(mix.inner));
    });
    m.def("from_scale",
          [](std::string_view text, std::uint64_t seed, std::int64_t step, std::int64_t first, std::int64_t count) {
              pool_mix const mix = parse_pool_mix(text);
              std::vector<std::uint8_t> out;
              for (std::int64_t i = first; i < first + count; ++i) {
                  out.push_back(from_scale(mix, seed, step, i) ? 1 : 0);
              }
              return to_mask(std::move(out));
          });
    nb::class_<bound_curriculum>(m, "Curriculum")
        .def(nb::init<std::string_view, std::vector<std::string> const&, std::vector<std::int32_t> const&,
                      prompt_table const&, std::uint64_t>())
        .def("draw", &bound_curriculum::draw, nb::lock_self())
        .def("observe", &bound_curriculum::observe, nb::lock_self())
        .def("delta", &bound_curriculum::delta, nb::lock_self())
        .def("merge", &bound_curriculum::merge, nb::lock_self())
        .def("step", &bound_curriculum::step, nb::lock_self())
        .def("state_dict", &bound_curriculum::state_dict, nb::lock_self())
        .def("load_state_dict", &bound_curriculum::load_state_dict, nb::lock_self())
        .def_prop_ro("spec", &bound_curriculum::spec, nb::lock_self())
        .def_prop_ro("shares", &bound_curriculum::shares, nb::lock_self())
        .def_prop_ro("steps", &bound_curriculum::steps, nb::lock_self())
        .def_prop_ro("finished", &bound_curriculum::finished, nb::lock_self());
}

}  // namespace optgap::python
