#pragma once
// Truth values for the variables of weighted clauses, too many to hold at once: the weight of the true clauses is
// maximised, and all hard clauses, if there are any, must be true.
//
//   clauses (1) of weight 3, (-1) of 2, (1 or 2) of 1:   [1, 0] satisfies 4, the optimum

#include "kernels/families/labels/clauses.hpp"
#include "kernels/search/clause_flips.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::max_sat {

// Purposes of random words.
inline constexpr std::uint32_t draw_clauses = 0;

inline constexpr field weighted_layout[] = {
    families::clauses_layout[0],
    families::clauses_layout[1],
    families::clauses_layout[2],
    families::clauses_layout[3],
    {"weights", field_kind::list, "each clause has a weight, 1 to 1000000", 1, 1'000'000, of(1)},
    {.name = "hard",
     .kind = field_kind::list,
     .rule = "each clause is marked 1 where it is hard, and then has weight 1, or 0; at least one is hard and at least "
             "one is not",
     .low = 0,
     .high = 1,
     .rows = of(1),
     .optional = true},
};

struct task : families::searching<task, families::clauses_task<task>> {
    using neighbourhood = optgap::search::clause_flips<task>;
    static constexpr std::span<field const> layout = weighted_layout;
    static constexpr char const* codes[] = {"hard_clause", nullptr};

    static char const* check_more(words_view words) {
        optgap::search::clause_set const set = clauses(words);
        if (set.hard == nullptr) {
            return nullptr;
        }
        std::int64_t hard = 0;
        for (std::int64_t c = 0; c < set.m; ++c) {
            hard += set.hard[c];
            if (set.is_hard(c) && set.weights[c] != 1) {
                return weighted_layout[5].rule;
            }
        }
        return hard == 0 || hard == set.m ? weighted_layout[5].rule : nullptr;
    }

    OPTGAP_HD static optgap::search::clause_set clauses(words_view words) {
        std::int32_t const* const literals = words.data + families::clause_head_words;
        std::int32_t const* const weights = literals + std::int64_t(words[1]) * words[2];
        std::int32_t const* const hard = weights + words[1];
        return {words[0], words[1], words[2], literals, weights, hard < words.data + words.count ? hard : nullptr};
    }

    template <class Team>
    OPTGAP_HD static std::int64_t broken(Team& team, words_view words, std::int32_t const* labels) {
        optgap::search::clause_set const set = clauses(words);
        if (set.hard == nullptr) {
            return 0;
        }
        std::int64_t own = 0;
        team.each(set.m, [&](std::int64_t c) { own += set.is_hard(c) && !set.holds(c, labels) ? 1 : 0; });
        return team.sum(own);
    }
    OPTGAP_HD static std::int64_t rules(words_view words) {
        optgap::search::clause_set const set = clauses(words);
        std::int64_t hard = 0;
        for (std::int64_t c = 0; c < set.m; ++c) {
            hard += set.is_hard(c) ? 1 : 0;
        }
        return hard;
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + step_of(level);
        return n < 2'000 ? n : 2'000;
    }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return families::clause_head_words + 4 * (7 * std::int64_t(size_of(level)));
    }

    /// 7 n clauses of three variables with random signs.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        std::int32_t const m = 7 * n;
        if (team.rank() == 0) {
            words[0] = n;
            words[1] = m;
            words[2] = 3;
        }
        std::int32_t* const literals = words + families::clause_head_words;
        team.each(m, [&](std::int64_t c) {
            auto const at = std::uint32_t(5 * c);
            families::three_variables const of(source, draw_clauses, at, n);
            std::int32_t const signs = uniform(source, draw_clauses, at + 3, 0, 7);
            for (std::int32_t i = 0; i < 3; ++i) {
                literals[3 * c + i] = (signs >> i & 1) != 0 ? of.variable[i] + 1 : -of.variable[i] - 1;
            }
            literals[3 * std::int64_t(m) + c] = uniform(source, draw_clauses, at + 4, 1, 9);
        });
        team.sync();
    }
};

}  // namespace tasks::max_sat
OPTGAP_KERNELS_END
