#include "host/reward/advantage_groups.hpp"

#include <bit>

namespace optgap {

namespace {

/// Open addressing from a group's id to its number; at most half full.
class id_table {
public:
    explicit id_table(std::int64_t most_ids)
        : slots_(std::bit_ceil(std::size_t(2 * most_ids + 2))), shift_(64 - std::countr_zero(slots_.size())) {}

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

}  // namespace

group_index index_groups(std::span<std::int32_t const> group) {
    std::int64_t const rows = std::int64_t(group.size());
    std::vector<std::int64_t> run_begin;
    for (std::int64_t r = 0; r < rows; ++r) {
        if (r == 0 || group[std::size_t(r)] != group[std::size_t(r - 1)]) {
            run_begin.push_back(r);
        }
    }
    std::int64_t const runs = std::int64_t(run_begin.size());
    id_table numbers(runs);
    std::vector<std::int32_t> number_of_run(static_cast<std::size_t>(runs));
    std::int32_t groups = 0;
    for (std::size_t run = 0; run < run_begin.size(); ++run) {
        number_of_run[run] = numbers.find_or_add(group[std::size_t(run_begin[run])], groups);
        groups += number_of_run[run] == groups ? 1 : 0;
    }

    group_index index;
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
