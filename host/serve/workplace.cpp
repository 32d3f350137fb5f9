#include "host/serve/workplace.hpp"

#include <algorithm>

#include "host/remote/calls.hpp"
#include "kernels/registry/registry.hpp"

namespace optgap::serve {

namespace {

[[noreturn]] void refuse(refusal kind, std::string const& why) { throw refused_request(kind, why); }

task_kernels const& kernels(std::int32_t task) { return *registry()[std::size_t(task)].builds[best_instruction_set()]; }

words_view view_of(std::span<std::int32_t const> words) { return {words.data(), std::int64_t(words.size())}; }

/// Whether task code may take the block apart (kernels/core/words.hpp).
bool is_answer(std::span<std::int32_t const> block, std::size_t task_words) {
    if (block.empty() || block[0] == answer_flat) {
        return true;
    }
    if (block[0] == answer_word) {
        return block.size() == 2 && block[1] >= 0 && std::size_t(block[1]) < task_words;
    }
    if (block[0] < 0 || std::size_t(block[0]) > block.size() - 1) {
        return false;
    }
    std::span const lengths = block.subspan(1, std::size_t(block[0]));
    std::size_t left = block.size() - 1 - lengths.size();
    for (std::int32_t const length : lengths) {
        if (length < 0 || std::size_t(length) > left) {
            return false;
        }
        left -= std::size_t(length);
    }
    return left == 0;
}

/// Encodes into room of the right size.
template <class Encode>
void give(workplace::room const& out, Encode const& encode) {
    measure size;
    encode(size);
    writer to(out(size.size()));
    encode(to);
}

}  // namespace

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
            spec.level.code > max_ladder || spec.part < split::train || spec.part > split::test) {
            refuse(refusal::request, "specs: no such task, level or split");
        }
        task_info const& info = by_.tasks()[std::size_t(spec.task)];
        draw const source{spec.seed, random_domain(info.name, info.version, spec.part, spec.level)};
        task_kernels const& task = kernels(spec.task);
        check_bytes(task.generate_scratch_words(source, spec.level), "generating one instance");
        check_bytes(all += task.instance_words(source, spec.level), "the instances");
    }
}

void workplace::check_instances(instance_batch const& instances, bool proof) const {
    check_rows(instances.size());
    std::int64_t answers = 0;
    for (std::int64_t r = 0; r < instances.size(); ++r) {
        std::int32_t const t = instances.task[std::size_t(r)];
        if (t < 0 || std::size_t(t) >= by_.tasks().size()) {
            refuse(refusal::request, "instances: no task " + std::to_string(t));
        }
        words_view const instance = view_of(instances.blocks.row(r));
        task_kernels const& task = kernels(t);
        if (char const* const rule = task.check(instance)) {
            refuse(refusal::request, "instances: row " + std::to_string(r) + ": " + rule);
        }
        check_bytes(task.scratch_words(instance), "one row's scratch");
        if (proof) {
            check_bytes(task.exact_scratch_words(instance), "one proof's scratch");
        }
        check_bytes(answers += task.answer_words(instance), "the answers");
    }
}

void workplace::check_answers(instance_batch const& instances, csr_words const& answers,
                              std::span<std::int32_t const> instance_of) const {
    check_rows(answers.rows());
    if (!instance_of.empty() && std::int64_t(instance_of.size()) != answers.rows()) {
        refuse(refusal::request, "instance_of: not one entry per answer");
    }
    for (std::int64_t r = 0; r < answers.rows(); ++r) {
        std::int64_t const i = instance_of.empty() ? r : instance_of[std::size_t(r)];
        if (i < 0 || i >= instances.size()) {
            refuse(refusal::request, "instance_of: " + std::to_string(i) + " is no instance");
        }
        std::int32_t const task = instances.task[std::size_t(i)];
        if (!is_answer(answers.row(r), by_.tasks()[std::size_t(task)].words.size())) {
            refuse(refusal::request, "answers: row " + std::to_string(r) + " is no answer block");
        }
    }
}

void workplace::check_results(instance_batch const& instances, std::span<std::int32_t const> instance_of) const {
    std::int64_t words = 0;
    for (std::int32_t const i : instance_of) {
        words += kernels(instances.task[std::size_t(i)]).answer_words(view_of(instances.blocks.row(i)));
        check_bytes(words, "the answers");
    }
}

std::int64_t workplace::serve(verb what, std::span<std::byte const> bytes, room const& out) {
    reader in(bytes);
    switch (what) {
        case verb::generate: {
            std::vector<instance_spec> const specs = in.array<instance_spec>();
            in.end();
            check_specs(specs);
            instance_batch const found = by_.generate(specs);
            give(out, [&](auto& to) { put_instances(to, found.view()); });
            return found.size();
        }
        case verb::verify:
        case verb::improve: {
            answers_call call = take_answers(in);
            auto const steps = what == verb::improve ? in.one<std::int64_t>() : 0;
            auto const seed = what == verb::improve ? in.one<std::uint64_t>() : 0;
            in.end();
            check_instances(call.instances, false);
            check_answers(call.instances, call.answers, call.instance_of);
            instance_view const instances = call.instances.view();
            if (what == verb::verify) {
                std::vector<verdict> const found = by_.verify(instances, call.answers.view(), call.instance_of);
                give(out, [&](auto& to) { to.array(std::span(found)); });
            } else {
                check_results(call.instances, call.instance_of);
                check_steps(steps, call.answers.rows());
                improved_batch const found = by_.improve(instances, call.answers.view(), steps, seed, call.instance_of);
                give(out, [&](auto& to) { put_improved(to, found); });
            }
            return call.answers.rows();
        }
        case verb::greedy: {
            instance_batch const instances = take_instances(in);
            in.end();
            check_instances(instances, false);
            csr_words const found = by_.greedy(instances.view());
            give(out, [&](auto& to) { put_rows(to, found.view()); });
            return instances.size();
        }
        case verb::solve: {
            instance_batch const instances = take_instances(in);
            auto const budget = in.one<std::int64_t>();
            in.end();
            check_instances(instances, true);
            check_steps(budget, 1);
            solved_batch const found = cache_.solve(prover_, instances.view(), budget);
            give(out, [&](auto& to) { put_solved(to, found); });
            return instances.size();
        }
        case verb::grade: {
            grade_call const call = take_grade(in);
            in.end();
            check_instances(call.instances, false);
            check_rows(std::int64_t(call.texts.size()));
            grade_batch const found = by_.grade(call.request());
            give(out, [&](auto& to) { put_grades(to, found); });
            return std::int64_t(call.texts.size());
        }
        case verb::status:
        case verb::stop: break;
    }
    refuse(refusal::message, "no such verb");
}

}  // namespace optgap::serve
