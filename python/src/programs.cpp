// optgap._native.ProgramRunner: programs of completions, run and rewarded in this process.

#include "python/src/programs.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "optgap/fork.hpp"
#include "optgap/reward_rules.hpp"
#include "python/src/baseline_source.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/score.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

nb::dict counts_dict(program_counts const& of) {
    nb::dict out;
    out["programs"] = of.programs;
    out["compiled"] = of.compiled;
    out["compile_cached"] = of.compile_cached;
    out["runs"] = of.runs;
    out["copied"] = of.copied;
    out["left_out"] = of.left_out;
    out["masked"] = of.masked;
    out["suspected"] = of.suspected;
    out["retried"] = of.retried;
    out["core_seconds"] = of.core_seconds;
    return out;
}

}  // namespace

nb::dict program_columns(program_batch&& found) {
    std::size_t const count = found.rows.size();
    std::int64_t width = 0;
    std::vector<std::int32_t> cells;
    for (std::size_t r = 0; r < count; ++r) {
        cells.push_back(std::int32_t(found.cells(std::int64_t(r))));
        width = std::max(width, std::int64_t(cells.back()));
    }
    std::vector<std::int32_t> codes(count * std::size_t(width), -1);
    std::vector<std::int64_t> objectives(count * std::size_t(width), no_objective);
    std::vector<std::int64_t> begin, end;
    nb::list kinds;
    for (std::size_t r = 0; r < count; ++r) {
        auto const own = std::size_t(found.begin[r]);
        std::copy_n(found.codes.begin() + std::ptrdiff_t(own), cells[r], codes.begin() + std::ptrdiff_t(r) * width);
        std::copy_n(found.objectives.begin() + std::ptrdiff_t(own), cells[r],
                    objectives.begin() + std::ptrdiff_t(r) * width);
        begin.push_back(found.span[r].begin);
        end.push_back(found.span[r].end);
        kinds.append(min_known(std::span(found.baselines).subspan(own, std::size_t(cells[r]))));
    }
    nb::dict out;
    out["width"] = width;
    out["codes"] = to_array(std::move(codes));
    out["objectives"] = to_array(std::move(objectives));
    out["instances"] = to_array(std::move(cells));
    out["valid"] = to_array(std::move(found.valid));
    out["violation"] = to_array(std::move(found.violation));
    out["masked"] = to_mask(std::move(found.masked));
    out["task"] = to_array(std::move(found.task));
    out["begin"] = to_array(std::move(begin));
    out["end"] = to_array(std::move(end));
    out["advantage"] = to_array(std::move(found.advantage));
    out["hash"] = nb::cast(found.hash);
    out["isolation"] = nb::cast(found.isolation);
    out["trouble"] = nb::cast(found.trouble);
    out["baseline_kind"] = kinds;
    out["baselines"] = baseline_columns(std::move(found.baselines));
    out["counts"] = counts_dict(found.counts);
    shared_rows<reward_row> const rows(std::move(found.rows));
    out["reward"] = rows.column(&reward_row::reward);
    out["format"] = rows.column(&reward_row::format);
    out["feasible"] = rows.column(&reward_row::feasible);
    out["quality"] = rows.column(&reward_row::quality);
    out["raw_ratio"] = rows.column(&reward_row::raw_ratio);
    out["normalized"] = rows.column(&reward_row::normalized);
    out["optimal"] = rows.column(&reward_row::optimal);
    out["length_penalty"] = rows.column(&reward_row::length_penalty);
    out["code"] = rows.column(&reward_row::code);
    out["truncated"] = rows.column(&reward_row::truncated);
    return out;
}

program_runner_options program_runner_options_of(nb::kwargs const& given) {
    program_runner_options out;
    out.isolation = nb::cast<std::string>(given["isolation"]);
    out.slots = nb::cast<std::int32_t>(given["slots"]);
    out.server = nb::cast<std::string>(given["server"]);
    out.baselines = nb::cast<bound_baseline_source&>(given["baselines"]).shared();
    out.languages = nb::cast<std::vector<std::string>>(given["languages"]);
    return out;
}

/// A call under way.
class bound_program_runner::call {
public:
    explicit call(bound_program_runner& of) : of_(of) {
        std::lock_guard const locked(of_.lock_);
        if (of_.process_ != fork_generation()) {
            misuse("this program runner belongs to the parent process: a forked child makes its own");
        }
        if (of_.stop_.stop_requested()) {
            misuse("the program runner is closed");
        }
        ++of_.calls_;
    }
    ~call() {
        {
            std::lock_guard const locked(of_.lock_);
            --of_.calls_;
        }
        of_.ended_.notify_all();
    }
    call(call const&) = delete;
    call& operator=(call const&) = delete;

private:
    bound_program_runner& of_;
};

bound_program_runner::bound_program_runner(std::shared_ptr<engine const> by, program_runner_options options)
    : by_(std::move(by)), process_(fork_generation()) {
    released_gil const released;
    runner_ = {new program_runner(*by_, std::move(options)), [kept = by_](program_runner* own) { delete own; }};
}

bound_program_runner::~bound_program_runner() {
    if (process_ != fork_generation()) {
        // The parent's threads are not here: its runner leaks itself, its engine is left alone.
        static_cast<void>(new std::shared_ptr<engine const>(by_));
        static_cast<void>(new std::shared_ptr<program_runner>(runner_));
        return;
    }
    released_gil const released;
    runner_.reset();
}

void bound_program_runner::close() {
    if (process_ != fork_generation()) {
        return;
    }
    released_gil const released;
    stop_.request_stop();
    std::unique_lock locked(lock_);
    ended_.wait(locked, [&] { return calls_ == 0; });
}

nb::dict bound_program_runner::run(nb::kwargs const& given) {
    call const under_way(*this);
    std::vector<std::shared_ptr<program_problem const>> problems;
    for (nb::handle const one : nb::cast<nb::list>(given["problems"])) {
        problems.push_back(nb::cast<bound_program_problem const&>(one).of);
    }
    borrowed_texts const texts(given["texts"], "completions", by_->threads());
    auto const problem_of = nb::cast<std::vector<std::int32_t>>(given["problem_of"]);
    auto const group = nb::cast<std::vector<std::int32_t>>(given["group"]);
    auto const length = nb::cast<std::vector<std::int32_t>>(given["length"]);
    std::vector<finish> const finished = finishes_from(nb::cast<std::vector<std::int32_t>>(given["finish"]));
    program_request const asked{.problems = problems,
                                .texts = texts.views(),
                                .problem_of = problem_of,
                                .group = group,
                                .finished = finished,
                                .length = length,
                                .reward = parse_reward_rules(nb::cast<std::string>(given["reward"]), by_->tasks()),
                                .advantage = parse_advantage_spec(nb::cast<std::string>(given["advantage"])),
                                .budget = nb::cast<std::int64_t>(given["budget"]),
                                .fail_fast = nb::cast<bool>(given["fail_fast"]),
                                .dedupe_always = nb::cast<bool>(given["dedupe_always"]),
                                .stop = stop_.get_token()};
    program_batch found;
    bool interrupted = false;
    {
        released_gil const released;
        found = runner_->run(asked, [&] {
            held_gil const held;
            interrupted = PyErr_CheckSignals() != 0;
            return !interrupted;
        });
    }
    if (interrupted) {
        throw nb::python_error();  // takes what the handler raised
    }
    return program_columns(std::move(found));
}

std::string bound_program_runner::isolation(std::string_view language) {
    call const under_way(*this);
    released_gil const released;
    return runner_->isolation(language);
}

nb::dict bound_program_runner::counts() const { return counts_dict(runner_->counts()); }

void bind_programs(nb::module_& m) {
    nb::class_<bound_program_problem>(m, "ProgramProblem")
        .def("__init__",
             [](bound_program_problem* self, std::string_view record) {
                 new (self) bound_program_problem{
                     std::make_shared<program_problem const>(read_program_problem(lookup_engine(), record))};
             })
        .def_prop_ro("key", [](bound_program_problem const& self) { return self.of->key; })
        .def_prop_ro("task", [](bound_program_problem const& self) { return self.of->task; })
        .def_prop_ro("language", [](bound_program_problem const& self) { return self.of->language; })
        .def_prop_ro("instances", [](bound_program_problem const& self) { return self.of->count(); });
    nb::class_<bound_program_runner>(m, "ProgramRunner", nb::is_weak_referenceable())
        .def("run", &bound_program_runner::run)
        .def("close", &bound_program_runner::close)
        .def("isolation", &bound_program_runner::isolation)
        .def_prop_ro("slots", &bound_program_runner::slots)
        .def("counts", &bound_program_runner::counts);
}

}  // namespace optgap::python
