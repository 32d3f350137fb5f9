#pragma once
// Every open ticket's record. Not thread-safe: the scheduler's lock guards it.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "host/scheduler/problem_store.hpp"
#include "host/scheduler/program_job.hpp"
#include "host/scheduler/queues/queue_room.hpp"
#include "host/scheduler/row_job.hpp"
#include "optgap/scheduler.hpp"

namespace optgap {

using time_point = std::chrono::steady_clock::time_point;

/// A caller in `collect`.
struct collector {
    std::condition_variable wake;
    std::int64_t missing = 0;
};

/// A question and its answers, which share this until the last of them ends.
struct answer_group {
    ticket question;
    std::vector<ticket> answers;
    std::int64_t open = 0;  ///< answers that have not ended
    bool over = false;      ///< the question has ended
    group_sums sums;
    std::int32_t lost = -1;  ///< the first answer that was not scored, how it ended and why
    outcome how = outcome::scored;
    std::string reason;

    /// The rows of an answer that ended.
    void add(std::int32_t place, ticket_result const& result);
};

/// A batch of proposals. The scheduler's lock guards it but for `found`, which is the thread's that checks.
struct proposal_job {
    std::shared_ptr<proposal_checker> by;
    std::int64_t step = 0;
    proposal_batch found;               ///< of the completions up to now
    std::chrono::nanoseconds spent{0};  ///< within the checker
};

/// Tickets of programs go from `issued` or `blocked` to `queued`, `executing` and, where a baseline is still missing or
/// another thread rewards, `executed`: all of them may be cancelled.
enum class step : std::int32_t {
    unused,
    issued,
    posed,
    blocked,
    waiting,
    ready,
    queued,
    executing,
    executed,
    in_line,  ///< of proposals
    grading,  ///< of rows of JSON, from their line to their end
    running,
    ended,
};

struct ticket_record {
    std::uint32_t use = 1;  ///< how often this place has been taken: old tickets are noticed
    step at = step::unused;
    bool forgotten = false;
    problem_entry* entry = nullptr;       ///< pinned until the ticket ends; null where no one instance is asked about
    std::shared_ptr<program_job> job;     ///< of programs, until the ticket ends
    std::shared_ptr<answer_group> group;  ///< of a question and its answers, until the ticket ends
    std::int32_t place = -1;              ///< in the group; -1: the question
    std::shared_ptr<proposal_job> proposals;  ///< until the ticket ends
    std::shared_ptr<row_job> of_rows;         ///< until the ticket ends
    problem_id of;
    baseline given;
    bool has_given = false;
    std::unique_ptr<payload> what;
    std::vector<std::int32_t> length;  ///< kept for collect
    time_point submitted;
    time_point deadline = time_point::max();
    ticket_result result;
    collector* collected_by = nullptr;
    room_waiter* room = nullptr;  ///< while blocked

    [[nodiscard]] baseline const& base() const { return has_given ? given : entry->base; }
};

class ticket_table {
public:
    ticket open() {
        std::uint32_t place = 0;
        if (free_.empty()) {
            place = std::uint32_t(records_.size());
            records_.emplace_back();
        } else {
            place = free_.back();
            free_.pop_back();
        }
        ++open_;
        return ticket(std::uint64_t(records_[place].use) << 32 | place);
    }
    /// Of a ticket that is known to be open.
    ticket_record& record(ticket one) { return records_[std::uint32_t(std::uint64_t(one))]; }
    /// nullptr when there is no such ticket any more.
    ticket_record* find(ticket one) {
        std::uint32_t const place = std::uint32_t(std::uint64_t(one));
        if (place >= records_.size() || records_[place].use != std::uint64_t(one) >> 32 ||
            records_[place].at == step::unused) {
            return nullptr;
        }
        return &records_[place];
    }
    void close(ticket one) {
        std::uint32_t const place = std::uint32_t(std::uint64_t(one));
        std::uint32_t const next = records_[place].use + 1;
        records_[place] = ticket_record();
        records_[place].use = next == 0 ? 1 : next;
        free_.push_back(place);
        --open_;
    }
    [[nodiscard]] std::int64_t open_count() const { return open_; }
    /// Every open ticket.
    [[nodiscard]] std::vector<ticket> all() const {
        std::vector<ticket> found;
        for (std::size_t place = 0; place < records_.size(); ++place) {
            if (records_[place].at != step::unused) {
                found.push_back(ticket(std::uint64_t(records_[place].use) << 32 | place));
            }
        }
        return found;
    }

private:
    std::deque<ticket_record> records_;  ///< a record never moves
    std::vector<std::uint32_t> free_;
    std::int64_t open_ = 0;
};

}  // namespace optgap
