#pragma once  // Experimental.

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/engine.hpp"
#include "optgap/programs/runner.hpp"
#include "optgap/roles/proposer.hpp"

namespace optgap {

class baseline_source;
struct row_job;
namespace rows {
class scorer_pool;
}

/// Names one piece of work from `issue` or `submit` until its result is handed out. A scheduler never uses one twice.
enum class ticket : std::uint64_t { none = 0 };

/// How a ticket ended. Each ends exactly once.
enum class outcome : std::int32_t {
    scored = 0,
    expired = 1,    ///< its deadline passed before its batch began; of programs: before they had ended
    cancelled = 2,  ///< by `cancel` or `shutdown`
    failed = 3,     ///< its instance is broken or its solver failed; the reason says which
    refused = 4,    ///< the queue was full: nothing was accepted (`submit_future` only)
};
char const* outcome_name(outcome how);

/// The problem that a completion answers.
struct problem {
    instance_spec spec = {};                   ///< the instance, while `words` is empty
    std::span<std::int32_t const> words = {};  ///< an explicit instance of spec.task; copied
    std::optional<baseline> given = {};        ///< the row's own baseline: nothing is solved
};

/// Identifies an instance: a generated one by its spec, an explicit one by the hash of its words.
struct problem_id {
    std::int32_t task = 0;
    std::int32_t level = 0;
    std::int32_t part = 0;  ///< -1: explicit; -2: a problem of programs; -3: a question; -4: proposals; -5: rows
    std::uint64_t high = 0;
    std::uint64_t low = 0;  ///< the seed of a generated one
    friend bool operator==(problem_id const&, problem_id const&) = default;
};
problem_id id_of(problem const& of);
/// The id of a problem of programs, by its instances: `part` is -2.
problem_id id_of(program_problem const& of);

/// How texts become rewards. Submissions that share one object are batched together.
struct scoring_rule {
    reward_rules reward = {};
    std::vector<format_spec> formats = {};  ///< the list that format_of indexes; empty: known_formats()
};

/// The rows of one ticket, in order. They point into their batch and keep it alive.
class ticket_result {
public:
    outcome how = outcome::cancelled;
    std::string reason;         ///< of `failed`
    std::int32_t task = -1;     ///< index into engine::tasks()
    optgap::baseline baseline;  ///< what the rows were measured against, when scored; of answers
    /// For a ticket of programs, however it ended: its rows with their cells, without advantages. Null for answers.
    std::shared_ptr<program_batch const> programs;
    /// For a question: the sums over all of its answers; null where one was not scored.
    std::shared_ptr<group_sums const> group;
    /// For a ticket of proposals that was checked, whose `rows` are meaningless; null for others.
    std::shared_ptr<proposal_batch const> proposals;
    /// Of a ticket of rows of JSON, however it ended: what collect_rows makes rows of. Null of others.
    std::shared_ptr<row_job const> of_rows;

    ticket_result() = default;
    ticket_result(std::shared_ptr<grade_batch const> batch, std::int64_t first, std::int64_t count)
        : batch_(std::move(batch)), first_(first), count_(count) {}

    [[nodiscard]] std::int64_t size() const { return count_; }
    /// Rows that were not scored have reward NaN, which takes no part in a group, and code -1.
    [[nodiscard]] std::span<reward_row const> rows() const { return part(&grade_batch::rows); }
    [[nodiscard]] std::span<verdict const> verdicts() const { return part(&grade_batch::verdicts); }
    [[nodiscard]] std::span<parsed_text const> parsed() const { return part(&grade_batch::parsed); }
    [[nodiscard]] std::span<std::int32_t const> format_codes() const { return part(&grade_batch::format_codes); }
    [[nodiscard]] std::span<std::int32_t const> answer(std::int64_t row) const {
        return batch_->answers.row(first_ + row);
    }
    /// Whether this row's feasible answer beats its baseline.
    [[nodiscard]] bool beaten(std::int64_t row) const;

private:
    template <class T>
    [[nodiscard]] std::span<T const> part(std::vector<T> grade_batch::*column) const {
        return batch_ ? std::span((*batch_).*column).subspan(std::size_t(first_), std::size_t(count_))
                      : std::span<T const>();
    }

    std::shared_ptr<grade_batch const> batch_;
    std::int64_t first_ = 0;
    std::int64_t count_ = 0;
};

/// Tells an event loop which tickets have ended, with one file descriptor for all of them: readable when `drain` has
/// something to return. (asyncio: loop.add_reader(queue.fd(), …).) Thread-safe.
class completion_queue {
public:
    completion_queue();
    ~completion_queue();
    completion_queue(completion_queue const&) = delete;
    completion_queue& operator=(completion_queue const&) = delete;

    [[nodiscard]] int fd() const;
    /// The tickets that ended since the last call, in that order; never blocks. Each is then collected as usual.
    std::vector<ticket> drain();

private:
    friend class scheduler;
    struct state;
    std::unique_ptr<state> state_;
};

/// The completions of one ticket. Spans are read during the call.
struct submission {
    std::span<std::string_view const> texts = {};
    std::span<finish const> finished = {};         ///< empty: unknown
    std::span<std::int32_t const> length = {};     ///< tokens, for length penalties and weights
    std::span<std::int32_t const> format_of = {};  ///< entry of the rule's formats; empty: the first, or programs'
    /// Keeps the texts' bytes alive and unchanged until the ticket ends; null: the bytes are copied. It is released on
    /// any thread, without a lock held.
    std::shared_ptr<void const> owner = {};
    std::shared_ptr<scoring_rule const> rule = {};  ///< null: the scheduler's
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    bool may_wait = true;  ///< false: it is refused where there is no room, whatever `when_full` says
    /// The same caller submits more at once and then calls `begin`: waking a thread for each submission costs more than
    /// scoring it. Until then a batch begins only when it is full, or when another caller submits.
    bool held = false;
    /// Called once when the ticket ends, on one of the scheduler's threads or within cancel, forget, shutdown, submit
    /// or begin, without a lock held. It must not wait; what it throws is counted and dropped. The ticket is then gone:
    /// there is nothing to collect.
    std::function<void(ticket, ticket_result&&)> on_done = {};
    std::shared_ptr<completion_queue> notify = {};  ///< gets the ticket when it has ended
};

enum class full_queue : std::int32_t {
    block = 0,   ///< `submit` waits for room, first come first served; never on the scheduler's own threads
    refuse = 1,  ///< `submit` returns at once with ticket::none or false
};

struct scheduler_options {
    scoring_rule rule = {};
    std::int64_t budget = -1;  ///< of every proof, as in engine::solve
    /// Looks up the baseline of an instance before it is solved, by its task, spec (task -1 for a user's own) and
    /// words. Empty: no baseline is known. Called on the threads for proofs, several at once; an exception ends the
    /// instance's tickets like a failed proof.
    std::function<std::optional<baseline>(std::int32_t task, instance_spec const&, std::span<std::int32_t const>)>
        known = {};
    /// For use within the library: a shared source of baselines (host/baselines), with a `known` and a cache of its
    /// own.
    std::shared_ptr<baseline_source> baselines = {};
    std::int32_t solve_threads = 0;  ///< 0: as many as the engine has
    /// Number of programs at once and their isolation level, as in program_runner_options; opened with the first
    /// program.
    std::int32_t slots = 0;
    std::string isolation = "auto";
    /// Runs programs in place of a runner of the scheduler's own, so that others can share its slots. `slots` and
    /// `isolation` must then keep their defaults.
    std::shared_ptr<program_runner> runner = {};
    bool fail_fast = false;  ///< a program that is invalid on its first three instances is not run on the rest
    /// Equal programs of one problem run once for all open tickets and those that have ended lately; false: only at a
    /// deterministic isolation level.
    bool dedupe_always = false;
    std::string row_options = "{}";  ///< how rows of JSON are scored (`submit_row`), as row_scorer takes it
    std::string snapshot_hash = {};  ///< of what `baselines` reads, for the rows' fingerprint; empty: none
    /// The library's own: scorers that others share; `row_options` and `snapshot_hash` are then theirs.
    std::shared_ptr<rows::scorer_pool> row_scorers = {};
    /// How long a batch that is not full waits for more, 0 to 1000, once the last one held several tickets. None by
    /// default: what arrives while a batch runs forms the next one, which costs least on a CPU (docs/scheduler.md).
    std::chrono::microseconds window{0};
    std::int64_t batch_rows = 1024;  ///< a batch is full with so many rows or bytes of text
    std::int64_t batch_bytes = std::int64_t(16) << 20;
    std::int64_t queue_rows = std::int64_t(1) << 16;  ///< not ended yet; a larger submission is accepted alone
    std::int64_t queue_bytes = std::int64_t(1) << 30;
    std::int64_t open_tickets = std::int64_t(1) << 20;  ///< not handed out yet; `issue` and `submit` refuse beyond
    full_queue when_full = full_queue::block;
    std::int64_t instance_cache_bytes = std::int64_t(256) << 20;  ///< instances that no open ticket needs
    std::int64_t baseline_cache_bytes = std::int64_t(32) << 20;   ///< baselines, which outlive their instances
};

struct issue_options {
    std::int32_t style = 0;
    format_spec format = {};
};

/// One entry per spec.
struct issued_batch {
    std::vector<std::string> prompts;  ///< empty for a task that is not direct
    std::vector<std::string> keys;
    std::vector<ticket> tickets;
};

/// A question's ticket and those of its answers.
struct posed_question {
    ticket question = ticket::none;
    std::vector<ticket> answers;
};

/// How a question ended.
struct ended_question {
    outcome how = outcome::cancelled;  ///< scored when all answers were; else the outcome of the first that was not
    std::string reason;                ///< of `failed`
    group_sums group;                  ///< all zeros unless scored
};

/// How a ticket of proposals ended.
struct ended_proposals {
    outcome how = outcome::cancelled;  ///< scored: checked
    std::string reason;                ///< of `failed`
    proposal_batch found;              ///< as check_completions gives it; no rows unless checked
};

/// Tickets of rows as one run.
struct collected_rows {
    std::vector<std::string> rows;      ///< a JSON object each; of a ticket that was not scored with `error`
    std::vector<std::int64_t> offsets;  ///< ticket t has rows [offsets[t], offsets[t + 1])
    std::vector<outcome> outcomes;      ///< one per ticket
    std::vector<std::string> reasons;   ///< of `failed`
    std::vector<std::string> remarks;   ///< what is to be said of the rows
};

struct collect_options {
    advantage_spec advantage = {};
    std::span<std::int32_t const> group = {};  ///< one id per ticket; empty: by instance
};

/// Tickets' rows joined in their order, with the bytes of one engine::score over them, advantages included.
struct collected_batch {
    score_batch scores;
    std::vector<std::int64_t> offsets;  ///< ticket t has rows [offsets[t], offsets[t + 1])
    // One per ticket:
    std::vector<outcome> outcomes;
    std::vector<std::string> reasons;  ///< of `failed`
    std::vector<std::int32_t> tasks;   ///< index into engine::tasks()
    std::vector<baseline> baselines;   ///< what its rows were measured against, when scored
};

/// Tickets of programs joined in their order, with the bytes of one program_runner::run over their rows, advantages
/// included. Rows of a ticket that was not scored are masked: reward NaN, advantage 0, all codes -1.
struct collected_programs {
    program_batch scores;               ///< counts: programs, runs and the like are the scheduler's statistics
    std::vector<std::int64_t> offsets;  ///< ticket t has rows [offsets[t], offsets[t + 1])
    std::vector<outcome> outcomes;      ///< one per ticket
    std::vector<std::string> reasons;   ///< of `failed`
};

/// A ticket's rows and what its advantages need.
struct ended_ticket {
    ticket_result result;
    problem_id of;                     ///< rows of one instance, or of one problem of programs, are one group
    std::vector<std::int32_t> length;  ///< tokens a row; empty: unknown
};

/// The tickets' rows in their order, with advantages over all of them. Throws error{invalid_argument} when the
/// estimator reads lengths and a scored ticket has none.
collected_batch join(engine const& by, std::span<ended_ticket const> tickets, collect_options const& options = {});
/// The same for tickets of programs. Throws also for a ranked group whose rows differ in their number of instances.
collected_programs join_programs(engine const& by, std::span<ended_ticket const> tickets,
                                 collect_options const& options = {});

/// The interface of a trainer: it gets prompts, submits completions and collects scored rows, while baselines are
/// proven, overlapped with decoding. Identical instances are solved once, also when they are requested at the same
/// time. One ticket stands for one submission; it is collected, or handed to its callback, once.
///
///     issue ──▶ issued ──submit──▶ waiting ──baseline──▶ ready ──batch──▶ running ──▶ ended ──collect──▶ gone
///                  └──────cancel──────┴───cancel, deadline───┴─────────────────────────▲
///
/// A ticket of programs begins when its completions have arrived, whatever others wait for; while it runs, the
/// baselines of its hidden instances are proven. Its deadline and `cancel` kill its running programs.
///
///     issue ──▶ issued ──submit──▶ queued ──slots──▶ executing ──baselines──▶ ended ──collect_programs──▶ gone
///                  └──────cancel──────┴──cancel, deadline──┴──────────────────────▲
///
/// A question ends in two phases: first its answers, which have tickets of their own, then the question's ticket.
///
///     pose ──▶ posed ──answers end, cancel, deadline──▶ ended ──collect_questions──▶ gone
///
/// Proposals wait for their checker, which takes tickets in the order of their arrival. The threads for proofs check
/// them, one completion at a time: after proofs that completions wait for, before those that only prompts wait for.
/// A row of JSON (docs/rows.md) waits in its kind's line: for its baselines, a slot of the sandbox, a worker.
///
///     submit_row ──▶ grading ──cancel, deadline──▶ ended ──collect_rows──▶ gone
///
/// Thread-safe. Its threads (one for batches, `solve_threads` for proofs) start with the object, those that wait for
/// programs with the first program. Misuse throws `error`; a bad item never does. A forked child's calls throw
/// error{invalid_argument}: it must make a scheduler of its own.
class scheduler {
public:
    /// `by` must outlive the scheduler.
    explicit scheduler(engine const& by, scheduler_options options = {});
    /// As shutdown(cancel).
    ~scheduler();
    scheduler(scheduler const&) = delete;
    scheduler& operator=(scheduler const&) = delete;

    /// Generates, writes prompts, opens a ticket per spec and starts its baseline.
    [[nodiscard]] issued_batch issue(std::span<instance_spec const> specs, issue_options const& options = {});
    /// The same for problems of programs, one ticket per entry: a problem whose completions arrive one by one is
    /// repeated. The prompt of a user's own instances, which have no example, is empty.
    [[nodiscard]] issued_batch issue(std::span<std::shared_ptr<program_problem const> const> problems,
                                     std::int32_t style = 0);
    /// Opens a question, such as a proposal that passed the gates, and a ticket for each of its answers. The answers
    /// are submitted and collected as issued tickets are; the question ends when all of them have ended, or as
    /// `expired` at the deadline. A question that is cancelled or expires also ends its answers without completions,
    /// and leaves the others. Nothing is submitted to it. Its baseline is started unless given.
    [[nodiscard]] posed_question pose(
        problem const& of, std::int32_t answers,
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());
    /// Checks completions that pose problems, by all gates and proofs. The result is that of check_completions(by, …)
    /// after everything that was proposed to this checker before. The checker never sees a ticket that is cancelled or
    /// expires before its turn; shutdown(cancel) leaves the rest of a running ticket unchecked. A checker that throws
    /// fails the ticket, and the next one goes on. Returns ticket::none when refused. The length, format_of and rule of
    /// `what` must keep their defaults.
    [[nodiscard]] ticket propose(std::shared_ptr<proposal_checker> const& by, submission const& what,
                                 std::int64_t step = 0);
    /// A row of any kind, as `optgap score` takes it; one that cannot be scored is collected with `error`. With texts
    /// the ticket has a row a text, which is its `completion`. finished, length, format_of, rule and on_done must be
    /// left alone. ticket::none when refused.
    [[nodiscard]] ticket submit_row(std::string_view row, submission const& what = {});
    /// Starts baselines without tickets, for samples that will come by `problem`.
    void prefetch(std::span<instance_spec const> specs);

    /// Submits the completions of an issued ticket, once. Returns false when the queue is full and `refuse` is chosen,
    /// or `what` may not wait; the ticket then stays issued.
    [[nodiscard]] bool submit(ticket issued, submission const& what);
    /// The same for an instance that was not issued: the streaming reward of one sample. Returns ticket::none when
    /// refused.
    [[nodiscard]] ticket submit(problem const& of, submission const& what);
    /// The same for completions that hold programs, of a problem that was not issued. Their format is the problem's.
    [[nodiscard]] ticket submit(std::shared_ptr<program_problem const> const& of, submission const& what);
    /// The same as a future. `what.on_done` is replaced.
    [[nodiscard]] std::future<ticket_result> submit_future(problem const& of, submission what);

    /// Begins a batch of what was submitted as `held`. While the batch thread sleeps, a single small ticket that is to
    /// be notified or collected is scored within this call, which takes less time than waking that thread. Returns true
    /// in that case: the ticket has ended, and its queue has been notified.
    bool begin();

    /// Waits for these tickets, all submitted or to be submitted by another thread, and takes their rows. Returns
    /// nothing when the time is up; the tickets then stay. Only one caller may wait for a ticket.
    [[nodiscard]] std::optional<collected_batch> collect(std::span<ticket const> tickets,
                                                         std::chrono::nanoseconds timeout,
                                                         collect_options const& options = {});
    [[nodiscard]] std::optional<ticket_result> collect(ticket one, std::chrono::nanoseconds timeout);
    /// The same for tickets of programs. `collect` of several tickets accepts none of programs, and this none of
    /// answers.
    [[nodiscard]] std::optional<collected_programs> collect_programs(std::span<ticket const> tickets,
                                                                     std::chrono::nanoseconds timeout,
                                                                     collect_options const& options = {});

    /// The same for questions, one entry per ticket. The question of a late group has not ended: it stays for a later
    /// call.
    [[nodiscard]] std::optional<std::vector<ended_question>> collect_questions(std::span<ticket const> tickets,
                                                                               std::chrono::nanoseconds timeout);
    /// The same for tickets of proposals.
    [[nodiscard]] std::optional<std::vector<ended_proposals>> collect_proposals(std::span<ticket const> tickets,
                                                                                std::chrono::nanoseconds timeout);
    /// The same for tickets of rows, as one run: groups, duplicates and advantages are of these rows in this order, and
    /// their bytes those of row_scorer::score, however they were submitted. `join_rows`: of what `collect` gave.
    [[nodiscard]] std::optional<collected_rows> collect_rows(std::span<ticket const> tickets,
                                                             std::chrono::nanoseconds timeout);
    [[nodiscard]] collected_rows join_rows(std::span<ended_ticket const> tickets);
    /// Is there something to collect? False for a ticket that is gone, too.
    [[nodiscard]] bool has_ended(ticket one) const;

    /// Ends a ticket that no batch has begun; programs and rows that are under way are stopped. False when it has
    /// ended, or will with its batch in a moment.
    bool cancel(ticket one);
    /// Cancels a ticket, or drops its rows: nothing is left to collect, and nothing is notified.
    void forget(ticket one);

    enum class ending { drain, cancel };
    /// Accepts nothing more and returns when every ticket has ended: those with completions are scored (drain) or end
    /// at once (cancel), others are cancelled. Waits for a proof that runs. Rows can still be collected.
    void shutdown(ending how);

    /// Counters, queue depths, caches and the p50 and p99 of each stage, as a JSON object (docs/scheduler.md).
    [[nodiscard]] std::string statistics() const;

private:
    friend class completion_queue;
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace optgap
