#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "optgap/scheduler.hpp"
#include "python/src/ended_tickets.hpp"
#include "python/src/programs.hpp"
#include "python/src/submitted_texts.hpp"
#include "python/src/values/interpreter_lock.hpp"
#include "python/src/values/proposals.hpp"

namespace optgap::python {

using ticket_array = array_in<std::uint64_t>;

/// What comes with completions; a list is empty where nothing is said.
struct completion_notes {
    std::vector<std::int32_t> finish;
    std::vector<std::int32_t> length;
    std::vector<std::int32_t> format_of;  ///< index into known_formats()
    std::optional<std::string> reward;    ///< none: the scheduler's
    double seconds = -1;                  ///< until the deadline; negative: none
    bool held = false;                    ///< as submission::held
};

/// One per event loop: payloads in flight share it.
struct bound_queue {
    std::shared_ptr<completion_queue> queue = std::make_shared<completion_queue>();
};

/// What completions are scored against, read once and sent any number of times.
class bound_problem {
public:
    /// `words`: of a user's own instance of spec.task; empty: the generated one.
    bound_problem(instance_spec const& spec, std::span<std::int32_t const> words, nb::handle baseline);

    [[nodiscard]] problem view() const { return {.spec = spec_, .words = words_, .given = given_}; }

private:
    instance_spec spec_;
    std::vector<std::int32_t> words_;
    std::optional<baseline> given_;
};

/// A ticket that an event loop was told of, with what it needs to become arrays.
class ended_sample {
public:
    ended_sample(std::shared_ptr<engine const> by, ended_ticket of) : by_(std::move(by)), of_(std::move(of)) {}

    [[nodiscard]] nb::tuple row() const { return only_row(of_.result); }
    [[nodiscard]] nb::dict columns(std::string_view advantage, std::vector<std::int32_t> length);
    /// joined_programs of a ticket of programs.
    [[nodiscard]] nb::dict program_columns(std::string_view advantage, std::vector<std::int32_t> length);

private:
    std::shared_ptr<engine const> by_;
    ended_ticket of_;
};

/// optgap::scheduler with Python's texts, interrupts and forks. Call with the GIL held: it guards what is remembered of
/// the tickets.
class bound_scheduler {
public:
    bound_scheduler(std::shared_ptr<engine const> by, nb::kwargs const& options);
    ~bound_scheduler();
    bound_scheduler(bound_scheduler const&) = delete;
    bound_scheduler& operator=(bound_scheduler const&) = delete;

    /// prompts, keys, tickets.
    nb::tuple issue(int32_in const& task, int32_in const& level, int32_in const& part,
                    array_in<std::uint64_t> const& seed, std::int32_t style, std::int32_t format);
    /// As many consecutive texts for each ticket. How many tickets were taken, in their order: less than all when the
    /// queue is full and the scheduler refuses. Waits for room otherwise.
    std::int64_t submit(ticket_array const& tickets, nb::handle texts, completion_notes const& notes);
    /// The completions of one ticket, one text or a sequence, whose end `queue` is told of. The ticket, or 0 when there
    /// is no room; never waits.
    std::uint64_t send(bound_queue const& queue, std::uint64_t ticket, nb::handle texts, completion_notes const& notes);
    /// The same for a problem.
    std::uint64_t send_to(bound_queue const& queue, bound_problem const& of, nb::handle texts,
                          completion_notes const& notes);
    /// prompts, keys, tickets of problems of programs.
    nb::tuple issue_programs(nb::list const& problems, std::int32_t style);
    /// As send_to, for a problem of programs.
    std::uint64_t send_program(bound_queue const& queue, bound_program_problem const& of, nb::handle texts,
                               completion_notes const& notes);
    /// joined_programs of tickets of programs, or None when the time is up: the tickets stay.
    nb::object collect_programs(ticket_array const& tickets, double seconds, std::string_view advantage,
                                std::optional<int32_in> const& group);
    /// The question's ticket and its answers', which are noted as issued in this format.
    nb::tuple pose(bound_problem const& of, std::int32_t answers, std::int32_t format, double seconds);
    /// outcome, reasons and the sums of each group, or None when the time is up: the tickets stay.
    nb::object collect_questions(ticket_array const& tickets, double seconds);
    /// The ticket of completions that pose problems, or 0 where the scheduler refuses. Waits for room otherwise.
    std::uint64_t propose(bound_checker const& by, nb::handle texts, std::vector<std::int32_t> const& finish,
                          std::int64_t step, double seconds);
    /// (outcome, reason, checked_columns) a ticket, or None when the time is up: the tickets stay.
    nb::object collect_proposals(ticket_array const& tickets, double seconds);
    /// The ticket of a row of JSON, with a row for each of `completions` where these are not None; 0 where the
    /// scheduler refuses. Waits for room otherwise.
    std::uint64_t submit_row(nb::bytes const& row, nb::handle completions, double seconds);
    /// (rows as JSON, offsets, outcomes, reasons, remarks), or None when the time is up: the tickets stay.
    nb::object collect_rows(ticket_array const& tickets, double seconds);
    /// One a ticket.
    nb::object has_ended(ticket_array const& tickets);
    /// As scheduler::begin.
    bool begin();
    /// (ticket, ended_sample) of all that ended since the last call; those that were forgotten are left out.
    nb::list take(bound_queue const& queue);
    /// joined_columns, or None when the time is up: the tickets stay.
    nb::object collect(ticket_array const& tickets, double seconds, std::string_view advantage,
                       std::optional<int32_in> const& group);

    std::int64_t cancel(ticket_array const& tickets);
    void forget(ticket_array const& tickets);
    void shutdown(bool drain);
    /// For the end of the interpreter: shuts down, and returns when no other thread is within a call. Python ends a
    /// thread that asks for the GIL later where it stands, and from there C++ cannot be unwound: later calls of other
    /// threads sleep instead.
    void close();
    std::string statistics();

private:
    /// What is remembered of an issued ticket until it is handed out.
    struct note {
        problem_id of;
        std::int32_t format = 0;  ///< -1: of programs, whose problem says it
        bool question = false;
        bool proposals = false;
        bool rows = false;  ///< of JSON
        std::vector<std::int32_t> length;
        std::optional<ticket_result> result;  ///< taken by a collect whose time was up before the others ended
    };

    /// A call under way; throws where the scheduler cannot be used. Once the interpreter ends, an error of another
    /// thread than the one that ends it goes nowhere, and the thread stays: Python's code makes an exception of it, and
    /// a thread that waits for the GIL in there is unwound through functions that let nothing pass, which ends the
    /// process.
    class call {
    public:
        explicit call(bound_scheduler& of);
        ~call();
        call(call const&) = delete;
        call& operator=(call const&) = delete;

    private:
        bound_scheduler& of_;
        int exceptions_ = std::uncaught_exceptions();
    };

    class sample;

    enum class kind { answers, programs, questions, proposals, rows };
    static kind kind_of(note const& of) {
        return of.rows         ? kind::rows
               : of.proposals  ? kind::proposals
               : of.question   ? kind::questions
               : of.format < 0 ? kind::programs
                               : kind::answers;
    }
    /// Of tickets of this kind whose ends are there; nothing when the time is up.
    std::optional<std::vector<ended_ticket>> ended_of(ticket_array const& tickets, double seconds,
                                                      std::optional<int32_in> const& group, kind of);
    static std::chrono::steady_clock::time_point in_seconds(double seconds);
    void drop_notes(ticket_array const& tickets);
    note& noted(std::uint64_t one);
    std::shared_ptr<scoring_rule const> rule_of(std::optional<std::string> const& reward);
    /// Everything but the texts and who owns them.
    submission submission_of(completion_notes const& notes);
    /// Waits with the GIL released, in slices between which Python may be interrupted.
    bool await(std::uint64_t one, std::chrono::steady_clock::time_point until);

    std::shared_ptr<engine const> by_;
    std::uint32_t process_;
    std::thread::id closed_by_;
    std::int32_t calls_ = 0;  ///< under way
    std::thread::id closing_by_;
    std::shared_ptr<text_bin> bin_ = std::make_shared<text_bin>();
    std::unordered_map<std::string, std::shared_ptr<scoring_rule const>> rules_;
    std::unordered_map<std::uint64_t, note> notes_;
    std::unique_ptr<scheduler> scheduler_;
};

}  // namespace optgap::python
