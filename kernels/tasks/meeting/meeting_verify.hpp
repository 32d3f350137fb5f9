#pragma once
// The verifier: which rule an answer breaks first, and how many of its entries break one.

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/task.hpp"
#include "kernels/tasks/meeting/meeting_instance.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::meeting {

inline constexpr std::int32_t code_room_too_small = first_task_code;
inline constexpr std::int32_t code_unavailable = first_task_code + 1;
inline constexpr std::int32_t code_room_taken = first_task_code + 2;
inline constexpr std::int32_t code_person_taken = first_task_code + 3;

/// One row of an answer whose rows have three values.
struct entry {
    std::int32_t meeting;
    std::int32_t room;
    std::int32_t start;
};

OPTGAP_HD inline entry entry_of(answer_view const& answer, std::int64_t i) {
    return {answer.values[3 * i], answer.values[3 * i + 1], answer.values[3 * i + 2]};
}

/// The first index of a value for which `broken` holds, -1 if there is none. All lanes call it.
template <class Team, class Broken>
OPTGAP_HD std::int32_t first_broken(Team& team, std::int64_t count, Broken const& broken) {
    std::int64_t found = INT64_MAX;
    for (std::int64_t i = team.rank(); i < count && found == INT64_MAX; i += team.size()) {
        found = broken(i) ? i : INT64_MAX;
    }
    ranked const first = team.min_by(found, 0);
    return first.key == INT64_MAX ? -1 : std::int32_t(first.key);
}

/// The rules that entry i breaks, given the instance and the entries before it, as bits in the order of the codes.
OPTGAP_HD inline std::uint32_t broken_rules(calendar const& given, answer_view const& answer, std::int64_t i) {
    entry const own = entry_of(answer, i);
    std::int64_t const end = own.start + std::int64_t(given.duration[own.meeting]);
    std::uint32_t rules = given.capacity[own.room] < size_of(given, own.meeting) ? 1 : 0;
    rules |= available(given, own.meeting, own.start) ? 0 : 2;
    for (std::int64_t k = 0; k < i; ++k) {
        entry const other = entry_of(answer, k);
        if (other.start < end && own.start < other.start + std::int64_t(given.duration[other.meeting])) {
            rules |= other.room == own.room ? 4 : 0;
            rules |= share_a_person(given, own.meeting, other.meeting) ? 8 : 0;
        }
    }
    return rules;
}

/// Judges rows of three values whose meetings and rooms exist and differ.
template <class Team>
OPTGAP_HD verdict judge_entries(Team& team, calendar const& given, answer_view const& answer) {
    std::int64_t first[4] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    std::int64_t broken = 0;
    std::int64_t attendees = 0;
    for (std::int64_t i = team.rank(); i < answer.rows; i += team.size()) {
        std::uint32_t const rules = broken_rules(given, answer, i);
        for (std::int32_t rule = 0; rule < 4; ++rule) {
            first[rule] = ((rules >> rule) & 1u) != 0 && i < first[rule] ? i : first[rule];
        }
        broken += rules != 0 ? 1 : 0;
        attendees += size_of(given, answer.values[3 * i]);
    }
    std::int32_t const place[4] = {1, 2, 1, 0};  // room, start, room, meeting
    verdict found;
    found.violation_max = answer.rows;
    found.violation = team.sum(broken);
    found.objective = team.sum(attendees);
    for (std::int32_t rule = 3; rule >= 0; --rule) {
        std::int64_t const at = team.min_by(first[rule], 0).key;
        if (at != INT64_MAX) {
            found.code = code_room_too_small + rule;
            found.where = std::int32_t(3 * at + place[rule]);
        }
    }
    found.objective = found.code == code_ok ? found.objective : 0;
    return found;
}

template <class Team>
OPTGAP_HD verdict verify_answer(Team& team, calendar const& given, answer_view const& answer, std::int32_t* scratch) {
    std::int64_t const rows = answer.row_count();
    std::int64_t const worst = rows > 1 ? rows : 1;
    auto const broken = [&](std::int32_t code, std::int32_t where) { return verdict{code, where, 0, worst, worst}; };
    if (!answer.is_rows()) {
        return broken(answer.is_word() ? code_unparsable : code_bad_depth, -1);
    }
    if (rows == 0) {
        std::int32_t const largest_room = largest_capacity(given);
        std::int32_t const useful = first_broken(team, given.meetings, [&](std::int64_t m) {
            return start_alone(given, std::int32_t(m), largest_room) != never;
        });
        return useful >= 0 ? broken(code_empty, -1) : verdict{code_ok, -1, 0, 0, worst};
    }
    std::int32_t const odd = first_broken(team, rows, [&](std::int64_t i) { return answer.row_lengths[i] != 3; });
    if (odd >= 0) {
        return broken(code_wrong_length, answer.row_lengths[odd] > 0 ? 3 * odd : -1);
    }
    std::int32_t const outside = first_broken(team, 3 * rows, [&](std::int64_t i) {
        std::int32_t const below = i % 3 == 0 ? given.meetings : i % 3 == 1 ? given.rooms : 0;
        return i % 3 != 2 && (answer.values[i] < 0 || answer.values[i] >= below);
    });
    if (outside >= 0) {
        return broken(code_out_of_range, outside);
    }
    // If there are more entries than meetings, one of the first meetings + 1 is a repetition.
    std::int64_t const listed = rows <= given.meetings ? rows : given.meetings + 1;
    auto* const seen = reinterpret_cast<std::uint32_t*>(scratch + given.meetings + 1);
    team.each(listed, [&](std::int64_t i) { scratch[i] = answer.values[3 * i]; });
    team.sync();
    std::int32_t const repeat = first_repeat(team, scratch, listed, seen, given.meetings);
    if (repeat >= 0) {
        return broken(code_repeated, 3 * repeat);
    }
    return judge_entries(team, given, answer);
}

}  // namespace tasks::meeting
OPTGAP_KERNELS_END
