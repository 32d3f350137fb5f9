// JSON and sentences of meeting.

#include <algorithm>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "kernels/tasks/meeting/meeting_prompt.hpp"
#include "kernels/tasks/meeting/meeting_verify.hpp"
#include "kernels/text/json_fields.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::meeting {
std::string picture(words_view instance, words_view answer);  // meeting_picture.cpp
}

namespace optgap {
namespace {

using tasks::meeting::begin_of;
using tasks::meeting::calendar;
using tasks::meeting::entry;

json to_json(words_view instance) {
    calendar const all = tasks::meeting::calendar_of(instance);
    json attendees = json::array();
    for (std::int32_t m = 0; m < all.meetings; ++m) {
        attendees.push_back(std::vector<std::int32_t>(all.attendee + begin_of(all.attendee_end, m),
                                                      all.attendee + all.attendee_end[m]));
    }
    json availability = json::array();
    for (std::int32_t p = 0; p < all.people; ++p) {
        json windows = json::array();
        for (std::int32_t w = begin_of(all.window_end, p); w < all.window_end[p]; ++w) {
            windows.push_back({all.window[2 * w], all.window[2 * w + 1]});
        }
        availability.push_back(std::move(windows));
    }
    json out;
    out["attendees"] = std::move(attendees);
    out["durations"] = std::vector<std::int32_t>(all.duration, all.duration + all.meetings);
    out["availability"] = std::move(availability);
    out["capacities"] = std::vector<std::int32_t>(all.capacity, all.capacity + all.rooms);
    return out;
}

/// `where()` returns the name of the value, here and below.
template <class Value, class Where>
std::int32_t read_integer(Value const& value, Where const& where, std::int32_t low, std::int32_t high) {
    auto const found = integer_within(value, low, high);
    if (!found) {
        throw field_error(where(), integer_rule(low, high));
    }
    return *found;
}

template <class Value, class Where>
void require_list(Value const& value, Where const& where, std::size_t shortest, std::size_t longest) {
    if (!value.is_array()) {
        throw field_error(where(), "must be a list");
    }
    if (value.size() < shortest || value.size() > longest) {
        throw field_error(where(),
                          "must have " + std::to_string(shortest) + " to " + std::to_string(longest) + " entries");
    }
}

/// Appends a meeting's attendees in order.
template <class Value>
void read_attendees(Value const& value, std::size_t meeting, std::int32_t people, std::vector<std::int32_t>& out) {
    require_list(
        value, [meeting] { return entry_name("attendees", meeting); }, 1, std::size_t(people));
    auto const begin = std::ptrdiff_t(out.size());
    for (std::size_t i = 0; Value const& attendee : value) {
        out.push_back(read_integer(
            attendee, [&] { return entry_name("attendees", meeting, i); }, 0, people - 1));
        ++i;
    }
    std::vector<std::int32_t> const written(out.begin() + begin, out.end());
    std::sort(out.begin() + begin, out.end());
    if (std::adjacent_find(out.begin() + begin, out.end()) == out.end()) {
        return;
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        auto const [first, last] = std::equal_range(out.begin() + begin, out.end(), written[i]);
        if (last - first > 1) {
            throw field_error(entry_name("attendees", meeting, i), "is an attendee twice");
        }
    }
}

/// Appends a person's windows in order; those that overlap or touch become one.
template <class Value>
void read_windows(Value const& value, std::size_t person, std::vector<std::int32_t>& out) {
    using tasks::meeting::latest;
    std::vector<std::pair<std::int32_t, std::int32_t>> windows;
    require_list(
        value, [person] { return entry_name("availability", person); }, 0, std::size_t(latest));
    for (std::size_t w = 0; Value const& window : value) {
        auto const named = [&](char const* end) { return entry_name("availability", person, w) + end; };
        require_list(
            window, [&] { return named(""); }, 2, 2);
        std::int32_t const start = read_integer<Value>(
            window[0], [&] { return named("[0]"); }, 0, latest);
        std::int32_t const end = read_integer<Value>(
            window[1], [&] { return named("[1]"); }, 0, latest);
        if (end <= start) {
            throw field_error(named(""), "must end after it starts");
        }
        windows.emplace_back(start, end);
        ++w;
    }
    std::sort(windows.begin(), windows.end());
    auto const begin = out.size();
    for (auto const& [start, end] : windows) {
        if (out.size() > begin && start <= out.back()) {
            out.back() = std::max(out.back(), end);
        } else {
            out.push_back(start);
            out.push_back(end);
        }
    }
}

/// A value is the library's or flat.
template <class Value>
std::vector<std::int32_t> read_calendar(Value const& instance) {
    using namespace tasks::meeting;
    require_fields(instance, {"attendees", "durations", "availability", "capacities"});
    auto const called = [](char const* name) { return [name] { return std::string(name); }; };
    Value const& attendees = instance["attendees"];
    Value const& durations = instance["durations"];
    Value const& availability = instance["availability"];
    Value const& capacities = instance["capacities"];
    require_list(attendees, called("attendees"), 1, max_meetings);
    require_list(durations, called("durations"), attendees.size(), attendees.size());
    require_list(availability, called("availability"), 1, max_people);
    require_list(capacities, called("capacities"), 0, max_rooms);

    std::vector<std::int32_t> words = {std::int32_t(attendees.size()), std::int32_t(availability.size()),
                                       std::int32_t(capacities.size())};
    std::vector<std::int32_t> lists;
    for (std::size_t m = 0; Value const& duration : durations) {
        words.push_back(read_integer(
            duration, [&] { return entry_name("durations", m); }, 1, latest));
        ++m;
    }
    for (std::size_t m = 0; Value const& people : attendees) {
        read_attendees(people, m++, words[1], lists);
        words.push_back(std::int32_t(lists.size()));
    }
    std::size_t const attendee_count = lists.size();
    for (std::size_t p = 0; Value const& windows : availability) {
        read_windows(windows, p++, lists);
        words.push_back(std::int32_t((lists.size() - attendee_count) / 2));
    }
    for (std::size_t r = 0; Value const& capacity : capacities) {
        words.push_back(read_integer(
            capacity, [&] { return entry_name("capacities", r); }, 0, INT32_MAX));
        ++r;
    }
    words.insert(words.end(), lists.begin(), lists.end());
    if (char const* const rule = check_calendar({words.data(), std::int64_t(words.size())})) {
        throw field_error("availability", rule);
    }
    return words;
}

/// "meeting 2 (90 minutes from 1020)"
std::string named(calendar const& all, entry const& which) {
    return "meeting " + std::to_string(which.meeting) + " (" + std::to_string(all.duration[which.meeting]) +
           " minutes from " + std::to_string(which.start) + ")";
}

/// The first attendee of the entry's meeting who is not available for all of it.
std::int32_t absent(calendar const& all, entry const& which) {
    for (std::int32_t i = begin_of(all.attendee_end, which.meeting); i < all.attendee_end[which.meeting]; ++i) {
        std::int32_t const p = all.attendee[i];
        std::int32_t const w = tasks::meeting::window_after(all, p, which.start);
        if (w == all.window_end[p] || all.window[2 * w] > which.start ||
            all.window[2 * w + 1] < std::int64_t(which.start) + all.duration[which.meeting]) {
            return p;
        }
    }
    return -1;
}

std::int32_t shared_person(calendar const& all, std::int32_t a, std::int32_t b) {
    for (std::int32_t i = begin_of(all.attendee_end, a); i < all.attendee_end[a]; ++i) {
        for (std::int32_t j = begin_of(all.attendee_end, b); j < all.attendee_end[b]; ++j) {
            if (all.attendee[i] == all.attendee[j]) {
                return all.attendee[i];
            }
        }
    }
    return -1;
}

/// Names the earlier entry that is in the way of entry `at`, by room or by person.
std::string clash(calendar const& all, answer_view const& answer, std::int64_t at, bool by_room) {
    entry const own = tasks::meeting::entry_of(answer, at);
    for (std::int64_t k = 0; k < at; ++k) {
        entry const other = tasks::meeting::entry_of(answer, k);
        bool const apart = std::int64_t(own.start) >= std::int64_t(other.start) + all.duration[other.meeting] ||
                           std::int64_t(other.start) >= std::int64_t(own.start) + all.duration[own.meeting];
        std::int32_t const person = shared_person(all, own.meeting, other.meeting);
        if (!apart && (by_room ? own.room == other.room : person >= 0)) {
            return (by_room ? "Room " + std::to_string(own.room) + " holds "
                            : "Person " + std::to_string(person) + " is in ") +
                   named(all, own) + " while " + named(all, other) + " is on.";
        }
    }
    return "Two meetings overlap.";
}

std::string explain(words_view instance, words_view block, verdict const& found) {
    calendar const all = tasks::meeting::calendar_of(instance);
    answer_view const answer = view_answer(block);
    std::string const place = "entry " + std::to_string(found.where / 3) + " (counted from 0)";
    switch (found.code) {
        case code_ok: return "The schedule keeps every rule and has " + std::to_string(found.objective) + " attendees.";
        case code_unparsable: return "The answer is a word, but a list of (meeting, room, start) triples is expected.";
        case code_bad_depth:
            return "The answer is one flat list of numbers, but a list of (meeting, room, start) triples is expected.";
        case code_empty: return "No meeting is scheduled, although at least one can take place.";
        case code_wrong_length:
            return (found.where < 0 ? std::string("An entry") : "The " + place) +
                   " does not have exactly three numbers: meeting, room, start.";
        default: break;
    }
    if (found.where < 0 || found.where >= answer.count) {
        return "The answer is not a list of (meeting, room, start) triples.";
    }
    if (found.code == code_out_of_range) {
        bool const room = found.where % 3 == 1;
        std::int32_t const count = room ? all.rooms : all.meetings;
        return std::string(room ? "There is no room " : "There is no meeting ") +
               std::to_string(answer.values[found.where]) + " (" + place + "): there are " + std::to_string(count) +
               ", numbered from 0.";
    }
    entry const own = tasks::meeting::entry_of(answer, found.where / 3);
    switch (found.code) {
        case code_repeated:
            return "Meeting " + std::to_string(own.meeting) + " is scheduled again at " + place +
                   ", but takes place at most once.";
        case tasks::meeting::code_room_too_small:
            return "Room " + std::to_string(own.room) + " holds " + std::to_string(all.capacity[own.room]) +
                   ", but meeting " + std::to_string(own.meeting) + " has " +
                   std::to_string(tasks::meeting::size_of(all, own.meeting)) + " attendees.";
        case tasks::meeting::code_unavailable:
            return "Person " + std::to_string(absent(all, own)) + " is not available for all of " + named(all, own) +
                   ".";
        case tasks::meeting::code_room_taken: return clash(all, answer, found.where / 3, true);
        case tasks::meeting::code_person_taken: return clash(all, answer, found.where / 3, false);
        default: return "The answer is not a list of (meeting, room, start) triples.";
    }
}

constexpr char const* no_words[] = {nullptr};
constexpr json_rule json_fields[] = {
    {"attendees", 2, "for each meeting, from 0 on, the people who attend it, numbered from 0 on"},
    {"durations", 1, "for each meeting its minutes"},
    {"availability", 3, "for each person the windows [start, end] of minutes in which the person is free"},
    {"capacities", 1, "for each room, from 0 on, how many people it holds"},
};
constexpr file_format no_files[] = {{nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "meeting"}, {.name = "attendee"}, {.name = "room"}},
    .fields = {{.name = "attendees", .rows = "meeting", .names = {"attendee"}},
               {.name = "durations", .rows = "meeting"},
               {.name = "availability", .rows = "attendee"},
               {.name = "capacities", .rows = "room"}},
    .answer = {.names = {"meeting", "room", ""}},
};

}  // namespace
}  // namespace optgap

namespace {
constexpr char const* meeting_tags[] = {"scheduling", nullptr};
}  // namespace

extern optgap::task_text const optgap_text_meeting;
optgap::task_text const optgap_text_meeting = {
    .title = "Meeting scheduling",
    .summary = "give meetings rooms and times so that as many people as possible attend",
    .category = "resource scheduling",
    .objective = "attendees of the scheduled meetings",
    .answer_form = "[[m, r, t], [n, s, u], ...]",
    .words = optgap::no_words,
    .styles = optgap::meeting_prompts::styles,
    .files = optgap::no_files,
    .prompt = optgap::meeting_prompts::prompt,
    .to_json = optgap::to_json,
    .from_json = optgap::read_calendar<optgap::json>,
    .from_flat = optgap::read_calendar<optgap::flat_value>,
    .explain = optgap::explain,
    .picture = optgap::text::meeting::picture,
    .twins = &optgap::relabels,
    .json_fields = optgap::json_fields,
    .family = "labels",
    .tags = meeting_tags,
    .expensive_steps = 128,
};
