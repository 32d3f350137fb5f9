// What a run did, in counters: the library's tables and group filter, over arrays.

#include "optgap/statistics.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "optgap/engine.hpp"
#include "optgap/format.hpp"
#include "optgap/reward_rules.hpp"
#include "optgap/run_record.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/lookups.hpp"

namespace optgap::python {
namespace {

nb::dict filter(array_in<float> const& rewards, int32_in const& group, array_in<float> const& length_penalty) {
    group_filter found = filter_groups(span_of(rewards), span_of(group), {}, 0, span_of(length_penalty));
    group_counts const& total = found.total;
    nb::dict out;
    out["keep"] = to_mask(std::move(found.keep));
    out["groups"] = total.groups;
    out["kept"] = total.kept;
    out["collapsed"] = total.collapsed;
    out["effective_prompt_ratio"] = total.effective_prompt_ratio();
    out["collapsed_share"] = total.collapsed_share();
    out["pair_collision"] = total.pair_collision();
    out["feedback_resolution"] = total.feedback_resolution();
    return out;
}

class bound_statistics {
public:
    bound_statistics(double correct_from, std::string const& format, std::string_view reward,
                     std::string_view advantage, std::int64_t budget, std::string const& baselines) {
        run_settings settings;
        settings.engine_version = OPTGAP_VERSION;
        settings.tasks.assign(lookup_engine().tasks().begin(), lookup_engine().tasks().end());
        settings.format = to_text(parse_format(format));
        settings.reward = parse_reward_rules(reward, lookup_engine().tasks());
        settings.advantage = parse_advantage_spec(advantage);
        settings.budget = budget;
        settings.baselines = baselines;
        table_.run = run_record(settings);
        table_.correct_from = correct_from;
    }
    explicit bound_statistics(std::string_view text) : table_(statistics_from_json(text)) {}

    /// One entry per row of a scored batch; `level` is a level code, or explicit_level. A group counts in the cell of
    /// its first row.
    void add(int32_in const& task, int32_in const& level, array_in<bool> const& format, array_in<bool> const& feasible,
             array_in<float> const& quality, array_in<bool> const& optimal, array_in<bool> const& truncated,
             array_in<float> const& rewards, array_in<float> const& length_penalty, int32_in const& group) {
        std::map<statistics::place, std::int32_t> numbers;
        std::vector<std::int32_t> cell;
        for (std::size_t r = 0; r < task.size(); ++r) {
            std::int32_t const code = level.data()[r];
            statistics::place place{task_at(task.data()[r]).name,
                                    code == explicit_level ? "explicit" : level_name({code})};
            table_.cells[place].add({.format = format.data()[r] ? 1.0f : 0.0f,
                                     .feasible = feasible.data()[r] ? 1.0f : 0.0f,
                                     .quality = quality.data()[r],
                                     .optimal = optimal.data()[r] ? 1.0f : 0.0f,
                                     .truncated = truncated.data()[r] ? 1 : 0},
                                    table_.correct_from);
            cell.push_back(numbers.try_emplace(std::move(place), std::int32_t(numbers.size())).first->second);
        }
        group_filter const found = filter_groups(span_of(rewards), span_of(group), cell, std::int32_t(numbers.size()),
                                                 span_of(length_penalty));
        for (auto const& [place, number] : numbers) {
            table_.cells[place].groups += found.cells[std::size_t(number)];
        }
    }

    void merge(bound_statistics const& other) {
        if (table_.run != other.table_.run) {
            throw argument_error("other",
                                 "is of another run: they differ in " +
                                     differing_parts(run_fingerprint(table_.run), run_fingerprint(other.table_.run)));
        }
        table_.merge(other.table_);
    }
    [[nodiscard]] std::string to_json() const { return optgap::to_json(table_); }

    static constexpr std::int32_t explicit_level = INT32_MIN;

private:
    statistics table_;
};

}  // namespace

void bind_statistics(nb::module_& m) {
    m.def("filter_groups", &filter);
    m.attr("explicit_level") = bound_statistics::explicit_level;
    nb::class_<bound_statistics>(m, "Statistics")
        .def(nb::init<double, std::string const&, std::string_view, std::string_view, std::int64_t,
                      std::string const&>())
        .def(nb::init<std::string_view>())
        .def("add", &bound_statistics::add, nb::lock_self())
        .def("merge", &bound_statistics::merge, nb::lock_self())
        .def("to_json", &bound_statistics::to_json, nb::lock_self());
}

}  // namespace optgap::python
