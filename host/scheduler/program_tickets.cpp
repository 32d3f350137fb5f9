// Tickets of programs on their way in, and the baselines of their hidden instances.

#include <unordered_map>
#include <utility>

#include "host/process/trace.hpp"
#include "host/program_runs/program_prompt.hpp"
#include "host/scheduler/state.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

void require_problem(program_problem const* of, engine const& by) {
    if (of == nullptr || of->task < 0 || std::size_t(of->task) >= by.tasks().size() || of->count() < 1 ||
        std::int64_t(of->specs.size()) != of->count() ||
        (!of->given.empty() && std::int64_t(of->given.size()) != of->count())) {
        misuse("problem: is null, of no task, or its columns differ in length");
    }
}

}  // namespace

std::shared_ptr<program_job> scheduler::state::make_job(std::shared_ptr<program_problem const> const& of) {
    auto job = std::make_shared<program_job>(of);
    for (std::int64_t k = 0; k < of->count(); ++k) {
        if (!of->given.empty() && of->given[std::size_t(k)]) {
            job->entries.push_back(nullptr);
            continue;
        }
        auto const words = of->instances.blocks.row(k);
        bool const generated = of->specs[std::size_t(k)].task >= 0;
        instance_spec const spec = generated ? of->specs[std::size_t(k)] : instance_spec{of->task, {}, split::train, 0};
        problem_id const id = generated ? id_of(problem{.spec = spec}) : id_of(problem{.spec = spec, .words = words});
        problem_entry& entry = problems.pin(id, spec, true);
        entry.baseline_wanted = true;
        if (entry.words_phase == phase::absent) {
            problems.set_words(entry, words);
        }
        job->entries.push_back(&entry);
    }
    return job;
}

void scheduler::state::want_baselines(program_job& job, bool urgently) {
    for (problem_entry* const entry : job.entries) {
        if (entry != nullptr && entry->failure.empty()) {
            want(*entry, true, urgently);
        }
    }
}

void scheduler::state::unpin(program_job& job) {
    for (problem_entry* const entry : std::exchange(job.entries, {})) {
        if (entry != nullptr) {
            problems.unpin(*entry);
        }
    }
}

ticket scheduler::state::open(std::shared_ptr<program_job> job) {
    ticket const one = tickets.open();
    ticket_record& record = tickets.record(one);
    record.at = step::issued;
    record.of = id_of(*job->of);
    record.job = std::move(job);
    ++unended;
    return one;
}

void scheduler::state::enter_program(ticket one, ticket_record& record, afterwards& after) {
    program_job& job = *record.job;
    record.at = step::queued;
    ++programs.waiting;
    programs.waiting_runs += job.runs(record.what->rows());
    if (std::string const why = job.failure(); !why.empty()) {
        end_blank(one, record, outcome::failed, why, after);
        return;
    }
    for (problem_entry* const entry : job.entries) {
        bool const missing = entry != nullptr && entry->baseline_phase != phase::ready;
        if (missing && (entry->waiting.empty() || entry->waiting.back() != one)) {
            entry->waiting.push_back(one);
        }
    }
    want_baselines(job, true);
    programs.to_execute.push_back(one);
    call_drivers();
}

void scheduler::state::settle_program(ticket one, ticket_record& record, afterwards& after) {
    if (std::string const why = record.job->failure(); !why.empty()) {
        end_blank(one, record, outcome::failed, why, after);
    } else if (record.at == step::executed && record.job->is_proven()) {
        record.at = step::executing;
        programs.to_reward.push_back(one);
        call_drivers();
    }
}

issued_batch scheduler::issue(std::span<std::shared_ptr<program_problem const> const> problems, std::int32_t style) {
    trace::range const here(trace::name::issue);
    state& own = *state_;
    own.require_own_process();
    issued_batch out;
    std::unordered_map<program_problem const*, program_runs::program_prompt>
        made;  // a problem stands there several times
    for (std::shared_ptr<program_problem const> const& of : problems) {
        require_problem(of.get(), own.by);
        auto const [place, is_new] = made.try_emplace(of.get());
        if (is_new) {
            place->second = program_runs::prompt_of(own.by, *of, style);
        }
        out.prompts.push_back(place->second.text);
        out.keys.push_back(place->second.key);
    }
    std::lock_guard const locked(own.lock);
    if (own.closed) {
        misuse("issue: the scheduler is shut down");
    }
    if (own.tickets.open_count() + std::int64_t(problems.size()) > own.options.open_tickets) {
        ++own.count.refused;
        throw error(status::out_of_memory, "issue: " + std::to_string(problems.size()) + " more tickets than the " +
                                               std::to_string(own.options.open_tickets) +
                                               " that may be open; collect or forget some");
    }
    if (own.programs.drivers == 0 && !problems.empty()) {
        own.call_drivers();
    }
    for (std::shared_ptr<program_problem const> const& of : problems) {
        std::shared_ptr<program_job> job = own.make_job(of);
        own.want_baselines(*job, false);
        out.tickets.push_back(own.open(std::move(job)));
        ++own.count.issued;
    }
    return out;
}

ticket scheduler::submit(std::shared_ptr<program_problem const> const& of, submission const& what) {
    trace::range const here(trace::name::submit);
    state& own = *state_;
    own.require_own_process();
    require_problem(of.get(), own.by);
    if (!what.format_of.empty()) {
        misuse("format_of: completions that hold programs have the format of their problem");
    }
    std::unique_ptr<payload> taken = own.take(what);
    afterwards after;
    std::unique_lock locked(own.lock);
    if (own.closed) {
        misuse("submit: the scheduler is shut down");
    }
    if (own.tickets.open_count() >= own.options.open_tickets) {
        ++own.count.refused;
        return ticket::none;
    }
    if (own.programs.drivers == 0) {
        own.call_drivers();
    }
    ticket const one = own.open(own.make_job(of));
    if (!own.hand_over(one, taken, what, locked, after)) {
        ticket_record& record = own.tickets.record(one);
        record.forgotten = true;
        own.end_blank(one, record, outcome::refused, {}, after);
        locked.unlock();
        own.run(after);
        return ticket::none;
    }
    locked.unlock();
    own.run(after);
    return one;
}

std::optional<collected_programs> scheduler::collect_programs(std::span<ticket const> tickets,
                                                              std::chrono::nanoseconds timeout,
                                                              collect_options const& options) {
    trace::range const here(trace::name::collect);
    state_->require_own_process();
    if (!options.group.empty() && options.group.size() != tickets.size()) {
        misuse("group: expected one entry per ticket (" + std::to_string(tickets.size()) + "), got " +
               std::to_string(options.group.size()));
    }
    state_->require_kind(tickets, program_part);
    collector me;
    if (!state_->await(tickets, timeout, me)) {
        return std::nullopt;
    }
    collected_programs out;
    try {
        out = join_programs(state_->by, state_->results_of(tickets), options);
    } catch (...) {
        state_->hand_out(tickets, false);
        throw;
    }
    state_->hand_out(tickets, true);
    return out;
}

}  // namespace optgap
