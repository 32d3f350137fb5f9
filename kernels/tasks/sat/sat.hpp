#pragma once
// Truth values for the variables of clauses that make as many clauses as possible true; in generated instances all can
// be.
//
//   clauses (1 or -2), (2 or 3), (-1 or -3):   [1, 1, 0] satisfies all three

#include "kernels/families/labels/clauses.hpp"
#include "kernels/search/clause_flips.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::sat {

// Purposes of random words.
inline constexpr std::uint32_t draw_plant = 0;
inline constexpr std::uint32_t draw_clauses = 1;
inline constexpr std::uint32_t draw_rule = 2;

struct task : families::searching<task, families::clauses_task<task>> {
    using neighbourhood = optgap::search::clause_flips<task>;
    static constexpr std::span<field const> layout = families::clauses_layout;
    static constexpr abilities can{.decides = true};

    OPTGAP_HD static optgap::search::clause_set clauses(words_view words) {
        return {words[0], words[1], words[2], words.data + families::clause_head_words, nullptr};
    }

    OPTGAP_HD static std::int32_t size_of(difficulty level) {
        std::int32_t const n = 6 + 2 * step_of(level);
        return n < 2'000 ? n : 2'000;
    }
    OPTGAP_HD static std::int32_t clauses_of(std::int32_t n) { return 42 * n / 10; }
    OPTGAP_HD static std::int64_t instance_words(draw, difficulty level) {
        return families::clause_head_words + 3 * std::int64_t(clauses_of(size_of(level)));
    }

    /// 4.2 n clauses of three variables. One, two or three of a clause's literals are true under the planted values,
    /// with frequencies such that the signs of a variable's literals do not reveal its value (q = 0.618 of Jia, Moore &
    /// Strain 2005). In every fourth instance they mislead.
    template <class Team>
    OPTGAP_HD static void generate(Team& team, draw source, difficulty level, std::int32_t* words, std::int32_t*) {
        std::int32_t const n = size_of(level);
        bool const misleads = uniform(source, draw_rule, 0, 0, 3) == 0;
        std::int32_t const one = misleads ? 632 : 573;
        std::int32_t const two = misleads ? 316 : 354;
        if (team.rank() == 0) {
            words[0] = n;
            words[1] = clauses_of(n);
            words[2] = 3;
        }
        team.each(clauses_of(n), [&](std::int64_t c) {
            auto const at = std::uint32_t(5 * c);
            families::three_variables const of(source, draw_clauses, at, n);
            std::int32_t const share = uniform(source, draw_clauses, at + 3, 0, 999);
            std::int32_t const odd = uniform(source, draw_clauses, at + 4, 0, 2);
            for (std::int32_t i = 0; i < 3; ++i) {
                bool const holds = share < one ? i == odd : share < one + two ? i != odd : true;
                bool const positive = (planted_value(source, of.variable[i]) == 1) == holds;
                words[families::clause_head_words + 3 * c + i] = positive ? of.variable[i] + 1 : -of.variable[i] - 1;
            }
        });
        team.sync();
    }

    static std::int64_t planted_words(draw, difficulty level) { return 1 + std::int64_t(size_of(level)); }
    static std::int64_t planted_scratch_words(draw, difficulty) { return 0; }
    static std::int64_t planted(draw source, difficulty level, std::int32_t* answer, std::int32_t*) {
        answer[0] = answer_flat;
        for (std::int32_t v = 0; v < size_of(level); ++v) {
            answer[1 + v] = planted_value(source, v);
        }
        return planted_words(source, level);
    }

private:
    OPTGAP_HD static std::int32_t planted_value(draw source, std::int32_t v) {
        return uniform(source, draw_plant, std::uint32_t(v), 0, 1);
    }
};

}  // namespace tasks::sat
OPTGAP_KERNELS_END
