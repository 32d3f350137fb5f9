#pragma once
// What the scheduler's threads share. scheduler.cpp, submit.cpp and collect.cpp are the callers' side, batches.cpp
// scores, baselines.cpp generates and proves, proposals.cpp checks what models pose, questions.cpp waits for groups of
// answers, row_tickets.cpp hands rows of JSON to their lines (row_lines.hpp), endings.cpp ends tickets.
// Everything is guarded by `lock`, and functions expect it held where no comment says otherwise; no verb of the engine
// and no caller's code runs under it.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "host/report/latency.hpp"
#include "host/reward/posed_instances.hpp"
#include "host/scheduler/problem_store.hpp"
#include "host/scheduler/proof_queue.hpp"
#include "host/scheduler/queues/program_tickets.hpp"
#include "host/scheduler/queues/proposal_lines.hpp"
#include "host/scheduler/queues/queue_room.hpp"
#include "host/scheduler/queues/ready_tickets.hpp"
#include "host/scheduler/row_lines.hpp"
#include "host/scheduler/ticket_table.hpp"
#include "optgap/fork.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

/// What is done about ended tickets once the lock is free: callbacks, wake-ups of event loops, and letting go of the
/// callers' memory.
class afterwards {
public:
    struct call {
        ticket of;
        ticket_result result;
        std::function<void(ticket, ticket_result&&)> on_done;
    };
    std::vector<call> calls;
    std::vector<std::pair<std::shared_ptr<completion_queue>, std::vector<ticket>>> notified;
    std::vector<std::unique_ptr<payload>> released;
    std::vector<std::shared_ptr<program_job>> stopped;   ///< what of them runs is killed
    std::vector<std::shared_ptr<proposal_job>> checked;  ///< their checkers are the caller's
    std::vector<std::shared_ptr<row_job>> rows;          ///< what runs for them is killed

    void tell(std::shared_ptr<completion_queue> queue, ticket of);
    [[nodiscard]] bool empty() const {
        return calls.empty() && notified.empty() && released.empty() && stopped.empty() && checked.empty() &&
               rows.empty();
    }
};

struct counters {
    std::int64_t issued = 0, submitted_tickets = 0, submitted_rows = 0, refused = 0;
    std::int64_t ended_tickets[5] = {}, ended_rows[5] = {};  ///< by outcome
    std::int64_t batches = 0, batch_rows = 0, largest_batch = 0, by_callers = 0;
    std::int64_t solved = 0, generated = 0, callback_failures = 0;
    std::int64_t checked = 0, sound = 0;  ///< proposals
};

struct stages {
    latency generate, solve, baseline, queue, score, parse, verify, reward, total;
    latency program_queue, execute;
    latency proposal_queue, check;
};

struct scheduler::state {
    state(engine const& engine_, scheduler_options options_);

    void require_own_process() const;
    void start();
    void stop(ending how);

    // submit.cpp
    void require(instance_spec const& spec) const;
    [[nodiscard]] std::unique_ptr<payload> take(submission const& what, bool is_scored = true) const;
    /// Takes over one pin of the entry.
    ticket open(problem_entry& entry);
    /// Takes over the pins of the job's entries.
    ticket open(std::shared_ptr<program_job> job);
    /// Submits completions that ask about no one instance, without the lock. `fill` says in the ticket's record what
    /// they are. Returns ticket::none where the queue refuses.
    ticket submit_unasked(char const* verb, std::int32_t part, submission const& what,
                          std::function<void(ticket_record&)> const& fill);
    /// False when it is refused; `what` is then untouched.
    bool hand_over(ticket one, std::unique_ptr<payload>& what, submission const& from,
                   std::unique_lock<std::mutex>& locked, afterwards& after);
    /// A ticket that has room goes to wait for its baseline, or for a batch.
    void enter(ticket one, ticket_record& record, afterwards& after, bool held = false);
    void release_room(std::int64_t rows, std::int64_t bytes, afterwards& after);

    /// A user's own instance, checked by the first that brings it; the lock is free meanwhile.
    void bring(problem_entry& entry, problem const& of, std::unique_lock<std::mutex>& locked);

    // questions.cpp
    /// Ends the answers that are still missing, of a question that ended without its group.
    void drop_answers(answer_group& group, outcome how, std::string const& reason, afterwards& after);
    /// An answer has ended, and with the last one its question does.
    void answer_ended(answer_group& group, afterwards& after);

    // endings.cpp
    void end(ticket one, ticket_record& record, ticket_result result, afterwards& after);
    void end_blank(ticket one, ticket_record& record, outcome how, std::string reason, afterwards& after);
    void expire(time_point now, afterwards& after);
    /// Without the lock.
    void run(afterwards& after);

    // collect.cpp: without the lock
    /// False when the time is up. Else the tickets have ended and are this caller's until hand_out.
    bool await(std::span<ticket const> wanted, std::chrono::nanoseconds timeout, collector& me);
    std::vector<ended_ticket> results_of(std::span<ticket const> ended);
    void hand_out(std::span<ticket const> ended, bool for_good);

    // baselines.cpp
    /// Proofs, of baselines and of proposals.
    void serve_baselines();
    void prove_next(std::unique_lock<std::mutex>& locked, afterwards& after);
    void want(problem_entry& entry, bool to_prove, bool urgently);
    /// Words of entries that the caller has set to `making`.
    void generate(std::span<problem_entry* const> claimed, std::unique_lock<std::mutex>& locked, afterwards& after);
    void solve(problem_entry& entry, std::unique_lock<std::mutex>& locked, afterwards& after);
    void settle(problem_entry& entry, afterwards& after);

    // proposals.cpp
    /// A ticket that has room waits for its checker.
    void enter_line(ticket one, ticket_record& record);
    /// The next completion of the line that has waited longest.
    void check_next(std::unique_lock<std::mutex>& locked, afterwards& after);

    // row_tickets.cpp
    void enter_rows(ticket one, ticket_record& record, afterwards& after);
    /// Without the lock.
    void end_rows(std::span<row_lines::ended_job const> ended);

    // program_tickets.cpp
    /// With its entries pinned. The proofs of what is missing begin where the completions are there (`urgently`), or in
    /// the time of what runs.
    std::shared_ptr<program_job> make_job(std::shared_ptr<program_problem const> const& of);
    void want_baselines(program_job& job, bool urgently);
    /// A ticket that has room waits for slots.
    void enter_program(ticket one, ticket_record& record, afterwards& after);
    /// One of its baselines is there, or never will be.
    void settle_program(ticket one, ticket_record& record, afterwards& after);
    void unpin(program_job& job);
    /// `part`: program_part, question_part, proposals_part, rows_part, or 0 for answers.
    void require_kind(std::span<ticket const> tickets, std::int32_t part);

    // drivers.cpp
    /// Starts threads while programs wait for one. Throws where there is none at all and none can be started.
    void call_drivers();
    void serve_programs();
    /// What equal programs of all tickets share.
    std::shared_ptr<programs::sandbox> shared_by_tickets(std::shared_ptr<programs::sandbox> in, bool steps);
    void execute(ticket one, std::unique_lock<std::mutex>& locked, afterwards& after);
    void reward(ticket one, std::unique_lock<std::mutex>& locked, afterwards& after);

    // batches.cpp
    void serve_batches();
    /// `held`: the batch thread is left asleep unless a batch is full.
    void make_ready(ticket one, ticket_record& record, bool held = false);
    void wake_batch_thread(bool gathering_too);
    std::vector<ticket> next_batch();
    void score(std::span<ticket const> batch, std::unique_lock<std::mutex>& locked, afterwards& after);
    /// Whether so few rows are ready that a caller scores them sooner than the batch thread would wake.
    [[nodiscard]] bool is_a_callers_own();
    /// On this thread, which is one of the scheduler's meanwhile. The lock is free at the end.
    void score_here(std::unique_lock<std::mutex>& locked);

    engine const& by;
    scheduler_options const options;
    std::shared_ptr<scoring_rule const> const default_rule;
    std::uint32_t const process = fork_generation();

    std::mutex mutable lock;
    std::condition_variable work;        ///< the batch thread: a row is ready, a deadline is nearer, or it is over
    std::condition_variable jobs;        ///< the baseline threads
    std::condition_variable words_made;  ///< issue: words that another thread made are ready
    std::condition_variable all_ended;   ///< shutdown: no ticket is open, and no caller scores
    bool closed = false;                 ///< nothing is taken in any more
    bool cancelling = false;             ///< of proposals under way no more is checked
    bool stopping = false;               ///< the threads leave when nothing is left to do
    ticket_table tickets;
    std::shared_ptr<baseline_source> const source;
    problem_store problems;
    std::set<std::pair<time_point, ticket>> deadlines;
    queue_room room;
    proof_queue proofs;
    proposal_lines proposals;
    ready_tickets ready;
    enum { awake, gathering, asleep } batch_thread = awake;
    std::int64_t waiting_rows = 0;  ///< for a baseline
    std::int64_t unended = 0;
    std::int64_t guests = 0;  ///< callers within score_here
    std::shared_ptr<program_runner> const runner;
    program_tickets programs;
    row_lines row_work;  ///< with a lock of its own
    counters count;
    stages times;

    std::vector<std::thread> threads;
};

/// Whether this is one of a scheduler's own threads, which never wait for room in a queue that they alone empty.
bool& on_scheduler_thread();

/// `count` rows that were not scored.
ticket_result blank_result(outcome how, std::int32_t task, std::int64_t count, std::string reason);

/// A batch's request, which borrows from the tickets it was made of.
class batch_request {
public:
    void add(problem_entry const& entry, baseline const& truth, payload const& what);
    [[nodiscard]] grade_request view(scoring_rule const& rule) const;

private:
    posed_instances posed_;
    std::vector<std::string_view> texts_;
    std::vector<std::int32_t> instance_of_, format_of_, length_;
    std::vector<finish> finished_;
};

}  // namespace optgap
