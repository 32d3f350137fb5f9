#include "host/curriculum/cells.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "optgap/key.hpp"
#include "optgap/status.hpp"

namespace optgap {

rollout_counts& rollout_counts::operator+=(rollout_counts const& other) {
    attempts += other.attempts;
    correct += other.correct;
    truncated += other.truncated;
    aborted += other.aborted;
    return *this;
}

informative_counts& informative_counts::operator+=(informative_counts const& other) {
    groups += other.groups;
    informative += other.informative;
    return *this;
}

void compact(std::vector<curriculum_cell>& cells, std::size_t tasks) {
    // By task in one pass, then by level within each, which costs less than one sort of all.
    std::vector<std::size_t> end(tasks + 1);
    for (curriculum_cell const& cell : cells) {
        ++end[std::size_t(cell.task) + 1];
    }
    std::partial_sum(end.begin(), end.end(), end.begin());
    std::vector<curriculum_cell> sorted(cells.size());
    for (curriculum_cell const& cell : cells) {
        sorted[end[std::size_t(cell.task)]++] = cell;
    }
    std::size_t kept = 0;
    for (std::size_t task = 0, first = 0; task < tasks; first = end[task++]) {
        std::sort(sorted.begin() + std::ptrdiff_t(first), sorted.begin() + std::ptrdiff_t(end[task]), in_table_order);
        for (std::size_t i = first; i < end[task]; ++i) {
            if (i > first && !in_table_order(cells[kept - 1], sorted[i])) {
                cells[kept - 1].counts += sorted[i].counts;
                cells[kept - 1].of_groups += sorted[i].of_groups;
            } else {
                cells[kept++] = sorted[i];
            }
        }
    }
    cells.resize(kept);
}

void add_cells(std::vector<curriculum_cell>& into, std::vector<curriculum_cell> const& from) {
    std::size_t const known = into.size();
    std::size_t at = 0;
    for (curriculum_cell const& cell : from) {
        while (at < known && in_table_order(into[at], cell)) {
            ++at;
        }
        if (at < known && !in_table_order(cell, into[at])) {
            into[at].counts += cell.counts;
            into[at].of_groups += cell.of_groups;
        } else {
            into.push_back(cell);
        }
    }
    std::inplace_merge(into.begin(), into.begin() + std::ptrdiff_t(known), into.end(), in_table_order);
}

void check_cells(std::span<curriculum_cell const> cells, std::size_t tasks, std::int64_t most, std::string_view what) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        auto const& [task, level, counts, of_groups] = cells[i];
        auto const broken = [&](std::string const& rule) {
            throw error(status::invalid_argument, fmt::format("{}[{}]: {}", what, i, rule));
        };
        auto const outside = [most](std::int64_t count) { return count < 0 || count > most; };
        if (task < 0 || std::size_t(task) >= tasks) {
            broken(fmt::format("task {} is not one of {}", task, tasks));
        }
        if (level.code < difficulty::easy().code || level.code > max_scale_step) {
            broken(fmt::format("there is no level of code {}", level.code));
        }
        if (outside(counts.attempts) || outside(counts.correct) || outside(counts.truncated) ||
            outside(counts.aborted) || outside(of_groups.groups) || outside(of_groups.informative)) {
            broken(fmt::format("its counts are not all from 0 to {}", most));
        }
        if (counts.correct > counts.attempts) {
            broken(fmt::format("{} correct of {} attempts", counts.correct, counts.attempts));
        }
        if (of_groups.informative > of_groups.groups) {
            broken(fmt::format("{} informative of {} groups", of_groups.informative, of_groups.groups));
        }
        if (i > 0 && !in_table_order(cells[i - 1], cells[i])) {
            broken(fmt::format("task {} at {} does not come after the cell before it", task, level_name(level)));
        }
    }
}

}  // namespace optgap
