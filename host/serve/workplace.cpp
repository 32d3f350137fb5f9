#include "host/serve/workplace.hpp"

#include <algorithm>
#include <tuple>

#include "host/executor/call_rows.hpp"
#include "host/remote/codec.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap::serve {

namespace {

[[noreturn]] void refuse(refusal kind, std::string const& why) { throw refused_request(kind, why); }

task_kernels const& kernels(std::int32_t task) { return *registry()[std::size_t(task)].builds[best_instruction_set()]; }

words_view view_of(std::span<std::int32_t const> words) { return {words.data(), std::int64_t(words.size())}; }

}  // namespace

workplace::workplace(engine const& by, engine const& prover, std::int64_t cache_bytes, workplace_limits limits)
    : by_(by),
      limits_(limits),
      baselines_(std::make_shared<baseline_source>(
          prover,
          baseline_source_options{
              .layers = {{.find =
                              [this](std::int32_t task, instance_spec const&, std::span<std::int32_t const> words) {
                                  check_scratch(task, words, true);  // of those that rows name
                                  return std::optional<baseline>();
                              }}},
              .bytes = cache_bytes,
              .rows_per_turn = rows_per_turn,
              .whole = true})) {}

void workplace::check_rows(std::int64_t rows) const {
    if (rows > limits_.rows) {
        refuse(refusal::limit,
               std::to_string(rows) + " rows, expected at most " + std::to_string(limits_.rows) + " in one request");
    }
}

void workplace::check_steps(std::int64_t steps, std::int64_t rows) const {
    if (rows > 0 && steps > limits_.steps / rows) {
        refuse(refusal::limit, std::to_string(steps) + " steps for " + std::to_string(rows) +
                                   " rows, expected at most " + std::to_string(limits_.steps) + " in all");
    }
}

void workplace::check_bytes(std::int64_t words, char const* of) const {
    if (words < 0 || words > limits_.bytes / std::int64_t(sizeof(std::int32_t))) {
        refuse(refusal::limit, std::string(of) + " would take " + std::to_string(words) + " words, expected at most " +
                                   std::to_string(limits_.bytes / std::int64_t(sizeof(std::int32_t))));
    }
}

void workplace::check_specs(std::span<instance_spec const> specs) const {
    check_rows(std::int64_t(specs.size()));
    std::int64_t all = 0;
    for (instance_spec const& spec : specs) {
        if (spec.task < 0 || std::size_t(spec.task) >= by_.tasks().size() || spec.level.code < -4 ||
            spec.level.code > max_scale_step || spec.part < split::train || spec.part > split::test) {
            refuse(refusal::request, "specs: no such task, level or split");
        }
        task_info const& info = by_.tasks()[std::size_t(spec.task)];
        draw const source{spec.seed, random_domain(info.name, info.version, spec.part, spec.level)};
        task_kernels const& task = kernels(spec.task);
        check_bytes(task.generate_scratch_words(source, spec.level), "generating one instance");
        check_bytes(all += task.instance_words(source, spec.level), "the instances");
    }
}

void workplace::check_scratch(std::int32_t task, std::span<std::int32_t const> words, bool proof) const {
    check_bytes(kernels(task).scratch_words(view_of(words)), "one row's scratch");
    if (proof) {
        check_bytes(kernels(task).exact_scratch_words(view_of(words)), "one proof's scratch");
    }
}

void workplace::check_instances(instance_view instances, bool proof) const {
    check_rows(instances.blocks.rows);
    std::int64_t answers = 0;
    for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
        std::int32_t const t = instances.task[r];
        if (t < 0 || std::size_t(t) >= by_.tasks().size()) {
            refuse(refusal::request, "instances: no task " + std::to_string(t));
        }
        words_view const instance = view_of(instances.blocks.row(r));
        task_kernels const& task = kernels(t);
        if (char const* const rule = task.check(instance)) {
            refuse(refusal::request, "instances: row " + std::to_string(r) + ": " + rule);
        }
        check_scratch(t, instances.blocks.row(r), proof);
        check_bytes(answers += task.answer_words(instance), "the answers");
    }
}

void workplace::check_answers(instance_view instances, csr_view answers,
                              std::span<std::int32_t const> instance_of) const {
    check_rows(answers.rows);
    if (!instance_of.empty() && std::int64_t(instance_of.size()) != answers.rows) {
        refuse(refusal::request, "instance_of: not one entry per answer");
    }
    for (std::int64_t r = 0; r < answers.rows; ++r) {
        std::int64_t const i = instance_of.empty() ? r : instance_of[std::size_t(r)];
        if (i < 0 || i >= instances.blocks.rows) {
            refuse(refusal::request, "instance_of: " + std::to_string(i) + " is no instance");
        }
        std::int32_t const task = instances.task[i];
        if (!is_answer_block(answers.row(r), by_.tasks()[std::size_t(task)].words.size())) {
            refuse(refusal::request, "answers: row " + std::to_string(r) + " is no answer block");
        }
    }
}

void workplace::check_starts(solve_call const& call) const {
    if (call.starts.rows == 0) {
        return;
    }
    if (call.starts.rows != call.rows()) {
        refuse(refusal::request, "starts: not one row an instance");
    }
    check_answers(call.instances, call.starts, {});
    std::vector<verdict> const found = by_.verify(call.instances, call.starts);
    for (std::int64_t r = 0; r < call.rows(); ++r) {
        if (!call.start(r).empty() && !found[std::size_t(r)].feasible()) {
            refuse(refusal::request, "starts: row " + std::to_string(r) + " is not feasible");
        }
    }
}

void workplace::check_results(instance_view instances, std::span<std::int32_t const> instance_of) const {
    std::int64_t words = 0;
    for (std::int32_t const i : instance_of) {
        words += kernels(instances.task[i]).answer_words(view_of(instances.blocks.row(i)));
        check_bytes(words, "the answers");
    }
}

template <class Call>
void workplace::check(Call const& call) const {
    constexpr bool specs = requires { call.specs; };
    constexpr bool instances = requires { call.instances; };
    constexpr bool answers = requires { call.answers; };
    constexpr bool steps = requires { call.steps; };
    constexpr bool budget = requires { call.budget; };
    constexpr bool starts = requires { call.starts; };
    constexpr bool seed = requires { call.seed; };  // any is as good
    // A call with an input that no line below looks at is not served by mistake.
    static_assert(std::tuple_size_v<decltype(Call::fields(call))> ==
                  std::size_t(specs + instances + 2 * answers + steps + budget + starts + seed));
    if constexpr (specs) {
        check_specs(call.specs);
    }
    if constexpr (instances) {
        check_instances(call.instances, budget);
    }
    if constexpr (answers) {
        check_answers(call.instances, call.answers, call.instance_of);
    }
    if constexpr (steps) {
        check_results(call.instances, call.instance_of);
        check_steps(call.steps, call.rows());
    }
    if constexpr (budget) {
        check_steps(call.budget, 1);
    }
    if constexpr (starts) {
        check_starts(call);
    }
}

void workplace::check(grade_call const& call) const {
    check_instances(call.request.instances, false);
    check_rows(call.rows());
}

solved_batch workplace::make(solve_call const& call) {
    solved_batch out;
    for (sourced_baseline const& one : baselines_->prove(
             {.instances = call.instances, .specs = {}, .given = {}, .starts = call.starts, .budget = call.budget},
             &out.answers)) {
        out.rows.push_back(one.value);
    }
    return out;
}

template <class Call>
std::int64_t workplace::serve_call(std::span<std::byte const> bytes, room const& out) {
    reader in(bytes);
    keeper memory;
    Call const call = take_call<Call>(in, memory);
    check(call);
    typename Call::result const found = make(call);
    measure size;
    put_result(size, found);
    writer to(out(size.size()));
    put_result(to, found);
    return call.rows();
}

std::int64_t workplace::serve(verb what, std::span<std::byte const> bytes, room const& out) {
    std::int64_t rows = -1;
    for_each_call(served_calls{}, [&]<class Call>() {
        if (Call::which == what) {
            rows = serve_call<Call>(bytes, out);
        }
    });
    if (rows < 0) {
        refuse(refusal::message, "no such verb");
    }
    return rows;
}

}  // namespace optgap::serve
