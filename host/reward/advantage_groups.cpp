#include "host/reward/advantage_groups.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace optgap {

namespace {

/// Open addressing from a group's id to its number; at most half full.
class id_table {
public:
    explicit id_table(std::int64_t max_ids)
        : slots_(std::bit_ceil(std::size_t(2 * max_ids + 2))), shift_(64 - std::countr_zero(slots_.size())) {}

    /// The id's number, `fresh` when it is new.
    std::int32_t find_or_add(std::int32_t id, std::int32_t fresh) {
        std::size_t slot = std::size_t((std::uint64_t(std::uint32_t(id)) * 0x9E3779B97F4A7C15u) >> shift_);
        while (slots_[slot].number >= 0) {
            if (slots_[slot].id == id) {
                return slots_[slot].number;
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        slots_[slot] = {id, fresh};
        return fresh;
    }

private:
    struct entry {
        std::int32_t id = 0;
        std::int32_t number = -1;
    };
    std::vector<entry> slots_;
    int shift_;
};

/// The first row of each stretch of rows of one id. Where rows of groups stand together most rows begin nothing: eight
/// are looked at as one, and each by itself where they are not all alike.
std::vector<std::int64_t> begins_of_runs(std::span<std::int32_t const> group) {
    constexpr std::size_t step = 8;
    std::vector<std::int64_t> begins;
    begins.reserve(group.size() / 16 + 2);
    for (std::size_t r = 0; r < group.size();) {
        if (r > 0 && r + step <= group.size() && std::memcmp(&group[r], &group[r - 1], step * sizeof group[0]) == 0) {
            r += step;
            continue;
        }
        for (std::size_t const end = std::min(r + step, group.size()); r < end; ++r) {
            if (r == 0 || group[r] != group[r - 1]) {
                begins.push_back(std::int64_t(r));
            }
        }
    }
    return begins;
}

}  // namespace

group_index index_groups(std::span<std::int32_t const> group) {
    std::int64_t const rows = std::int64_t(group.size());
    std::vector<std::int64_t> run_begin = begins_of_runs(group);
    group_index index;
    bool const ascending = std::is_sorted(run_begin.begin(), run_begin.end(), [&](std::int64_t a, std::int64_t b) {
        return group[std::size_t(a)] < group[std::size_t(b)];
    });
    if (ascending) {  // each run is a group of its own
        run_begin.push_back(rows);
        index.begin = std::move(run_begin);
        return index;
    }
    std::int64_t const runs = std::int64_t(run_begin.size());
    id_table numbers(runs);
    std::vector<std::int32_t> number_of_run(static_cast<std::size_t>(runs));
    std::int32_t groups = 0;
    for (std::size_t run = 0; run < run_begin.size(); ++run) {
        number_of_run[run] = numbers.find_or_add(group[std::size_t(run_begin[run])], groups);
        groups += number_of_run[run] == groups ? 1 : 0;
    }

    if (groups == runs) {
        run_begin.push_back(rows);
        index.begin = std::move(run_begin);
        return index;
    }
    run_begin.push_back(rows);
    index.begin.assign(std::size_t(groups) + 1, 0);
    for (std::size_t run = 0; run < number_of_run.size(); ++run) {
        index.begin[std::size_t(number_of_run[run]) + 1] += run_begin[run + 1] - run_begin[run];
    }
    for (std::size_t g = 1; g < index.begin.size(); ++g) {
        index.begin[g] += index.begin[g - 1];
    }
    std::vector<std::int64_t> next(index.begin.begin(), index.begin.end() - 1);
    index.order.resize(std::size_t(rows));
    for (std::size_t run = 0; run < number_of_run.size(); ++run) {
        for (std::int64_t r = run_begin[run]; r < run_begin[run + 1]; ++r) {
            index.order[std::size_t(next[std::size_t(number_of_run[run])]++)] = r;
        }
    }
    return index;
}

}  // namespace optgap
