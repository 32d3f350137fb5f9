#pragma once
// A set of candidates with their slots, and inexpensive tests of whether one more fits: a free slot beside the others,
// rooms for given times, and cliques of the conflicts that can take place one after the other.

#include <cstdint>

#include "kernels/tasks/meeting/meeting_candidates.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

/// The members in the candidates' order; `room` counts in the candidates' order of rooms.
struct booking {
    candidates const* all;
    std::int32_t* member;
    std::int32_t* start;
    std::int32_t* room;
    std::int32_t count;

    [[nodiscard]] OPTGAP_HD std::int32_t end(std::int32_t i) const { return start[i] + all->duration[member[i]]; }
    [[nodiscard]] OPTGAP_HD bool conflict(std::int32_t i, std::int32_t k) const {
        return all->conflict(member[i], member[k]);
    }

    /// The time at which room r becomes free after the slots of members 0 … before-1 in [begin, until); `begin` if it
    /// is free.
    [[nodiscard]] OPTGAP_HD std::int32_t room_free(std::int32_t r, std::int32_t before, std::int32_t begin,
                                                   std::int32_t until) const {
        std::int32_t free = begin;
        for (std::int32_t k = 0; k < before; ++k) {
            if (room[k] == r && start[k] < until && end(k) > free) {
                free = end(k);
            }
        }
        return free;
    }

    /// Gives each member in turn the smallest free room at its given time; false if there is none for some member.
    OPTGAP_HD bool find_rooms(std::int32_t rooms) const {
        for (std::int32_t i = 0; i < count; ++i) {
            std::int32_t r = rooms - 1;
            while (r >= 0 &&
                   (all->room_weight[r] < all->weight[member[i]] || room_free(r, i, start[i], end(i)) != start[i])) {
                --r;
            }
            if (r < 0) {
                return false;
            }
            room[i] = r;
        }
        return true;
    }

    /// Gives the last member a slot beside the others, which stay unchanged. It chooses among the first `scarce_rooms`
    /// rooms; if that is 0, it uses the room of its own rank, which no other member has.
    OPTGAP_HD bool slip_in(std::int32_t scarce_rooms) const {
        std::int32_t const added = count - 1;
        std::int32_t const a = member[added];
        std::int32_t begin = all->start_from(a, 0);
        while (begin != never) {
            std::int32_t const until = begin + all->duration[a];
            std::int32_t free = begin;
            for (std::int32_t k = 0; k < added; ++k) {
                if (start[k] < until && end(k) > free && conflict(added, k)) {
                    free = end(k);
                }
            }
            std::int32_t own_room = added;
            if (free == begin && scarce_rooms > 0) {
                free = never;
                for (std::int32_t r = 0; r < scarce_rooms && all->room_weight[r] >= all->weight[a]; ++r) {
                    std::int32_t const here = room_free(r, added, begin, until);
                    own_room = here == begin ? r : own_room;
                    free = here < free ? here : free;
                }
            }
            if (free == begin) {
                start[added] = begin;
                room[added] = own_room;
                return true;
            }
            begin = free == never ? never : all->start_from(a, free);
        }
        return false;
    }
};

inline constexpr std::int32_t max_sequenced = 10;  ///< meetings of a clique, whose subsets are all sequenced

/// Whether these candidates can take place one after the other, by the earliest end of each subset, over its last
/// meeting. `ends` has room for all subsets.
OPTGAP_HD inline bool sequence_fits(candidates const& all, std::int32_t const* clique, std::int32_t size,
                                    std::int32_t* ends) {
    ends[0] = 0;
    for (std::uint32_t set = 1; set < (1u << size); ++set) {
        ends[set] = never;
        for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
            std::int32_t const last = lowest(bits);
            std::int32_t const before = ends[set & ~(1u << last)];
            std::int32_t const start = before == never ? never : all.start_from(clique[last], before);
            if (start != never && start + all.duration[clique[last]] < ends[set]) {
                ends[set] = start + all.duration[clique[last]];
            }
        }
    }
    return ends[(1u << size) - 1] != never;
}

/// A necessary condition for the last member: the cliques of conflicts grown from it fit one after the other. Each
/// member that conflicts with it is in one of them, as far as `max_sequenced` allows. `marked` has room for one number
/// for each member.
OPTGAP_HD inline bool cliques_fit(booking const& now, std::int32_t* marked, std::int32_t* ends) {
    std::int32_t const added = now.count - 1;
    for (std::int32_t i = 0; i < added; ++i) {
        marked[i] = now.conflict(added, i) ? 0 : 1;
    }
    for (std::int32_t seed = 0; seed < added; ++seed) {
        if (marked[seed] != 0) {
            continue;
        }
        std::int32_t clique[max_sequenced] = {now.member[added], now.member[seed]};
        std::int32_t size = 2;
        for (std::int32_t step = 1; step < added && size < max_sequenced; ++step) {
            std::int32_t const i = (seed + step) % added;
            bool joins = true;
            for (std::int32_t k = 0; joins && k < size; ++k) {
                joins = now.all->conflict(clique[k], now.member[i]);
            }
            if (joins) {
                marked[i] = 1;
                clique[size++] = now.member[i];
            }
        }
        if (!sequence_fits(*now.all, clique, size, ends)) {
            return false;
        }
    }
    return true;
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
