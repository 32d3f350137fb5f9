// Meetings, people and rooms, with the clock starting at the first window.

#include <algorithm>

#include "kernels/canonical/form.hpp"
#include "kernels/tasks/meeting/meeting_instance.hpp"

namespace meeting_canonical {

static void list(optgap::words_view instance, optgap::canonical::structure& out) {
    using namespace optgap::tasks::meeting;
    calendar const all = calendar_of(instance);
    std::int32_t const windows = all.people == 0 ? 0 : all.window_end[all.people - 1];
    std::int32_t first = latest;
    for (std::int32_t w = 0; w < windows; ++w) {
        first = std::min(first, all.window[2 * w]);
    }
    std::int32_t const meetings = out.add_nodes(0, all.meetings);
    std::int32_t const people = out.add_nodes(1, all.people);
    std::int32_t const rooms = out.add_nodes(2, all.rooms);
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        out.say_of(meetings + m, {all.duration[m]});
        for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
            out.join(meetings + m, people + all.attendee[i], 0);
        }
    }
    for (std::int32_t p = 0; p < all.people; ++p) {
        for (std::int32_t w = begin_of(all.window_end, p); w < all.window_end[p]; ++w) {
            out.say_of(people + p, {all.window[2 * w] - first, all.window[2 * w + 1] - first});
        }
    }
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        out.say_of(rooms + r, {all.capacity[r]});
    }
}

}  // namespace meeting_canonical

extern optgap::canonical_rules const optgap_canonical_meeting;
optgap::canonical_rules const optgap_canonical_meeting{.list = meeting_canonical::list,
                                                       .constrain = optgap::constraints::meetings};
