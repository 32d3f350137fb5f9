#pragma once
// The slow and plain oracle, written from README.md alone.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "optgap/verdict.hpp"

namespace optgap::reference::meeting {

struct problem {
    std::vector<std::set<int>> attendees;
    std::vector<std::int64_t> durations;
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> windows;
    std::vector<std::int64_t> capacities;
};

inline problem read(std::span<std::int32_t const> words) {
    auto const meetings = std::size_t(words[0]);
    auto const people = std::size_t(words[1]);
    auto const rooms = std::size_t(words[2]);
    std::size_t at = 3;
    auto const take = [&](std::size_t count) {
        std::vector<std::int64_t> const out(words.begin() + std::ptrdiff_t(at),
                                            words.begin() + std::ptrdiff_t(at + count));
        at += count;
        return out;
    };
    problem out;
    out.durations = take(meetings);
    auto const attendee_ends = take(meetings);
    auto const window_ends = take(people);
    out.capacities = take(rooms);
    std::int64_t done = 0;
    for (std::int64_t end : attendee_ends) {
        auto const list = take(std::size_t(end - done));
        out.attendees.emplace_back(list.begin(), list.end());
        done = end;
    }
    done = 0;
    for (std::int64_t end : window_ends) {
        out.windows.emplace_back();
        for (; done < end; ++done) {
            auto const pair = take(2);
            out.windows.back().emplace_back(pair[0], pair[1]);
        }
    }
    return out;
}

inline bool available(problem const& given, std::size_t m, std::int64_t start) {
    std::int64_t const end = start + given.durations[m];
    return std::all_of(given.attendees[m].begin(), given.attendees[m].end(), [&](int p) {
        auto const& windows = given.windows[std::size_t(p)];
        return std::any_of(windows.begin(), windows.end(),
                           [&](auto const& window) { return window.first <= start && end <= window.second; });
    });
}

inline bool meet_somebody(problem const& given, std::size_t a, std::size_t b) {
    return std::any_of(given.attendees[a].begin(), given.attendees[a].end(),
                       [&](int p) { return given.attendees[b].count(p) != 0; });
}

/// Whether meeting m can take place if it is the only one. Tries every minute at which a window starts.
inline bool fits_alone(problem const& given, std::size_t m) {
    bool const room = std::any_of(given.capacities.begin(), given.capacities.end(), [&](std::int64_t capacity) {
        return capacity >= std::int64_t(given.attendees[m].size());
    });
    bool time = false;
    for (auto const& windows : given.windows) {
        for (auto const& window : windows) {
            time = time || available(given, m, window.first);
        }
    }
    return room && time;
}

inline verdict verify(std::span<std::int32_t const> instance, std::span<std::int32_t const> answer_block) {
    problem const given = read(instance);
    std::int32_t const shape = answer_block.empty() ? -1 : answer_block[0];
    if (shape == -2) {
        return {code_unparsable, -1, 0, 1, 1};
    }
    if (shape == -1 && answer_block.size() > 1) {
        return {code_bad_depth, -1, 0, 1, 1};
    }
    if (shape <= 0) {
        for (std::size_t m = 0; m < given.durations.size(); ++m) {
            if (fits_alone(given, m)) {
                return {code_empty, -1, 0, 1, 1};
            }
        }
        return {code_ok, -1, 0, 0, 1};
    }
    auto const rows = std::size_t(shape);
    auto const worst = std::int64_t(rows);
    std::span<std::int32_t const> const values = answer_block.subspan(1 + rows);
    for (std::size_t i = 0; i < rows; ++i) {
        if (answer_block[1 + i] != 3) {
            return {code_wrong_length, answer_block[1 + i] == 0 ? -1 : std::int32_t(3 * i), 0, worst, worst};
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t const below = i % 3 == 0 ? given.durations.size() : given.capacities.size();
        if (i % 3 != 2 && (values[i] < 0 || std::size_t(values[i]) >= below)) {
            return {code_out_of_range, std::int32_t(i), 0, worst, worst};
        }
    }
    std::set<std::int32_t> listed;
    for (std::size_t i = 0; i < rows; ++i) {
        if (!listed.insert(values[3 * i]).second) {
            return {code_repeated, std::int32_t(3 * i), 0, worst, worst};
        }
    }
    std::int32_t first[4] = {-1, -1, -1, -1};
    std::int32_t const place[4] = {1, 2, 1, 0};
    std::int64_t broken = 0;
    std::int64_t people = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        auto const m = std::size_t(values[3 * i]);
        std::int32_t const room = values[3 * i + 1];
        std::int64_t const start = values[3 * i + 2];
        bool breaks[4] = {given.capacities[std::size_t(room)] < std::int64_t(given.attendees[m].size()),
                          !available(given, m, start), false, false};
        for (std::size_t k = 0; k < i; ++k) {
            auto const other = std::size_t(values[3 * k]);
            std::int64_t const other_start = values[3 * k + 2];
            bool const apart =
                start >= other_start + given.durations[other] || other_start >= start + given.durations[m];
            breaks[2] = breaks[2] || (!apart && values[3 * k + 1] == room);
            breaks[3] = breaks[3] || (!apart && meet_somebody(given, m, other));
        }
        for (std::size_t rule = 0; rule < 4; ++rule) {
            if (breaks[rule] && first[rule] < 0) {
                first[rule] = std::int32_t(3 * i) + place[rule];
            }
        }
        broken += breaks[0] || breaks[1] || breaks[2] || breaks[3] ? 1 : 0;
        people += std::int64_t(given.attendees[m].size());
    }
    for (std::int32_t rule = 0; rule < 4; ++rule) {
        if (first[rule] >= 0) {
            return {first_task_code + rule, first[rule], 0, broken, worst};
        }
    }
    return {code_ok, -1, people, 0, worst};
}

/// Tries every meeting in every room, at every start that occurs in a schedule shifted as early as possible: window
/// starts plus sums of durations. nullopt above seven meetings or a million tries.
inline std::optional<std::int64_t> optimum(std::span<std::int32_t const> instance) {
    problem const given = read(instance);
    std::size_t const meetings = given.durations.size();
    if (meetings > 7) {
        return std::nullopt;
    }
    std::set<std::int64_t> sums = {0};
    for (std::int64_t duration : given.durations) {
        std::set<std::int64_t> const before = sums;
        for (std::int64_t sum : before) {
            sums.insert(sum + duration);
        }
    }
    std::set<std::int64_t> starts;
    for (auto const& windows : given.windows) {
        for (auto const& window : windows) {
            for (std::int64_t sum : sums) {
                starts.insert(window.first + sum);
            }
        }
    }
    std::vector<std::vector<std::int64_t>> own(meetings);
    std::vector<std::int64_t> left(meetings + 1, 0);
    for (std::size_t m = meetings; m-- > 0;) {
        for (std::int64_t start : starts) {
            if (available(given, m, start)) {
                own[m].push_back(start);
            }
        }
        left[m] = left[m + 1] + std::int64_t(given.attendees[m].size());
    }
    struct booked {
        std::size_t meeting;
        std::int64_t start;
        std::size_t room;
    };
    std::vector<booked> now;
    std::int64_t best = 0;
    std::int64_t tries = 0;
    std::function<void(std::size_t, std::int64_t)> const extend = [&](std::size_t m, std::int64_t people) {
        best = std::max(best, people);
        if (m == meetings || people + left[m] <= best || tries > 1'000'000) {
            return;
        }
        for (std::int64_t start : own[m]) {
            for (std::size_t room = 0; room < given.capacities.size(); ++room) {
                ++tries;
                bool fits = given.capacities[room] >= std::int64_t(given.attendees[m].size());
                for (booked const& other : now) {
                    bool const apart = start >= other.start + given.durations[other.meeting] ||
                                       other.start >= start + given.durations[m];
                    fits = fits && (apart || (room != other.room && !meet_somebody(given, m, other.meeting)));
                }
                if (fits) {
                    now.push_back({m, start, room});
                    extend(m + 1, people + std::int64_t(given.attendees[m].size()));
                    now.pop_back();
                }
            }
        }
        extend(m + 1, people);
    };
    extend(0, 0);
    return tries > 1'000'000 ? std::nullopt : std::optional<std::int64_t>(best);
}

}  // namespace optgap::reference::meeting
