// Answers that proofs begin with: those that generators know, and those that users give. All of them are verified.

#include <vector>

#include "host/engine/engine_state.hpp"
#include "host/executor/call_rows.hpp"
#include "host/process/trace.hpp"
#include "optgap/engine.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

constexpr std::int64_t plant_grain = 4;

/// One planted answer, checked against the instance that it was drawn with. A contradiction is a bug of this library.
std::vector<std::int32_t> checked_plant(engine const& by, task_kernels const& task, generation const& from,
                                        worker_memory& memory) {
    auto const refuse = [&](std::string const& why) {
        throw error(status::internal, std::string(task.name) + " at level " + level_name(from.level) + ", seed " +
                                          std::to_string(from.source.seed) + ": the planted answer " + why);
    };
    std::int64_t const room = task.planted_words(from.source, from.level);
    std::vector<std::int32_t> answer(static_cast<std::size_t>(room));
    std::int64_t const size = task.planted(from.source, from.level, answer.data(),
                                           memory.scratch.words(task.planted_scratch_words(from.source, from.level)));
    if (size < 0 || size > room) {
        refuse("takes " + std::to_string(size) + " words, its task said " + std::to_string(room));
    }
    answer.resize(std::size_t(size));
    if (size == 0) {
        return answer;
    }
    if (!is_answer_block(answer, by.tasks()[std::size_t(from.task)].words.size())) {
        refuse("is no answer block");
    }
    std::vector<std::int32_t> words(std::size_t(task.instance_words(from.source, from.level)));
    task.generate(from.source, from.level, words.data(),
                  memory.scratch.words(task.generate_scratch_words(from.source, from.level)));
    words_view const instance{words.data(), std::int64_t(words.size())};
    verdict const found =
        task.verify(instance, {answer.data(), size}, memory.scratch.words(task.scratch_words(instance)));
    if (!found.feasible()) {
        refuse("is refused by the verifier: " + std::string(by.code_name(from.task, found.code)));
    }
    return answer;
}

}  // namespace

csr_words engine::planted(std::span<instance_spec const> specs) const {
    trace::range const here(verb::generate);
    std::vector<instance_spec> wanted;
    std::vector<std::size_t> row_of;
    for (std::size_t r = 0; r < specs.size(); ++r) {
        if (specs[r].task != -1) {
            wanted.push_back(specs[r]);
            row_of.push_back(r);
        }
    }
    require_specs(wanted);
    std::vector<generation> const items = sources_of(wanted, version_on_host);
    std::vector<std::vector<std::int32_t>> answers(specs.size());
    state_->pool.run(std::int64_t(items.size()), plant_grain,
                     [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
                         for (std::int64_t i = begin; i < end; ++i) {
                             generation const& item = items[std::size_t(i)];
                             task_kernels const& task = state_->kernels(item.task);
                             if (task.planted != nullptr) {
                                 answers[row_of[std::size_t(i)]] = checked_plant(*this, task, item, memory);
                             }
                         }
                     });
    csr_words out;
    for (std::vector<std::int32_t> const& answer : answers) {
        out.append(answer);
    }
    return out;
}

void engine::state::require_starts(solve_call const& call) const {
    csr_view const starts = call.starts;
    if (starts.rows == 0) {
        return;
    }
    require_host_memory(starts, "starts");
    if (starts.rows != call.rows()) {
        misuse("starts: expected one row per instance (" + std::to_string(call.rows()) + "), or none, got " +
               std::to_string(starts.rows));
    }
    for (std::int64_t r = 0; r < starts.rows; ++r) {
        if (starts.offsets[r] > starts.offsets[r + 1]) {
            misuse("starts: row " + std::to_string(r) + " ends before it begins");
        }
        task_info const& task = tasks[std::size_t(call.instances.task[r])];
        if (!is_answer_block(starts.row(r), task.words.size())) {
            misuse("starts: row " + std::to_string(r) + " is no answer block of " + std::string(task.name));
        }
    }
}

std::vector<std::int64_t> engine::state::objectives_of_starts(solve_call const& call) {
    std::vector<std::int64_t> objectives(std::size_t(call.rows()), no_objective);
    csr_words starts;
    std::vector<std::int32_t> rows;
    for (std::int64_t r = 0; r < call.rows(); ++r) {
        if (!call.start(r).empty()) {
            starts.append(call.start(r));
            rows.push_back(std::int32_t(r));
        }
    }
    std::vector<verdict> const found = cpu->run(verify_call{call.instances, starts.view(), rows});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::int32_t const task = call.instances.task[rows[k]];
        if (!found[k].feasible()) {
            misuse("starts: row " + std::to_string(rows[k]) + " is no feasible answer of its " +
                   std::string(tasks[std::size_t(task)].name) + " instance: the verifier says " +
                   std::string(code_name(task, found[k].code)) +
                   (found[k].where >= 0 ? " at place " + std::to_string(found[k].where) : std::string()));
        }
        objectives[std::size_t(rows[k])] = found[k].objective;
    }
    return objectives;
}

}  // namespace optgap
