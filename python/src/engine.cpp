// The engine's verbs. Arrays are borrowed for the call, the GIL is released while the engine works.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "host/rows/answer/answer_finding.hpp"
#include "host/store/snapshot.hpp"
#include "optgap/engine.hpp"
#include "optgap/key.hpp"
#include "optgap/server.hpp"
#include "python/src/baseline_source.hpp"
#include "python/src/device/store.hpp"
#include "python/src/programs.hpp"
#include "python/src/rows/compared_columns.hpp"
#include "python/src/rows/scorer.hpp"
#include "python/src/scheduler.hpp"
#include "python/src/values/answers.hpp"
#include "python/src/values/arrays.hpp"
#include "python/src/values/baselines.hpp"
#include "python/src/values/fork_safe_engine.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/lookups.hpp"
#include "python/src/values/score.hpp"
#include "python/src/values/texts.hpp"

namespace optgap::python {
namespace {

template <class Work>
auto without_gil(Work&& work) {
    released_gil const released;
    return work();
}

nb::tuple to_python(csr_words&& found) { return to_arrays(std::move(found)); }
nb::tuple to_python(solved_batch&& found) {
    return nb::make_tuple(baseline_columns(std::move(found.rows)), to_arrays(std::move(found.answers)));
}

class bound_engine {
public:
    /// A verb's result, made without the GIL.
    template <class Work>
    auto run(Work&& work) {
        std::shared_ptr<engine const> const by = engine_.get();
        return without_gil([&] { return work(*by); });
    }

    bound_engine(std::string_view device, std::int32_t threads, std::int64_t memory_limit, std::string_view server,
                 std::string_view baselines)
        : engine_(options(device, threads, memory_limit, server, baselines)) {}

    /// Path and content hash of the snapshot that is named for an engine of this device and server.
    static nb::tuple find_snapshot(std::string const& named, std::string_view device, std::string_view server) {
        engine_options const of = options(device, 0, 0, server, "");
        store::snapshot_place const found =
            without_gil([&] { return store::find_snapshot(named, named == "served" ? daemon_path(of) : ""); });
        return nb::make_tuple(found.path, found.hash);
    }

    std::unique_ptr<bound_scorer> make_scorer(std::string const& options, bound_baseline_source const& baselines,
                                              bound_program_runner const* runner) {
        return std::make_unique<bound_scorer>(engine_.get(), options, baselines, runner);
    }

    std::int32_t threads() { return engine_.get()->threads(); }
    std::string device_name() { return engine_.get()->device_name(); }
    std::string where() { return engine_.get()->where() == device::cuda ? "cuda" : "cpu"; }
    std::string device_status() { return to_json(engine_.get()->device_status()); }
    std::string server_status() { return to_json(engine_.get()->server_status()); }
    void release() {
        std::shared_ptr<engine> const by = engine_.get();
        without_gil([&] { by->release(); });
    }
    void resume() {
        std::shared_ptr<engine> const by = engine_.get();
        without_gil([&] { by->resume(); });
    }

    nb::tuple generate(int32_in const& task, int32_in const& level, int32_in const& part,
                       array_in<std::uint64_t> const& seed) {
        std::vector<instance_spec> specs;
        for (std::size_t r = 0; r < task.size(); ++r) {
            if (level.size() != task.size() || part.size() != task.size() || seed.size() != task.size()) {
                throw argument_error("specs", "columns differ in length");
            }
            specs.push_back({task.data()[r], {level.data()[r]}, split_of(part.data()[r]), seed.data()[r]});
        }
        instance_batch made = run([&](engine const& by) { return by.generate(specs); });
        return nb::make_tuple(to_array(std::move(made.task)), to_array(std::move(made.blocks.words)),
                              to_array(std::move(made.blocks.offsets)));
    }

    std::vector<std::string> prompts(int32_in const& task, int32_in const& words, int64_in const& offsets,
                                     int32_in const& style, std::string_view format) {
        instance_view const instances = instances_of(task, words, offsets);
        if (std::int64_t(style.size()) != instances.blocks.rows) {
            throw argument_error("style", "expected one per instance");
        }
        for (std::int32_t const t : span_of(task)) {
            task_at(t);
        }
        format_spec const wanted = parse_format(format);
        return run([&](engine const& by) {
            std::vector<std::string> out;
            for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
                out.push_back(by.prompt(instances.task[r], instances.blocks.row(r), style.data()[r], wanted));
            }
            return out;
        });
    }

    nb::dict parse(nb::handle texts, int32_in const& task, int32_in const& format_of,
                   std::optional<int32_in> const& finished) {
        borrowed_texts const borrowed(texts, "texts", threads());
        std::vector<finish> const how = finished ? finishes_from(span_of(*finished)) : std::vector<finish>();
        for (std::int32_t const t : span_of(task)) {
            task_at(t);
        }
        answer_batch found = run(
            [&](engine const& by) { return by.parse(borrowed.views(), span_of(task), {}, span_of(format_of), how); });
        shared_rows<parsed_text> const rows(std::move(found.rows));
        auto const span_column = [&](std::int64_t text_span::*end) {
            bool const empty = rows.rows().empty();
            return rows.view(empty ? nullptr : &(rows.rows().front().answer.*end),
                             std::int64_t(sizeof(parsed_text) / sizeof(std::int64_t)));
        };
        nb::dict columns;
        columns["code"] = rows.column(&parsed_text::answer_code);
        columns["where"] = rows.column(&parsed_text::where);
        columns["words"] = to_array(std::move(found.words));
        columns["offsets"] = to_array(std::move(found.offsets));
        columns["format_code"] = rows.column(&parsed_text::format_code);
        columns["begin"] = span_column(&text_span::begin);
        columns["end"] = span_column(&text_span::end);
        return columns;
    }

    /// `code` and `where` are those of reading the answers; they go before what the verifier says of an empty list.
    nb::dict verify(int32_in const& task, int32_in const& words, int64_in const& offsets, int32_in const& answer_words,
                    int64_in const& answer_offsets, int32_in const& code, int32_in const& where,
                    std::optional<int32_in> const& instance_of) {
        instance_view const instances = instances_of(task, words, offsets);
        csr_view const answers = rows_of("answers", answer_words, answer_offsets);
        require_blocks(answers);
        if (std::int64_t(code.size()) != answers.rows || std::int64_t(where.size()) != answers.rows) {
            throw argument_error("answers", "its columns differ in length");
        }
        std::vector<verdict> found =
            run([&](engine const& by) { return by.verify(instances, answers, span_of(instance_of)); });
        std::vector<std::uint8_t> feasible(found.size());
        for (std::size_t r = 0; r < found.size(); ++r) {
            verdict& row = found[r];
            if (code.data()[r] != code_ok) {
                row.code = code.data()[r];
                row.where = where.data()[r];
                row.violation = row.violation_max;
            }
            feasible[r] = row.feasible() ? 1 : 0;
            row.objective = row.feasible() ? row.objective : no_objective;
        }
        shared_rows<verdict> const rows(std::move(found));
        nb::dict columns;
        columns["feasible"] = to_mask(std::move(feasible));
        columns["objective"] = rows.column(&verdict::objective);
        columns["code"] = rows.column(&verdict::code);
        columns["where"] = rows.column(&verdict::where);
        columns["violation"] = rows.column(&verdict::violation);
        columns["violation_max"] = rows.column(&verdict::violation_max);
        return columns;
    }

    nb::dict improve(int32_in const& task, int32_in const& words, int64_in const& offsets, int32_in const& answer_words,
                     int64_in const& answer_offsets, std::int64_t steps, std::uint64_t seed,
                     std::optional<int32_in> const& instance_of) {
        instance_view const instances = instances_of(task, words, offsets);
        csr_view const answers = rows_of("answers", answer_words, answer_offsets);
        require_blocks(answers);
        improved_batch found =
            run([&](engine const& by) { return by.improve(instances, answers, steps, seed, span_of(instance_of)); });
        nb::dict columns;
        columns["start_objective"] = to_array(std::move(found.start_objective));
        columns["objective"] = to_array(std::move(found.objective));
        columns["moves"] = to_array(std::move(found.moves));
        columns["words"] = to_array(std::move(found.answers.words));
        columns["offsets"] = to_array(std::move(found.answers.offsets));
        columns["evaluations"] = found.evaluations;
        return columns;
    }

    /// Where level, split and seed are given, an instance with a key begins with its plant unless it has a start.
    nb::tuple solve(int32_in const& task, int32_in const& words, int64_in const& offsets, std::int64_t budget,
                    std::optional<int32_in> const& level, std::optional<int32_in> const& part,
                    std::optional<array_in<std::uint64_t>> const& seed, std::optional<int32_in> const& start_words,
                    std::optional<int64_in> const& start_offsets) {
        instance_view const instances = instances_of(task, words, offsets);
        bool const keyed = level && part && seed;
        if (keyed && (level->size() != task.size() || part->size() != task.size() || seed->size() != task.size())) {
            throw argument_error("specs", "columns differ in length");
        }
        csr_view given;
        if (start_words && start_offsets) {
            given = rows_of("start", *start_words, *start_offsets);
            if (given.rows != instances.blocks.rows) {
                throw argument_error("start", "expected one row per instance");
            }
        }
        std::vector<instance_spec> specs(task.size(), {-1, {}, split::train, 0});
        for (std::size_t r = 0; keyed && r < task.size(); ++r) {
            if (part->data()[r] >= 0) {
                specs[r] = {task.data()[r], {level->data()[r]}, split_of(part->data()[r]), seed->data()[r]};
            }
        }
        return to_python(run([&](engine const& by) {
            csr_words const plants = by.planted(specs);
            csr_words starts;
            for (std::int64_t r = 0; r < plants.rows(); ++r) {
                bool const own = given.rows > 0 && !given.row(r).empty();
                starts.append(own ? given.row(r) : plants.row(r));
            }
            return by.solve(instances, budget, starts.view());
        }));
    }

    nb::dict score(score_arguments const& in) {
        score_inputs const request(in, threads());
        return score_columns(run([&](engine const& by) { return by.score(request.rollouts(), request.among()); }),
                             request.origins());
    }

    std::vector<std::string> feedback(score_arguments const& in, std::string_view level) {
        feedback_level const wanted = rows::feedback_level_named(level);
        score_inputs const request(in, threads());
        return run([&](engine const& by) { return rows::feedback_of_answers(by, request.rollouts(), wanted); });
    }

    nb::object advantages(array_in<float> const& rewards, int32_in const& group, std::string_view spec,
                          std::optional<int32_in> const& cohort, std::optional<int32_in> const& length,
                          std::optional<std::vector<array_in<float>>> const& columns,
                          std::optional<array_in<double>> const& scores, std::int32_t columns_of_scores,
                          std::optional<int32_in> const& maximise) {
        advantage_spec const wanted = parse_advantage_spec(spec);
        std::vector<std::span<float const>> components;
        for (array_in<float> const& column : columns.value_or(std::vector<array_in<float>>())) {
            components.push_back(span_of(column));
        }
        std::vector<sense> direction;
        for (std::int32_t const up : span_of(maximise)) {
            direction.push_back(up != 0 ? sense::maximise : sense::minimise);
        }
        return to_array(run([&](engine const& by) {
            return by.advantages({.rewards = span_of(rewards),
                                  .group = span_of(group),
                                  .cohort = span_of(cohort),
                                  .length = span_of(length),
                                  .columns = components,
                                  .scores = span_of(scores),
                                  .columns_of_scores = columns_of_scores,
                                  .direction = direction},
                                 wanted);
        }));
    }

    nb::object group_advantages(nb::kwargs const& given) {
        compared_columns const columns(given);
        return to_array(
            run([&](engine const& by) { return optgap::group_advantages(by, columns.rows(), columns.spec()); }));
    }

    std::unique_ptr<bound_scheduler> make_scheduler(nb::kwargs const& options) {
        return std::make_unique<bound_scheduler>(engine_.get(), options);
    }

    std::unique_ptr<bound_baseline_source> make_baseline_source(std::string const& snapshot, std::int64_t bytes) {
        return std::make_unique<bound_baseline_source>(engine_.get(), snapshot, bytes);
    }

    std::unique_ptr<bound_device_store> make_device_store(std::int64_t memory, std::int64_t steps_a_launch) {
        return std::make_unique<bound_device_store>(engine_.get(), memory, steps_a_launch);
    }

    std::unique_ptr<bound_program_runner> make_program_runner(nb::kwargs const& options) {
        return std::make_unique<bound_program_runner>(engine_.get(), program_runner_options_of(options));
    }

private:
    static engine_options options(std::string_view device, std::int32_t threads, std::int64_t memory_limit,
                                  std::string_view server, std::string_view baselines) {
        engine_options wanted{.threads = threads, .server = std::string(server), .baselines = std::string(baselines)};
        try {
            parse_device(device, wanted);
        } catch (error const&) {
            throw argument_error(
                "device", "is '" + std::string(device) + "', expected auto, cpu, cuda, or cuda:N or auto:N for GPU N");
        }
        if (memory_limit < 0) {
            throw argument_error("memory_limit", "expected bytes, or None");
        }
        wanted.device_memory = memory_limit > 0 ? memory_limit : wanted.device_memory;
        return wanted;
    }
    fork_safe_engine engine_;
};

/// A verb over instances, with whatever else it takes, as a method over their columns.
template <class Result, class... More>
auto over_instances(Result (engine::*verb)(instance_view, More...) const) {
    return
        [verb](bound_engine& self, int32_in const& task, int32_in const& words, int64_in const& offsets, More... more) {
            instance_view const instances = instances_of(task, words, offsets);
            return to_python(self.run([&](engine const& by) { return (by.*verb)(instances, more...); }));
        };
}

}  // namespace

void bind_engine(nb::module_& m) {
    nb::class_<bound_engine>(m, "Engine")
        .def(nb::init<std::string_view, std::int32_t, std::int64_t, std::string_view, std::string_view>())
        .def_static("find_snapshot", &bound_engine::find_snapshot)
        .def_prop_ro("threads", &bound_engine::threads)
        .def_prop_ro("device", &bound_engine::where)
        .def_prop_ro("device_name", &bound_engine::device_name)
        .def("device_status", &bound_engine::device_status)
        .def("server_status", &bound_engine::server_status)
        .def("release", &bound_engine::release)
        .def("resume", &bound_engine::resume)
        .def("generate", &bound_engine::generate)
        .def("prompts", &bound_engine::prompts)
        .def("parse", &bound_engine::parse, nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
        .def("verify", &bound_engine::verify, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg().none())
        .def("greedy", over_instances(&engine::greedy))
        .def("noisy_greedy", over_instances(&engine::noisy_greedy))
        .def("improve", &bound_engine::improve, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg().none())
        .def("solve", &bound_engine::solve, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg() = nb::none(),
             nb::arg() = nb::none(), nb::arg() = nb::none(), nb::arg() = nb::none(), nb::arg() = nb::none())
        .def("score", [](bound_engine& self,
                         nb::kwargs const& arguments) { return self.score(read_score_arguments(arguments)); })
        .def("feedback",
             [](bound_engine& self, std::string_view level, nb::kwargs const& arguments) {
                 return self.feedback(read_score_arguments(arguments), level);
             })
        .def("group_advantages", &bound_engine::group_advantages)
        .def("advantages", &bound_engine::advantages, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg().none())
        .def("scorer", &bound_engine::make_scorer, nb::arg(), nb::arg(), nb::arg().none())
        .def("scheduler", &bound_engine::make_scheduler)
        .def("baseline_source", &bound_engine::make_baseline_source)
        .def("device_store", &bound_engine::make_device_store)
        .def("program_runner", &bound_engine::make_program_runner);
}

}  // namespace optgap::python
