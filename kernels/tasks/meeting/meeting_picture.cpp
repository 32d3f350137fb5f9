// Rooms over time with their meetings, and below each person's windows with the meetings attended.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernels/tasks/meeting/meeting_instance.hpp"
#include "kernels/text/svg.hpp"

namespace optgap::text::meeting {
namespace {

using namespace optgap::tasks::meeting;

constexpr double left = 66;
constexpr double plot_width = 360;
constexpr double top = 16;
constexpr double room_height = 22;
constexpr double person_height = 13;
constexpr double gap = 14;

/// The positions of minutes.
struct time_axis {
    std::int32_t begin;
    std::int32_t end;

    explicit time_axis(calendar const& all) : begin(never), end(0) {
        for (std::int32_t w = 0; w < all.window_end[all.people - 1]; ++w) {
            begin = std::min(begin, all.window[2 * w]);
            end = std::max(end, all.window[2 * w + 1]);
        }
        begin = begin == never ? 0 : begin;
        end = std::max(end, begin + 1);
    }
    [[nodiscard]] double width(std::int64_t minutes) const {
        return plot_width * double(minutes) / double(end - begin);
    }
    [[nodiscard]] double at(std::int32_t minute) const { return left + width(minute - begin); }
};

std::string clock(std::int32_t minute) { return fmt::format("{}:{:02}", minute / 60, minute % 60); }

}  // namespace

std::string picture(words_view instance, words_view answer) {
    calendar const all = calendar_of(instance);
    time_axis const time(all);
    answer_view const list = view_answer(answer);
    double const people_top = top + room_height * double(all.rooms) + gap;
    double const bottom = people_top + person_height * double(all.people);
    svg out(left + plot_width + 8, bottom + 32, "Meetings in rooms over time");
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        double const y = top + room_height * double(r);
        out.text({left - 6, y + 14}, fmt::format("room {} ({})", r, all.capacity[r]), "note", text_anchor::end);
        out.line({left, y + room_height}, {left + plot_width, y + room_height}, "line");
    }
    for (std::int32_t p = 0; p < all.people; ++p) {
        double const y = people_top + person_height * double(p);
        out.text({left - 6, y + 9}, fmt::format("person {}", p), "note", text_anchor::end);
        for (std::int32_t w = begin_of(all.window_end, p); w < all.window_end[p]; ++w) {
            std::int32_t const start = all.window[2 * w];
            out.rectangle({time.at(start), y + 1}, time.width(all.window[2 * w + 1] - start), person_height - 2, "bar");
        }
    }
    std::int64_t attendees = 0;
    for (std::int32_t entry = 0; entry < list.row_count(); ++entry) {
        std::int32_t const* const triple = list.values + 3 * std::int64_t(entry);
        std::int32_t const m = triple[0];
        double const x = time.at(triple[2]);
        double const wide = time.width(all.duration[m]);
        double const y = top + room_height * double(triple[1]);
        out.rectangle({x, y + 1}, wide, room_height - 2, "chosen",
                      fmt::format("meeting {}: {} to {}, {} attendees", m, clock(triple[2]),
                                  clock(triple[2] + all.duration[m]), size_of(all, m)));
        out.text({x + wide / 2, y + 14}, fmt::format("{}", m), "on", text_anchor::middle);
        for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
            out.rectangle({x, people_top + person_height * double(all.attendee[i]) + 1}, wide, person_height - 2,
                          "chosen", fmt::format("person {} in meeting {}", all.attendee[i], m));
        }
        attendees += size_of(all, m);
    }
    out.line({left, bottom + 2}, {left + plot_width, bottom + 2}, "axis");
    out.text({left, bottom + 14}, clock(time.begin), "note");
    out.text({left + plot_width, bottom + 14}, clock(time.end), "note", text_anchor::end);
    out.text({left + plot_width / 2, bottom + 26},
             fmt::format("{} of {} meetings, {} attendees", list.row_count(), all.meetings, attendees), "note",
             text_anchor::middle);
    return out.finish();
}

}  // namespace optgap::text::meeting
