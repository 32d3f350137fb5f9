// Certificates for optima of meeting (docs/certificates.md; the checker's side: tools/certificates/tasks/meeting.py).

#include <algorithm>
#include <set>

#include "kernels/text/certificate.hpp"

namespace {

struct slot {
    std::size_t meeting;
    std::int64_t start;
};

/// Every schedule can be shifted earlier until each meeting begins with a window of all its people, or where another
/// one ends. These are the possible starts, from the earliest on.
std::vector<std::set<std::int64_t>> starts_of(optgap::instance_fields const& instance) {
    auto const attendees = instance.rows("attendees");
    auto const lasts = instance.list("durations");
    auto const windows = instance.lists_of_rows("availability");
    std::vector<std::set<std::int64_t>> starts(attendees.size());
    auto const free_at = [&](std::size_t m, std::int64_t t) {
        return std::all_of(attendees[m].begin(), attendees[m].end(), [&](std::int64_t person) {
            auto const& own = windows[std::size_t(person)];
            return std::any_of(own.begin(), own.end(),
                               [&](auto const& window) { return window[0] <= t && t + lasts[m] <= window[1]; });
        });
    };
    std::vector<std::int64_t> fresh;
    for (auto const& own : windows) {
        for (auto const& window : own) {
            fresh.push_back(window[0]);
        }
    }
    while (!fresh.empty()) {
        std::int64_t const t = fresh.back();
        fresh.pop_back();
        for (std::size_t m = 0; m < attendees.size(); ++m) {
            if (free_at(m, t) && starts[m].insert(t).second) {
                fresh.push_back(t + lasts[m]);
            }
        }
    }
    return starts;
}

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    auto const attendees = instance.rows("attendees");
    auto const lasts = instance.list("durations");
    auto const capacities = instance.list("capacities");
    optgap::linear_model model;
    model.goal = -*objective;
    std::vector<slot> slots;
    auto const starts = starts_of(instance);
    std::set<std::int64_t> times;
    for (std::size_t m = 0; m < starts.size(); ++m) {
        for (std::int64_t const t : starts[m]) {
            slots.push_back({m, t});
            model.costs.push_back(-std::int64_t(attendees[m].size()));
            times.insert(t);
        }
    }
    auto const add = [&](std::string name, std::int64_t at_most, auto const& counts) {
        optgap::linear_row row{std::move(name), {}, -at_most};
        for (std::size_t s = 0; s < slots.size(); ++s) {
            if (counts(slots[s])) {
                row.terms.emplace_back(std::int32_t(s), -1);
            }
        }
        if (std::int64_t(row.terms.size()) > at_most) {
            model.rows.push_back(std::move(row));
        }
    };
    for (std::size_t m = 0; m < starts.size(); ++m) {
        add(optgap::row_name("once", {std::int32_t(m)}), 1, [&](slot const& s) { return s.meeting == m; });
    }
    for (std::int64_t const t : times) {
        auto const during = [&](slot const& s) { return s.start <= t && t < s.start + lasts[s.meeting]; };
        for (std::int64_t person = 0; person < std::int64_t(instance.lists_of_rows("availability").size()); ++person) {
            add(optgap::row_name("person", {std::int32_t(person), std::int32_t(t)}), 1, [&](slot const& s) {
                auto const& people = attendees[s.meeting];
                return during(s) && std::find(people.begin(), people.end(), person) != people.end();
            });
        }
        std::set<std::int64_t> sizes{0};
        sizes.insert(capacities.begin(), capacities.end());
        for (std::int64_t const size : sizes) {
            add(optgap::row_name("rooms", {std::int32_t(size), std::int32_t(t)}),
                std::count_if(capacities.begin(), capacities.end(), [&](std::int64_t c) { return c > size; }),
                [&](slot const& s) { return during(s) && std::int64_t(attendees[s.meeting].size()) > size; });
        }
    }
    return model;
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_meeting;
optgap::certificate_form const optgap_certificate_meeting{.linear = linear};
