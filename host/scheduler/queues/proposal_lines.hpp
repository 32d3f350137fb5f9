#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "optgap/scheduler.hpp"

namespace optgap {

/// Tickets of proposals, a line for each checker, which sees its own one at a time and in their order. The scheduler's
/// lock guards it.
class proposal_lines {
public:
    /// True where its line has to be served now.
    bool enter(ticket one, proposal_checker const* by) {
        ++in_line_;
        line& own = lines_[by];
        own.tickets.push_back(one);
        bool const first = !own.busy && own.tickets.size() == 1;
        if (first) {
            idle_.push_back(by);
        }
        return first;
    }
    /// One that ended before its turn.
    void leave(ticket one, proposal_checker const* by) {
        --in_line_;
        line& own = lines_.at(by);
        std::erase(own.tickets, one);
        if (!own.busy && own.tickets.empty()) {
            std::erase(idle_, by);
            lines_.erase(by);
        }
    }
    [[nodiscard]] bool has_turn() const { return !idle_.empty(); }
    /// The first ticket of the line that has waited longest; the line is busy until `end_turn`.
    ticket begin_turn() {
        line& own = lines_.at(idle_.front());
        idle_.pop_front();
        own.busy = true;
        return own.tickets.front();
    }
    /// A ticket whose turn it is for the first time.
    void begin() {
        --in_line_;
        ++running_;
    }
    /// The same ticket, when all of it has been seen.
    void end(proposal_checker const* by) {
        lines_.at(by).tickets.pop_front();
        --running_;
    }
    /// True where others wait in the line. Not before the ticket has ended: the room that it leaves lets others in.
    bool end_turn(proposal_checker const* by) {
        line& own = lines_.at(by);
        own.busy = false;
        bool const more = !own.tickets.empty();
        if (more) {
            idle_.push_back(by);
        } else {
            lines_.erase(by);
        }
        return more;
    }
    [[nodiscard]] std::int64_t in_line() const { return in_line_; }
    [[nodiscard]] std::int64_t running() const { return running_; }

private:
    /// What one checker was handed and has not ended, in that order. The first of them may be running.
    struct line {
        std::deque<ticket> tickets;
        bool busy = false;  ///< a thread is within the checker
    };
    std::map<proposal_checker const*, line> lines_;  ///< none is empty
    std::deque<proposal_checker const*> idle_;       ///< those that are not busy, in the order of their turns
    std::int64_t in_line_ = 0, running_ = 0;         ///< tickets
};

}  // namespace optgap
