#pragma once
// RiVER: a score by its rank, the exact winner apart.

#include "kernels/reward/score_group.hpp"

OPTGAP_KERNELS_BEGIN
namespace estimators {

struct river {
    static constexpr estimator id = estimator::river;
    static constexpr char const* denominators[] = {"group", "valid"};
    static constexpr char const* winners[] = {"exact", "shared", "lowest_index"};
    static constexpr char const* posts[] = {"none", "center", "standardise"};
    static constexpr char const* small_groups[] = {"zero", "rank_uniform", "refuse"};

    static constexpr parameter parameters[] = {
        constant_at("winner", offsetof(advantage_spec, rank.winner), "of the best candidate"),
        constant_at("invalid", offsetof(advantage_spec, rank.invalid), "of an invalid one"),
        constant_at("high", offsetof(advantage_spec, rank.high), "of the best rank behind the winner"),
        constant_at("low", offsetof(advantage_spec, rank.low), "of the last rank"),
        choice_at("denominator", offsetof(advantage_spec, rank.denominator), denominators,
                  "whose number D is: the group's, or the valid candidates', the group's below 4 of them"),
        choice_at("tie", offsetof(advantage_spec, rank.tie), winners, "who wins when several are best"),
        choice_at("post", offsetof(advantage_spec, rank.post), posts, "what is done to the means over the instances"),
        choice_at("of_small", offsetof(advantage_spec, of_small), small_groups,
                  "what a group gets of which masked rows leave fewer than four"),
    };
    static constexpr estimator_info info{
        .name = "river",
        .formula = "winner, invalid, else high to low by clip((D - 1 - midrank) / (D - 3), 0, 1); mean over instances",
        .source = "RiVER",
        .reads = {.scores = true},
        .parameters = parameters,
        .min_rows = 4,
        .needs_validity = true};

    template <class Group>
    OPTGAP_HD static void score_column(Group const& group) {
        rank_spec const& how = group.spec().rank;
        auto& team = group.team();
        std::int64_t const count = group.count();
        double* const value = group.value();
        std::int64_t my_valid = 0;
        std::int64_t my_best = INT64_MAX;
        group.rank([&](std::int64_t k, std::int32_t twice) {
            value[k] = double(twice);
            my_valid += twice > 0 ? 1 : 0;
            my_best = twice > 0 && twice < my_best ? twice : my_best;
        });
        std::int64_t const found = team.sum(my_valid);
        std::int64_t const best = team.min_by(my_best, 0).key;
        std::int64_t const leading = how.tie == rank_winner::exact ? 2 : best;
        bool const one_winner = how.tie == rank_winner::lowest_index;
        std::int64_t first = 0;
        if (one_winner) {
            std::int64_t mine = INT64_MAX;
            team.each(count, [&](std::int64_t k) { mine = value[k] == double(leading) && k < mine ? k : mine; });
            first = team.min_by(mine, 0).key;
        }
        double const denominator = double(how.denominator == rank_denominator::valid && found >= 4 ? found : count);
        team.each(count, [&](std::int64_t k) {
            double& x = value[k];
            if (x == 0.0) {
                x = how.invalid;
            } else if (x == double(leading) && (!one_winner || k == first)) {
                x = how.winner;
            } else {
                double const share = (2.0 * (denominator - 1.0) - x) / (2.0 * (denominator - 3.0));
                double const within = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
                x = how.low + within * (how.high - how.low);
            }
        });
    }

    template <class Group>
    OPTGAP_HD static void finish(Group const& group) {
        if (group.spec().rank.post == rank_post::standardise) {
            group.standardise(group.out());
        } else if (group.spec().rank.post == rank_post::center) {
            double* const out = group.out();
            bool const constant = group.all_equal(out);
            double const mean = group.mean_of(out);
            group.team().each(group.count(), [&](std::int64_t k) { out[k] = constant ? 0.0 : out[k] - mean; });
        }
    }
};

}  // namespace estimators
OPTGAP_KERNELS_END
