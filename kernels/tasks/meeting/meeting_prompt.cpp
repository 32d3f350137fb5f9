// The prompts of meeting: lines, arrays, tables with clock times, an office story by person, JSON.

#include "kernels/tasks/meeting/meeting_prompt.hpp"

#include "kernels/tasks/meeting/meeting_instance.hpp"
#include "kernels/text/number_text.hpp"

namespace optgap::meeting_prompts {
namespace {

using tasks::meeting::begin_of;
using tasks::meeting::calendar;

constexpr std::uint32_t purpose_example = 32;

/// 545 as "9:05".
void append_clock(std::string& text, std::int32_t minutes) {
    append_integer(text, minutes / 60);
    text += minutes % 60 < 10 ? ":0" : ":";
    append_integer(text, minutes % 60);
}

void append_attendees(std::string& text, calendar const& all, std::int32_t m) {
    std::int32_t const begin = begin_of(all.attendee_end, m);
    append_list(text, all.attendee + begin, all.attendee_end[m] - begin);
}

/// "540-600, 630-1020"
void append_minutes(std::string& text, calendar const& all, std::int32_t p) {
    std::int32_t const begin = begin_of(all.window_end, p);
    for (std::int32_t w = begin; w < all.window_end[p]; ++w) {
        text += w > begin ? ", " : "";
        append_integer(text, all.window[2 * w]);
        text += '-';
        append_integer(text, all.window[2 * w + 1]);
    }
    text += begin == all.window_end[p] ? "never" : "";
}

void append_clocks(std::string& text, calendar const& all, std::int32_t p) {
    std::int32_t const begin = begin_of(all.window_end, p);
    for (std::int32_t w = begin; w < all.window_end[p]; ++w) {
        text += w > begin ? ", " : "";
        append_clock(text, all.window[2 * w]);
        text += '-';
        append_clock(text, all.window[2 * w + 1]);
    }
    text += begin == all.window_end[p] ? "never" : "";
}

/// "[[540, 600], [630, 1020]]"
void append_pairs(std::string& text, calendar const& all, std::int32_t p) {
    text += '[';
    std::int32_t const begin = begin_of(all.window_end, p);
    for (std::int32_t w = begin; w < all.window_end[p]; ++w) {
        text += w > begin ? ", " : "";
        append_list(text, all.window + 2 * w, 2);
    }
    text += ']';
}

/// Calls `item(i)` for 0 … count-1 with commas between, in brackets.
template <class Item>
void append_items(std::string& text, std::int32_t count, Item const& item) {
    text += '[';
    for (std::int32_t i = 0; i < count; ++i) {
        text += i > 0 ? ", " : "";
        item(i);
    }
    text += ']';
}

/// Two meetings with one person in common, one right after the other: both take place, so no schedule is better.
void add_example(std::string& text, draw source) {
    auto const chosen = [&](std::uint32_t word, std::int32_t a, std::int32_t b) {
        return uniform(source, purpose_example, word, a, b);
    };
    std::int32_t const shared = chosen(0, 0, 2);
    std::int32_t const first = (shared + 1) % 3;
    std::int32_t const second = (shared + 2) % 3;
    std::int32_t const start = 15 * chosen(1, 32, 48);
    std::int32_t const duration[2] = {15 * chosen(2, 1, 6), 15 * chosen(3, 1, 6)};
    std::int32_t const middle = start + duration[0];
    std::int32_t const end = middle + duration[1];
    std::int32_t const capacity[2] = {chosen(4, 2, 5), chosen(5, 2, 5)};
    std::int32_t window[3][2];
    window[shared][0] = start;
    window[shared][1] = end;
    window[first][0] = start - 15 * chosen(6, 0, 3);
    window[first][1] = middle + 15 * chosen(7, 0, 3);
    window[second][0] = middle - 15 * chosen(8, 0, 1);
    window[second][1] = end + 15 * chosen(9, 0, 3);
    text += "Worked example (a different instance): attendees [";
    for (std::int32_t const other : {first, second}) {
        std::int32_t const pair[2] = {shared < other ? shared : other, shared < other ? other : shared};
        text += other == second ? ", " : "";
        append_list(text, pair, 2);
    }
    text += "], durations ";
    append_list(text, duration, 2);
    text += ", availability ";
    append_items(text, 3, [&](std::int32_t p) {
        text += '[';
        append_list(text, window[p], 2);
        text += ']';
    });
    text += ", capacities ";
    append_list(text, capacity, 2);
    text += ". Person ";
    append_integer(text, shared);
    text += " is in both meetings, so meeting 1 starts when meeting 0 is over: [[0, 0, ";
    append_integer(text, start);
    text += "], [1, 1, ";
    append_integer(text, middle);
    text += "]] has 4 attendees in all, and no schedule has more.\n\n";
}

void tell_as_lines(std::string& text, calendar const& all) {
    text +=
        "Schedule meetings so that as many people as possible attend: maximise the sum, over the scheduled meetings, "
        "of "
        "their numbers of attendees. You need not schedule every meeting.\n"
        "- A meeting takes place at most once, in one room, without a break.\n"
        "- The room must hold all attendees of the meeting.\n"
        "- Every attendee must be available for the whole meeting, inside one availability window.\n"
        "- No room holds two meetings at a time, and no person is in two meetings at a time, not even in different "
        "rooms. A meeting may start at the minute another one ends.\n"
        "Times are minutes since midnight; a meeting may start at any whole minute. Numbering starts at 0.\n\n";
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        text += "Meeting ";
        append_integer(text, m);
        text += ": ";
        append_integer(text, all.duration[m]);
        text += " minutes, attendees ";
        append_attendees(text, all, m);
        text += '\n';
    }
    for (std::int32_t p = 0; p < all.people; ++p) {
        text += "Person ";
        append_integer(text, p);
        text += ": available ";
        append_minutes(text, all, p);
        text += '\n';
    }
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        text += "Room ";
        append_integer(text, r);
        text += ": holds ";
        append_integer(text, all.capacity[r]);
        text += '\n';
    }
    text += "\nGive one triple (meeting, room, start) for each scheduled meeting, in any order.\n";
}

void tell_as_arrays(std::string& text, calendar const& all) {
    text +=
        "Meeting scheduling. Meeting m takes durations[m] minutes and is attended by the people attendees[m]; person p "
        "is available in the windows [start, end] of availability[p] (minutes since midnight); room r holds "
        "capacities[r] people. All indices start at 0. Choose meetings, each at most once, and give each a room r and "
        "an "
        "integer start t such that len(attendees[m]) <= capacities[r]; [t, t + durations[m]] lies within a single "
        "window of every attendee; and meetings that share a room or an attendee do not overlap (one may start exactly "
        "when the other ends). Maximise the sum of len(attendees[m]) over the chosen meetings.\n\nattendees = ";
    append_items(text, all.meetings, [&](std::int32_t m) { append_attendees(text, all, m); });
    text += "\ndurations = ";
    append_list(text, all.duration, all.meetings);
    text += "\navailability = ";
    append_items(text, all.people, [&](std::int32_t p) { append_pairs(text, all, p); });
    text += "\ncapacities = ";
    append_list(text, all.capacity, all.rooms);
    text += "\n\nThe answer is the list of triples [m, r, t] of the chosen meetings.\n";
}

void tell_as_tables(std::string& text, calendar const& all, draw source) {
    text +=
        "Plan a day of meetings. The plan is worth the number of attendees of each meeting that takes place, added up, "
        "and should be worth as much as possible. A meeting that takes place does so once, in a room with enough "
        "seats, "
        "while all of its attendees are free from its start to its end without interruption. Neither a room nor a "
        "person "
        "can be in use by two meetings at once; back-to-back is fine. Meetings may be left out. Starts are whole "
        "minutes "
        "after midnight (9:00 is 540).\n\n";
    add_example(text, source);
    text += "| meeting | length (min) | attendees |\n|---|---|---|\n";
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        text += "| ";
        append_integer(text, m);
        text += " | ";
        append_integer(text, all.duration[m]);
        text += " | ";
        append_attendees(text, all, m);
        text += " |\n";
    }
    text += "\n| person | free (clock) | free (minutes) |\n|---|---|---|\n";
    for (std::int32_t p = 0; p < all.people; ++p) {
        text += "| ";
        append_integer(text, p);
        text += " | ";
        append_clocks(text, all, p);
        text += " | ";
        append_minutes(text, all, p);
        text += " |\n";
    }
    text += "\n| room | seats |\n|---|---|\n";
    for (std::int32_t r = 0; r < all.rooms; ++r) {
        text += "| ";
        append_integer(text, r);
        text += " | ";
        append_integer(text, all.capacity[r]);
        text += " |\n";
    }
    text += "\nAnswer with one triple (meeting, room, start in minutes) per meeting that takes place.\n";
}

void tell_as_office(std::string& text, calendar const& all, draw source) {
    text +=
        "An office assistant books meetings for the staff, who are numbered from 0 like the meetings and the rooms. "
        "Each "
        "staff member below has free times (minutes after midnight) and the meetings he or she has been invited to. A "
        "meeting only takes place if everyone invited can be there from beginning to end, within one free time of "
        "each, "
        "and nobody can sit in two meetings at once. Every meeting needs a room with at least as many seats as people "
        "invited, for itself. As soon as one meeting is over, its people and its room can go on with another. Book the "
        "meetings that bring the largest total of invitations to pass; the others are dropped.\n\n";
    add_example(text, source);
    text += "Minutes needed, by meeting: ";
    append_list(text, all.duration, all.meetings);
    text += "\nSeats, by room: ";
    append_list(text, all.capacity, all.rooms);
    text += '\n';
    for (std::int32_t p = 0; p < all.people; ++p) {
        text += "Staff member ";
        append_integer(text, p);
        text += " is free ";
        append_minutes(text, all, p);
        text += "; invited to";
        bool invited = false;
        for (std::int32_t m = 0; m < all.meetings; ++m) {
            for (std::int32_t i = begin_of(all.attendee_end, m); i < all.attendee_end[m]; ++i) {
                if (all.attendee[i] == p) {
                    text += invited ? ", " : " ";
                    append_integer(text, m);
                    invited = true;
                }
            }
        }
        text += invited ? ".\n" : " nothing.\n";
    }
    text += "\nFor each meeting booked, give the triple (meeting, room, starting minute).\n";
}

void tell_as_json(std::string& text, calendar const& all) {
    text +=
        "Below is a JSON document with events, calendars and halls, each counted from zero. An event may be held once, "
        "in "
        "a hall with \"seats\" no fewer than its participants, starting at any integer minute of the day, provided "
        "that "
        "the calendar of every participant has one open interval [from, to] that covers it completely. At no moment "
        "may "
        "a hall or a participant be taken by two events (ending and starting at the same minute do not collide). Find "
        "which events to hold, where and when, so that the participants of the events held, counted once per event, "
        "are "
        "as many as possible.\n\n{\"events\": ";
    append_items(text, all.meetings, [&](std::int32_t m) {
        text += "{\"minutes\": ";
        append_integer(text, all.duration[m]);
        text += ", \"participants\": ";
        append_attendees(text, all, m);
        text += '}';
    });
    text += ", \"calendars\": ";
    append_items(text, all.people, [&](std::int32_t p) { append_pairs(text, all, p); });
    text += ", \"halls\": ";
    append_items(text, all.rooms, [&](std::int32_t r) {
        text += "{\"seats\": ";
        append_integer(text, all.capacity[r]);
        text += '}';
    });
    text += "}\n\nReturn a list with [event, hall, starting minute] for every event held.\n";
}

}  // namespace

std::string prompt(words_view instance, std::int32_t style, draw source) {
    calendar const all = tasks::meeting::calendar_of(instance);
    std::string text;
    text.reserve(2048 + std::size_t(instance.count) * 12);
    switch (style) {
        case 0: tell_as_lines(text, all); break;
        case 1: tell_as_arrays(text, all); break;
        case 2: tell_as_tables(text, all, source); break;
        case 3: tell_as_office(text, all, source); break;
        default: tell_as_json(text, all); break;
    }
    return text;
}

}  // namespace optgap::meeting_prompts
