#pragma once
// Decides whether a given set of meetings can all take place. Complete for any windows and any integer start.
//
// Every open meeting has an earliest start. Take the meeting m whose earliest end C is the smallest, and any schedule
// of the open meetings. Competitors of m are the open meetings that share a person with it, or might want its room.
//
//   1. No competitor starts before C, and m's room is free: then m may be shifted to its earliest start, and every
//      competitor starts at C or later, since it cannot end before C.
//   2. A competitor starts before C. It ends before m starts, so m starts no earlier than the smallest earliest end
//      among the competitors that can start before C; or m waits for its room to be free.
//
// These are two branches without a list of possible starts. The second one moves m's earliest start forward, so the
// search ends (compare Le Pape et al. 1994). Placed meetings matter only by the earliest starts that they leave: a
// state consists of the open meetings with their earliest starts, and a state in which nothing is earlier than in a
// failed one fails.

#include <cstdint>

#include "kernels/tasks/meeting/meeting_booking.hpp"
#include "kernels/tasks/meeting/meeting_failures.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

enum class fit : std::int32_t { no, yes, undecided };

class fitter {
public:
    OPTGAP_HD static std::int64_t scratch_words(std::int32_t count) {
        return failed_states::scratch_words(count) + 2 * std::int64_t(count) + (1 << max_sequenced) +
               4 * max_decisions(count) + (max_decisions(count) + 1) * 2 * std::int64_t(count);
    }

    OPTGAP_HD fitter(candidates const& all, std::int32_t* scratch)
        : all_(all),
          rooms_(all.rooms < all.count ? all.rooms : all.count),
          failures_(all.count, rooms_, scratch),
          open_(scratch + failed_states::scratch_words(all.count)),
          candidate_(open_ + all.count),
          ends_(candidate_ + all.count),
          stack_(reinterpret_cast<decision*>(ends_ + (1 << max_sequenced))),
          state_(reinterpret_cast<std::int32_t*>(stack_ + max_decisions(all.count))) {}

    /// Gives slots to a set of which all but the last member have some. `rooms_suffice`: the i-th member can have the
    /// i-th room for itself. Every node of the search costs one step.
    OPTGAP_HD fit add(booking const& now, bool rooms_suffice, std::int64_t budget, std::int64_t& steps) {
        if (now.slip_in(rooms_suffice ? 0 : rooms_)) {
            return fit::yes;
        }
        if (!cliques_fit(now, open_, ends_)) {
            return fit::no;
        }
        // If rooms are scarce, times come first: if rooms can be found for these times, the question is settled.
        fit const found = search(now, 0, budget, steps);
        if (rooms_suffice || found != fit::yes || now.find_rooms(rooms_)) {
            return found;
        }
        return search(now, rooms_, budget, steps);
    }

private:
    struct decision {
        std::int32_t place;  ///< index into the open members
        std::int32_t room;
        std::int32_t raise;   ///< earliest start in the second branch; `never` if there is none
        std::int32_t raised;  ///< the second branch is under way
    };
    OPTGAP_HD static std::int64_t max_decisions(std::int32_t count) { return 256 + 4 * std::int64_t(count); }

    /// Lists the members that may have to move for the last one: all of them if rooms are scarce, otherwise those that
    /// conflicts connect to it.
    OPTGAP_HD void gather(booking const& now) {
        std::int32_t const added = now.count - 1;
        open_count_ = 0;
        open_[open_count_++] = added;
        // The members not yet reached follow those that are.
        for (std::int32_t i = 0; i < added; ++i) {
            open_[1 + i] = i;
        }
        for (std::int32_t next = 0; next < open_count_; ++next) {
            for (std::int32_t k = open_count_; k < now.count; ++k) {
                std::int32_t const i = open_[k];
                if (scarce_rooms_ > 0 || now.conflict(open_[next], i)) {
                    open_[k] = open_[open_count_];
                    open_[open_count_++] = i;
                }
            }
        }
        for (std::int32_t k = 0; k < open_count_; ++k) {
            candidate_[k] = now.member[open_[k]];
        }
    }

    /// A state: each open member's earliest start (-1 once placed), then when each scarce room is free.
    [[nodiscard]] OPTGAP_HD std::int32_t* state(std::int64_t depth) const {
        return state_ + depth * (2 * std::int64_t(all_.count));
    }

    /// Moves the earliest starts forward to times at which the members can start. Returns the member that can end
    /// first, -1 if all are placed, -2 if a member has no start left.
    OPTGAP_HD std::int32_t first_to_end(std::int32_t* earliest) const {
        std::int32_t const* const room_free_at = earliest + open_count_;
        for (std::int32_t k = 0; k < open_count_; ++k) {
            if (earliest[k] < 0) {
                continue;
            }
            std::int32_t const a = candidate_[k];
            std::int32_t from = scarce_rooms_ > 0 ? never : earliest[k];
            for (std::int32_t r = 0; r < scarce_rooms_ && all_.room_weight[r] >= all_.weight[a]; ++r) {
                from = room_free_at[r] < from ? room_free_at[r] : from;
            }
            from = from < earliest[k] ? earliest[k] : from;
            earliest[k] = from == never ? never : all_.start_from(a, from);
            if (earliest[k] == never) {
                return -2;
            }
        }
        std::int32_t best = -1;
        std::int32_t best_slack = never;
        for (std::int32_t k = 0; k < open_count_; ++k) {
            if (earliest[k] < 0) {
                continue;
            }
            std::int32_t const a = candidate_[k];
            std::int32_t const slack = all_.choice[all_.last[a] - 1].end - all_.duration[a] - earliest[k];
            if (slack < best_slack && ends_before_competitors(earliest, k)) {
                best_slack = slack;
                best = k;
            }
        }
        return best;
    }

    OPTGAP_HD bool ends_before_competitors(std::int32_t const* earliest, std::int32_t k) const {
        std::int32_t const a = candidate_[k];
        std::int32_t const own = earliest[k] + all_.duration[a];
        for (std::int32_t j = 0; j < open_count_; ++j) {
            std::int32_t const b = candidate_[j];
            if (j != k && earliest[j] >= 0 && (scarce_rooms_ > 0 || all_.conflict(a, b))) {
                std::int32_t const other = earliest[j] + all_.duration[b];
                if (other < own || (other == own && j < k)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Member k's earliest start once a competitor goes before it, or once another one of its rooms is free.
    OPTGAP_HD std::int32_t raised_start(std::int32_t const* earliest, std::int32_t k) const {
        std::int32_t const a = candidate_[k];
        std::int32_t const until = earliest[k] + all_.duration[a];
        std::int32_t raise = never;
        for (std::int32_t j = 0; j < open_count_; ++j) {
            if (j != k && earliest[j] >= 0 && earliest[j] < until &&
                (scarce_rooms_ > 0 || all_.conflict(a, candidate_[j]))) {
                std::int32_t const ends = earliest[j] + all_.duration[candidate_[j]];
                raise = ends < raise ? ends : raise;
            }
        }
        for (std::int32_t r = 0; r < scarce_rooms_ && all_.room_weight[r] >= all_.weight[a]; ++r) {
            std::int32_t const free = earliest[open_count_ + r];
            raise = free > earliest[k] && free < raise ? free : raise;
        }
        return raise;
    }

    /// The next room below `tried` for member k at its earliest start; -1 if there is none. Of rooms that hold the same
    /// meetings and become free at the same time for all open members, only the last one is tried.
    OPTGAP_HD std::int32_t next_room(std::int32_t const* earliest, std::int32_t k, std::int32_t tried) const {
        std::int32_t soonest = never;
        for (std::int32_t j = 0; j < open_count_; ++j) {
            soonest = earliest[j] >= 0 && earliest[j] < soonest ? earliest[j] : soonest;
        }
        std::int32_t const* const free = earliest + open_count_;
        for (std::int32_t r = tried - 1; r >= 0; --r) {
            if (all_.room_weight[r] < all_.weight[candidate_[k]] || free[r] > earliest[k]) {
                continue;
            }
            bool alike = false;
            for (std::int32_t s = r + 1; s < scarce_rooms_ && all_.room_weight[s] == all_.room_weight[r]; ++s) {
                alike = alike || free[s] == free[r] || (free[s] <= soonest && free[r] <= soonest);
            }
            if (!alike) {
                return r;
            }
        }
        return -1;
    }

    /// The state after placing member k of the state at `depth` at its earliest start.
    OPTGAP_HD void place(std::int64_t depth, std::int32_t k, std::int32_t room) {
        std::int32_t const* const from = state(depth);
        std::int32_t* const to = state(depth + 1);
        std::int32_t const a = candidate_[k];
        std::int32_t const until = from[k] + all_.duration[a];
        for (std::int32_t j = 0; j < open_count_; ++j) {
            bool const waits = from[j] >= 0 && from[j] < until && all_.conflict(a, candidate_[j]);
            to[j] = waits ? until : from[j];
        }
        to[k] = -1;
        for (std::int32_t r = 0; r < scarce_rooms_; ++r) {
            to[open_count_ + r] = r == room ? until : from[open_count_ + r];
        }
    }

    OPTGAP_HD fit search(booking const& now, std::int32_t scarce_rooms, std::int64_t budget, std::int64_t& steps) {
        scarce_rooms_ = scarce_rooms;
        gather(now);
        for (std::int32_t k = 0; k < open_count_ + scarce_rooms_; ++k) {
            state(0)[k] = 0;
        }
        std::int64_t depth = 0;
        while (true) {
            if (steps >= budget || depth == max_decisions(all_.count)) {
                return fit::undecided;
            }
            ++steps;
            std::int32_t* const earliest = state(depth);
            std::int32_t const k = first_to_end(earliest);
            if (k == -1) {
                take(now, depth);
                return fit::yes;
            }
            if (k >= 0 && !failures_.fails(named(earliest))) {
                std::int32_t const room = scarce_rooms_ > 0 ? next_room(earliest, k, scarce_rooms_) : open_[k];
                stack_[depth] = {k, room, raised_start(earliest, k), 0};
                place(depth++, k, room);
                continue;
            }
            while (depth > 0 && !retry(depth - 1)) {
                --depth;
            }
            if (depth == 0) {
                return fit::no;
            }
        }
    }

    /// Takes a decision's next branch: another room, then a later start; false if both have failed.
    OPTGAP_HD bool retry(std::int64_t depth) {
        decision& top = stack_[depth];
        std::int32_t const* const earliest = state(depth);
        if (top.raised == 0) {
            if (scarce_rooms_ > 0) {
                top.room = next_room(earliest, top.place, top.room);
                if (top.room >= 0) {
                    place(depth, top.place, top.room);
                    return true;
                }
            }
            if (top.raise != never) {
                top.raised = 1;
                for (std::int32_t k = 0; k < open_count_ + scarce_rooms_; ++k) {
                    state(depth + 1)[k] = earliest[k];
                }
                state(depth + 1)[top.place] = top.raise;
                return true;
            }
        }
        failures_.remember(named(earliest));
        return false;
    }

    OPTGAP_HD void take(booking const& now, std::int64_t depth) const {
        for (std::int64_t d = 0; d < depth; ++d) {
            if (stack_[d].raised == 0) {
                now.start[open_[stack_[d].place]] = state(d)[stack_[d].place];
                now.room[open_[stack_[d].place]] = stack_[d].room;
            }
        }
    }

    [[nodiscard]] OPTGAP_HD placement_state named(std::int32_t const* earliest) const {
        return {candidate_, earliest, open_count_, earliest + open_count_, scarce_rooms_};
    }

    candidates const& all_;
    std::int32_t rooms_;  ///< the largest rooms, at most as many as there are candidates
    failed_states failures_;
    std::int32_t* open_;       ///< members whose slots are sought
    std::int32_t* candidate_;  ///< which they are
    std::int32_t* ends_;
    decision* stack_;
    std::int32_t* state_;
    std::int32_t open_count_ = 0;
    std::int32_t scarce_rooms_ = 0;  ///< rooms to choose from; 0 if rooms do not matter
};

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
