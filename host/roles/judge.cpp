#include "optgap/roles/judge.hpp"

#include <algorithm>
#include <string>

#include "optgap/proposals/proposal.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

template <class Value, std::size_t N>
Value name_place(char const* what, std::string_view name, std::string_view const (&names)[N]) {
    std::string all;
    for (std::size_t k = 0; k < N; ++k) {
        if (names[k] == name) {
            return Value(k);
        }
        all += (k == 0 ? "" : ", ") + std::string(names[k]);
    }
    throw error(status::invalid_argument, std::string(what) + ": \"" + std::string(name) + "\" is not one of " + all);
}

}  // namespace

std::int32_t band_of(double value) {
    double const score = 1 + 9 * value;
    return score < 3.5 ? 0 : score < 7.5 ? 1 : 2;
}

judge_truth truth_of_answer(bool feasible, bool optimal, bool proven, double normalized) {
    if (!feasible) {
        return {0, 0.0};
    }
    if (optimal) {
        return {2, 1.0};
    }
    if (!proven) {
        return {};
    }
    return {1, (1 + std::clamp(normalized, 0.0, 1.0)) / 3};
}

judge_truth truth_of_question(std::int32_t code) {
    switch (code) {
        case code_ok:
        case code_over_quota: return {2, 1.0};
        case code_trivial:
        case code_near_duplicate: return {1, 0.5};
        case code_proposal_not_run: return {};
        default: return {0, 0.0};
    }
}

judge_reward judge_reward_named(std::string_view name) {
    constexpr std::string_view names[] = {"format", "band", "brier", "pairs"};
    return name_place<judge_reward>("judge", name, names);
}

score_parser score_parser_named(std::string_view name) {
    constexpr std::string_view names[] = {"strict", "mae_repo"};
    return name_place<score_parser>("parser", name, names);
}

}  // namespace optgap
