// Baselines: proofs on the CPU pool, anchors and local search on the engine's device.

#include <algorithm>

#include "host/engine_state.hpp"
#include "host/trace.hpp"
#include "optgap/engine.hpp"

namespace optgap {

namespace {

/// One row's proof. The solver's claim is replaced by what the verifier says; a difference is our bug.
solve_result prove(task_kernels const& task, words_view instance, std::int64_t budget, worker_memory& memory,
                   std::vector<std::int32_t>& answer) {
    std::int32_t* const block = memory.answer.words(task.answer_words(instance));
    solve_result const claim =
        task.exact(instance, budget, block, memory.scratch.words(task.exact_scratch_words(instance)));
    answer.assign(block, block + claim.answer_words);
    if (claim.answer_words > 0) {
        verdict const found =
            task.verify(instance, {block, claim.answer_words}, memory.scratch.words(task.scratch_words(instance)));
        if (!found.feasible() || found.objective != claim.objective) {
            throw error(status::internal, std::string(task.name) + ": the solver claims objective " +
                                              std::to_string(claim.objective) + ", the verifier says code " +
                                              std::to_string(found.code) + ", objective " +
                                              std::to_string(found.objective));
        }
    }
    return claim;
}

}  // namespace

solved_batch engine::solve(instance_view instances, std::int64_t budget) const {
    trace::range const here(trace::name::solve);
    state_->require(instances);
    std::int64_t const rows = instances.blocks.rows;
    solved_batch solved;
    solved.rows.resize(std::size_t(rows));
    std::vector<std::vector<std::int32_t>> answers(static_cast<std::size_t>(rows));
    state_->pool.run(rows, 1, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            task_kernels const& task = state_->kernels(instances.task[r]);
            std::span<std::int32_t const> const words = instances.blocks.row(r);
            solve_result const found =
                prove(task, {words.data(), std::int64_t(words.size())}, budget < 0 ? task.default_budget : budget,
                      memory, answers[std::size_t(r)]);
            baseline& row = solved.rows[std::size_t(r)];
            row.objective = found.objective;
            row.bound = found.bound;
            row.steps = found.steps;
            row.status = found.status;
            row.bound_kind = found.bound_kind;
        }
    });
    for (std::vector<std::int32_t> const& answer : answers) {
        solved.answers.append(answer);
    }
    std::vector<std::int64_t> const floor = state_->objectives(instances, state_->run().construct(instances, false));
    std::vector<std::int64_t> const greedy = state_->objectives(instances, state_->run().construct(instances, true));
    for (std::size_t r = 0; r < solved.rows.size(); ++r) {
        solved.rows[r].floor = floor[r];
        solved.rows[r].greedy = greedy[r];
    }
    return solved;
}

csr_words engine::noisy_greedy(instance_view instances, std::int32_t group, std::uint64_t seed) const {
    trace::range const here(trace::name::construct);
    state_->require(instances);
    if (group < 0) {
        throw error(status::invalid_argument, "group: expected 0 or more, got " + std::to_string(group));
    }
    std::int64_t const rows = instances.blocks.rows;
    std::vector<std::vector<std::int32_t>> answers(std::size_t(rows * group));
    state_->pool.run(rows * group, 16, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            task_kernels const& task = state_->kernels(instances.task[r / group]);
            std::span<std::int32_t const> const words = instances.blocks.row(r / group);
            words_view const instance{words.data(), std::int64_t(words.size())};
            std::int32_t* const block = memory.answer.words(task.answer_words(instance));
            std::int64_t const size = task.noisy_greedy(instance, {seed, std::uint32_t(r)}, block,
                                                        memory.scratch.words(task.scratch_words(instance)));
            answers[std::size_t(r)].assign(block, block + size);
        }
    });
    csr_words out;
    for (std::vector<std::int32_t> const& answer : answers) {
        out.append(answer);
    }
    return out;
}

improved_batch engine::improve(instance_view instances, csr_view answers, std::int64_t steps, std::uint64_t seed,
                               std::span<std::int32_t const> instance_of) const {
    trace::range const here(trace::name::improve);
    state_->require(instances);
    if (steps < 0) {
        throw error(status::invalid_argument, "steps: expected 0 or more, got " + std::to_string(steps));
    }
    std::vector<std::int32_t> storage;
    std::span<std::int32_t const> const of = instances_of_answers(instances, answers, instance_of, storage);
    std::vector<improve_result> results(static_cast<std::size_t>(answers.rows));
    improved_batch out;
    out.answers = state_->run().improve(instances, answers, of.data(), steps, {seed, 0x696d7072}, results);
    for (improve_result const& result : results) {
        out.start_objective.push_back(result.start_objective);
        out.objective.push_back(result.objective);
        out.moves.push_back(result.moves);
        out.evaluations += result.evaluations;
    }
    return out;
}

}  // namespace optgap
