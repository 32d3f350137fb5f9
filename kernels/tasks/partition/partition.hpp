#pragma once
// Numbers distributed among k parts so that the largest sum of a part is as small as possible.
//
//   k 2, values 5, 4, 3, 2, 2:   [[0, 2], [1, 3, 4]] has sums 8 and 8, the optimum

#include "kernels/families/labels/part_moves.hpp"
#include "kernels/families/labels/parts_plant.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::partition {

inline constexpr field partition_layout[] = {
    {"k", field_kind::number, "k, the number of parts, is 1 to 5000", 1, families::max_part_items},
    {"n", field_kind::size, "the number of values is 1 to 5000", 1, families::max_part_items},
    {"values", field_kind::list, "values holds at least one number, each from 1 to 1000000000", 1,
     families::max_part_size, of(1)},
};

struct task : families::searching<task, families::planted_parts<task>> {
    using neighbourhood = families::part_moves<task>;
    static constexpr bool levels = true;
    static constexpr std::span<field const> layout = partition_layout;
    static constexpr std::int64_t default_budget = 2'000'000;  ///< nodes, of 30 ns at 20 values
    static constexpr char const* codes[] = {"missing_item", nullptr};

    OPTGAP_HD static std::int32_t number(difficulty level) {
        std::int32_t const d = step_of(level);
        return 3 + (d < 1'000 ? d : 1'000) / 8;
    }
    OPTGAP_HD static std::int32_t plant_parts(difficulty level) { return number(level); }
    /// Four values for each part; every fourth step of the difficulty scale adds one.
    OPTGAP_HD static families::part_cut part_cut_of(draw, difficulty level, std::int32_t part) {
        std::int32_t const d = step_of(level);
        std::int32_t const more = (d < 1'000 ? d : 1'000) / 4;
        std::int32_t const parts = number(level);
        return {4 + more / parts + (part < more % parts ? 1 : 0), 60 + 30 * d, 1};
    }

    OPTGAP_HD static std::int32_t wanted_rows(words_view on) { return on[0]; }
    OPTGAP_HD static std::int32_t max_parts(words_view on) { return on[0]; }
    OPTGAP_HD static std::int64_t room(words_view) { return INT64_MAX; }
    OPTGAP_HD static std::int32_t candidates(words_view on, std::int32_t) { return on[0]; }
    OPTGAP_HD static std::int64_t key(std::int64_t load, std::int32_t) { return load; }

    template <class Team>
    OPTGAP_HD static std::int64_t objective(Team& team, words_view on, answer_view answer) {
        std::int64_t own = 0;
        for (std::int64_t r = 0, begin = 0; r < answer.rows; begin += answer.row_lengths[r++]) {
            std::int64_t sum = 0;
            for (std::int64_t i = 0; r % team.size() == team.rank() && i < answer.row_lengths[r]; ++i) {
                sum += sizes(on)[answer.values[begin + i]];
            }
            own = sum > own ? sum : own;
        }
        return team.max_by(own, 0).key;
    }

    /// Value i in part i mod k.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view on, std::int32_t* answer, std::int32_t* memory) {
        std::int32_t const n = items(on);
        if (team.rank() == 0) {
            for (std::int32_t i = 0; i < n; ++i) {
                memory[i] = i % on[0];
            }
            write_rows(memory, n, on[0], answer);
        }
        team.sync();
        return answer_words(on);
    }

    /// The mean, the largest value, and the two values that share a part if more than k values are placed.
    static std::int64_t root_bound(words_view on, std::int32_t const* sorted) {
        std::int32_t const n = items(on);
        std::int64_t sum = 0;
        std::int64_t most = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            sum += sizes(on)[i];
            most = sizes(on)[i] > most ? sizes(on)[i] : most;
        }
        std::int64_t const mean = (sum + on[0] - 1) / on[0];
        std::int64_t const pair = sorted != nullptr && n > on[0] ? std::int64_t(sorted[on[0] - 1]) + sorted[on[0]] : 0;
        most = mean > most ? mean : most;
        return pair > most ? pair : most;
    }
    static std::int64_t parts_at(words_view on, std::int64_t) { return on[0]; }
    static std::int64_t room_at(words_view, std::int64_t z) { return z; }
    static std::int64_t found(words_view, search::part_filling const& filling) { return filling.largest_sum(); }
};

}  // namespace tasks::partition
OPTGAP_KERNELS_END
