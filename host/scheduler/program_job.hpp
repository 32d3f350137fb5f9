#pragma once
// The completions of a ticket as the scheduler holds them, and what a ticket of programs has beside them.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "host/program_runs/program_call.hpp"
#include "host/scheduler/problem_store.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

/// A submission as the scheduler holds it.
struct payload {
    std::vector<std::string_view> texts;
    std::unique_ptr<char[]> copied;  ///< the texts' bytes, unless `owner` holds them
    std::shared_ptr<void const> owner;
    std::vector<finish> finished;
    std::vector<std::int32_t> length;
    std::vector<std::int32_t> format_of;
    std::shared_ptr<scoring_rule const> rule;
    std::function<void(ticket, ticket_result&&)> on_done;
    std::shared_ptr<completion_queue> notify;
    std::int64_t bytes = 0;

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(texts.size()); }
};

/// Programs of one ticket. The scheduler's lock guards it but for `call`, which is the driver's that runs or rewards
/// it. The driver holds the job while the ticket may have ended without it.
struct program_job {
    std::shared_ptr<program_problem const> of;
    /// One an instance, pinned until the ticket ends; null where the problem gives the baseline.
    std::vector<problem_entry*> entries;
    std::stop_source stop;
    program_request asked;  ///< borrows from the payload and from here
    std::vector<std::int32_t> only_problem;
    std::unique_ptr<program_runs::program_call> call;
    std::unique_ptr<payload> kept;  ///< of a ticket that ended while its programs ran

    explicit program_job(std::shared_ptr<program_problem const> problem) : of(std::move(problem)) {}
    [[nodiscard]] bool is_proven() const;
    /// Why a baseline will never be there; empty while none is known to be lost.
    [[nodiscard]] std::string failure() const;
    [[nodiscard]] std::vector<baseline> baselines() const;
    /// To be run; `what` must live as long as the call.
    void ask(payload const& what, scheduler_options const& by);
    [[nodiscard]] std::int64_t runs(std::int64_t rows) const { return rows * of->count(); }
};

/// Of the problem: `part` is that of no instance.
inline constexpr std::int32_t program_part = -2;
inline constexpr std::int32_t question_part = -3;
inline constexpr std::int32_t proposals_part = -4;
inline constexpr std::int32_t rows_part = -5;

/// `count` rows of a problem that were not scored.
ticket_result blank_programs(outcome how, program_problem const& of, std::int64_t count, std::string reason);
/// Rows that were.
ticket_result rewarded_programs(program_batch scores, std::int32_t task);

}  // namespace optgap
