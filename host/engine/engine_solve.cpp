// Baselines: proofs and their anchors on the CPU pool, local search on the engine's device.

#include <algorithm>
#include <numeric>

#include "host/engine/engine_state.hpp"
#include "host/process/trace.hpp"
#include "optgap/engine.hpp"

namespace optgap {

namespace {

/// The start of a proof; an empty block for none.
struct verified_start {
    std::span<std::int32_t const> block;
    std::int64_t objective = no_objective;
};

/// One worker's state to prove a row.
struct prover {
    task_kernels const& task;
    words_view instance;
    worker_memory& memory;

    [[nodiscard]] verdict verify(std::int32_t const* block, std::int64_t size) const {
        return task.verify(instance, {block, size}, memory.scratch.words(task.scratch_words(instance)));
    }
    [[nodiscard]] std::int32_t* block() const { return memory.answer.words(task.answer_words(instance)); }

    /// The objective of a policy's answer, no_objective where it has no feasible one.
    template <class Policy>
    [[nodiscard]] std::int64_t anchor_objective(Policy const& policy) const {
        std::int32_t* const answer = block();
        std::int64_t const size = policy(instance, answer, memory.scratch.words(task.scratch_words(instance)));
        if (size == 0) {
            return no_objective;
        }
        verdict const found = verify(answer, size);
        return found.feasible() ? found.objective : no_objective;
    }

    [[nodiscard]] bool better(std::int64_t a, std::int64_t b) const {
        return task.objective_sense == sense::maximise ? a > b : a < b;
    }

    /// A sentence on what contradicts a solver's claim: the verifier of its answer, the anchors, its start, or the
    /// claim itself; nullptr when nothing does.
    [[nodiscard]] char const* contradiction(solve_result const& claim, verdict const& found, baseline const& anchors,
                                            std::int64_t start) const {
        bool const answered = claim.answer_words > 0;
        bool const optimal = claim.status == baseline_status::optimal;
        if (answered != (optimal || claim.status == baseline_status::bounded)) {
            return "the status says otherwise than the answer";
        }
        if (answered ? !found.feasible() || found.objective != claim.objective : claim.objective != no_objective) {
            return "the objective is not the answer's";
        }
        if (answered && (claim.bound == no_objective || better(claim.objective, claim.bound))) {
            return "the answer is better than the bound";
        }
        if (answered && optimal != (claim.objective == claim.bound)) {
            return "the status says otherwise than the bound";
        }
        std::int32_t kinds = 0;
        while (task.bound_kinds[kinds] != nullptr) {
            ++kinds;
        }
        if (claim.bound_kind < 0 || claim.bound_kind >= kinds) {
            return "the bound is of no kind that the task names";
        }
        if (start != no_objective && (!answered || better(start, claim.objective))) {
            return "the start is lost";
        }
        for (std::int64_t const anchor : {anchors.floor, anchors.greedy}) {
            bool const excluded = claim.status == baseline_status::infeasible ||
                                  (claim.bound != no_objective && better(anchor, claim.bound));
            if (anchor != no_objective && excluded) {
                return "an anchor is better than the bound";
            }
        }
        return nullptr;
    }

    /// The search's claim, with its answer in the returned block. A start with more words than the search's own answers
    /// may have is not given to the search; it is returned where it is better than the search's result.
    [[nodiscard]] std::int32_t* search(std::int64_t budget, verified_start const& start, solve_result& claim) const {
        std::int64_t const words = std::int64_t(start.block.size());
        std::int32_t* const answer = memory.answer.words(std::max(task.answer_words(instance), words));
        bool const fits = words <= task.answer_words(instance);
        claim = {};
        if (words > 0 && fits) {
            std::copy(start.block.begin(), start.block.end(), answer);
            claim.answer_words = words;
            claim.objective = start.objective;
        }
        claim = task.exact(instance, claim, {0, budget < 0 ? task.default_budget : budget}, answer,
                           memory.scratch.words(task.exact_scratch_words(instance)));
        bool const ahead = claim.answer_words == 0 || better(start.objective, claim.objective);
        if (!fits && ahead && claim.bound != no_objective) {
            std::copy(start.block.begin(), start.block.end(), answer);
            claim.answer_words = words;
            claim.objective = start.objective;
            claim.status = start.objective == claim.bound ? baseline_status::optimal : baseline_status::bounded;
        }
        return answer;
    }

    /// Appends the proof's answer to `answers`. The solver is not trusted; a contradiction is a bug of this library.
    [[nodiscard]] baseline prove(std::int64_t budget, verified_start const& start,
                                 std::vector<std::int32_t>& answers) const {
        baseline row;
        row.floor = anchor_objective(task.floor);
        row.greedy = anchor_objective(task.greedy);
        solve_result claim;
        std::int32_t const* const answer = search(budget, start, claim);
        verdict const found = claim.answer_words > 0 ? verify(answer, claim.answer_words) : verdict();
        if (char const* const wrong = contradiction(claim, found, row, start.objective)) {
            throw error(status::internal, std::string(task.name) + ": the solver claims status " +
                                              std::to_string(std::int32_t(claim.status)) + ", objective " +
                                              std::to_string(claim.objective) + ", bound " +
                                              std::to_string(claim.bound) + ", the verifier says code " +
                                              std::to_string(found.code) + ", objective " +
                                              std::to_string(found.objective) + ": " + wrong);
        }
        answers.insert(answers.end(), answer, answer + claim.answer_words);
        row.objective = claim.objective;
        row.bound = claim.bound;
        row.steps = claim.steps;
        row.status = claim.status;
        row.bound_kind = claim.bound_kind;
        return row;
    }
};

/// Rows a worker takes at a time: a proof takes a microsecond in one task and milliseconds in another.
std::int64_t solve_grain(std::int64_t rows, std::int32_t threads) {
    return std::clamp<std::int64_t>(rows / (std::int64_t(threads) * 64), 1, 64);
}

}  // namespace

solved_batch engine::state::make(solve_call const& call) {
    instance_view const instances = call.instances;
    std::int64_t const rows = call.rows();
    solved_batch solved;
    solved.rows.resize(std::size_t(rows));
    solved.answers.offsets.resize(std::size_t(rows) + 1);
    std::vector<std::int64_t> const worth = objectives_of_starts(call);
    std::int64_t const grain = solve_grain(rows, pool.threads());
    std::vector<std::vector<std::int32_t>> chunks(std::size_t((rows + grain - 1) / grain));
    pool.run(rows, grain, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
        std::vector<std::int32_t>& answers = chunks[std::size_t(begin / grain)];
        for (std::int64_t r = begin; r < end; ++r) {
            std::span<std::int32_t const> const words = instances.blocks.row(r);
            prover const by{kernels(instances.task[r]), {words.data(), std::int64_t(words.size())}, memory};
            std::size_t const before = answers.size();
            solved.rows[std::size_t(r)] = by.prove(call.budget, {call.start(r), worth[std::size_t(r)]}, answers);
            solved.answers.offsets[std::size_t(r) + 1] = std::int64_t(answers.size() - before);
        }
    });
    std::inclusive_scan(solved.answers.offsets.begin(), solved.answers.offsets.end(), solved.answers.offsets.begin());
    solved.answers.words.reserve(std::size_t(solved.answers.offsets.back()));
    for (std::vector<std::int32_t> const& answers : chunks) {
        solved.answers.words.insert(solved.answers.words.end(), answers.begin(), answers.end());
    }
    return solved;
}

csr_words engine::noisy_greedy(instance_view instances, std::int32_t group, std::uint64_t seed) const {
    trace::range const here(verb::greedy);
    state_->require_readable(instances);
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

improved_batch engine::state::make(improve_call const& call) {
    improved_batch found = guard.run(call);
    // A task without a search leaves every start as it is: the verifier finds their objectives.
    csr_words answers;
    std::vector<std::int32_t> instance_of;
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < found.objective.size(); ++r) {
        std::int32_t const i = call.instance_of.empty() ? std::int32_t(r) : call.instance_of[r];
        if (!tasks[std::size_t(call.instances.task[i])].improves) {
            answers.append(found.answers.row(std::int64_t(r)));
            instance_of.push_back(i);
            rows.push_back(r);
        }
    }
    if (rows.empty()) {
        return found;
    }
    std::vector<verdict> const worth = guard.run(verify_call{call.instances, answers.view(), instance_of});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (worth[k].feasible()) {
            found.start_objective[rows[k]] = found.objective[rows[k]] = worth[k].objective;
        }
    }
    return found;
}

}  // namespace optgap
