#pragma once
// Packs items into as few bins of one capacity as possible.
//
//   capacity 10, sizes 6, 5, 4, 3, 2:   [[0, 2], [1, 3, 4]] takes 2 bins, the optimum

#include "kernels/families/labels/part_moves.hpp"
#include "kernels/families/labels/parts_plant.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::bin_packing {

inline constexpr field bins_layout[] = {
    {"capacity", field_kind::number, "capacity is 1 to 1000000000", 1, families::max_part_size},
    {"n", field_kind::size, "the number of sizes is 1 to 5000", 1, families::max_part_items},
    {"sizes", field_kind::list, "sizes holds at least one number, each from 1 to the capacity", 1, of(0), of(1)},
};

struct task : families::searching<task, families::planted_parts<task>> {
    using neighbourhood = families::part_moves<task>;
    static constexpr bool levels = false;
    static constexpr std::span<field const> layout = bins_layout;
    static constexpr std::int64_t default_budget = 2'000'000;  ///< nodes, of 60 ns at 35 items
    static constexpr char const* codes[] = {"missing_item", "over_capacity", nullptr};

    OPTGAP_HD static std::int32_t number(difficulty level) { return 100 + 10 * step_of(level); }
    OPTGAP_HD static std::int32_t plant_parts(difficulty level) {
        std::int32_t const d = step_of(level);
        return 3 + (d < 300 ? d : 300) / 2;
    }
    /// Three items a bin, or with 300 permille four, each at least a tenth of it (triplets, Falkenauer 1996). Every
    /// fourth bin leaves up to a fiftieth free; together they leave less than one bin free.
    OPTGAP_HD static families::part_cut part_cut_of(draw source, difficulty level, std::int32_t part) {
        std::int32_t const capacity = number(level);
        bool const slack = part < plant_parts(level) / 4;
        auto const at = 2 * std::uint32_t(part);
        std::int32_t const free = slack ? uniform(source, draw_more, at + 1, 1, capacity / 50) : 0;
        return {uniform(source, draw_more, at, 0, 999) < 700 ? 3 : 4, capacity - free, capacity / 10};
    }

    OPTGAP_HD static std::int32_t wanted_rows(words_view) { return 0; }
    OPTGAP_HD static std::int32_t max_parts(words_view on) { return items(on); }
    OPTGAP_HD static std::int64_t room(words_view on) { return on[0]; }
    OPTGAP_HD static std::int32_t candidates(words_view, std::int32_t used) { return used + 1; }
    OPTGAP_HD static std::int64_t key(std::int64_t, std::int32_t part) { return part; }

    template <class Team>
    OPTGAP_HD static std::int64_t objective(Team&, words_view, answer_view answer) {
        return answer.rows;
    }

    /// One bin for each item.
    template <class Team>
    OPTGAP_HD static std::int64_t floor(Team& team, words_view on, std::int32_t* answer, std::int32_t*) {
        std::int64_t const n = items(on);
        team.each(n, [&](std::int64_t i) {
            answer[1 + i] = 1;
            answer[1 + n + i] = std::int32_t(i);
        });
        if (team.rank() == 0) {
            answer[0] = std::int32_t(n);
        }
        team.sync();
        return answer_words(on);
    }

    /// L2 (Martello & Toth 1990): for each threshold t, items above capacity - t and items above half of it have bins
    /// of their own. Items from t to a half fill the room left in the latter, and then further bins.
    static std::int64_t root_bound(words_view on, std::int32_t const* sorted) {
        std::int32_t const n = items(on);
        std::int64_t const capacity = on[0];
        std::int64_t sum = 0;
        for (std::int32_t i = 0; i < n; ++i) {
            sum += sizes(on)[i];
        }
        std::int64_t best = (sum + capacity - 1) / capacity;
        for (std::int32_t t = 0; sorted != nullptr && t < n; ++t) {
            std::int64_t const threshold = sorted[t];
            if (2 * threshold > capacity) {
                continue;
            }
            std::int64_t bins = 0;
            std::int64_t left = 0;  // of small items, once the bins of the others are full
            for (std::int32_t i = 0; i < n && sorted[i] >= threshold; ++i) {
                bool const large = 2 * std::int64_t(sorted[i]) > capacity;
                bins += large ? 1 : 0;
                left += !large ? sorted[i] : sorted[i] > capacity - threshold ? 0 : sorted[i] - capacity;
            }
            bins += left > 0 ? (left + capacity - 1) / capacity : 0;
            best = bins > best ? bins : best;
        }
        return best;
    }
    static std::int64_t parts_at(words_view, std::int64_t z) { return z; }
    static std::int64_t room_at(words_view on, std::int64_t) { return on[0]; }
    static std::int64_t found(words_view, search::part_filling const& filling) { return filling.parts(); }
};

}  // namespace tasks::bin_packing
OPTGAP_KERNELS_END
