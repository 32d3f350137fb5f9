#pragma once  // Experimental.
// Judgements: scores from 1 to 10 that a model gives to answers and questions, graded by what is proven about these.

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/format.hpp"

namespace optgap {

/// Codes of judgements. The numbers are part of the format: append, never reorder.
enum judge_code : std::int32_t {
    code_no_score = 11'000,  ///< no pair of tags, or no integer alone between them
    code_several_scores,
    code_score_out_of_range,  ///< an integer that is not one of 1 to 10
    judge_code_end,
};

[[nodiscard]] constexpr bool is_judge_code(std::int32_t code) { return code >= code_no_score && code < judge_code_end; }
/// "no_score"; empty for any other number.
[[nodiscard]] constexpr std::string_view judge_code_name(std::int32_t code) {
    constexpr std::string_view names[] = {"no_score", "several", "out_of_range"};
    static_assert(std::size(names) == judge_code_end - code_no_score);
    return is_judge_code(code) ? names[code - code_no_score] : std::string_view();
}

enum class score_parser : std::int32_t {
    strict = 0,  ///< exactly one <score> and one </score> in the text, between them an integer from 1 to 10 and blanks
    /// As Multi-Agent Evolve's code: reads the first pair in any letter case that holds a number; a fraction before a
    /// decimal before an integer; (number - 1) / 9 cut to 0 and 1, so that 8/10 gives 0; one half where there is none.
    mae_repo,
};

/// The content of a judgement.
struct judgement {
    std::int32_t code = 0;                                    ///< code_ok or a judge_code
    double value = std::numeric_limits<double>::quiet_NaN();  ///< (score - 1) / 9; NaN where it has no score
    double form = 0;  ///< 1 for one pair of tags, 1/2 for several that match in number, else 0; 0 without a score
    text_span span;   ///< of the score
    [[nodiscard]] bool readable() const { return value == value; }
};
/// Linear in the text's length.
[[nodiscard]] judgement read_judgement(std::string_view text, score_parser by);

/// Scores 1 to 3, 4 to 7, 8 to 10.
inline constexpr std::int32_t judge_bands = 3;
inline constexpr std::int32_t judge_scores = 10;
/// The band of a value from 0 to 1; a value between two scores has the band of the nearer one.
[[nodiscard]] std::int32_t band_of(double value);

/// The right judgement.
struct judge_truth {
    std::int32_t band = -1;  ///< -1: nothing is proven
    double value = std::numeric_limits<double>::quiet_NaN();
    [[nodiscard]] bool known() const { return band >= 0; }
};
/// The truth about an answer: broken or infeasible 0; proven optimal 1; between them from 1/3 to 2/3 by its normalised
/// quality, where the optimum is proven.
[[nodiscard]] judge_truth truth_of_answer(bool feasible, bool optimal, bool proven, double normalized);
/// The truth about a question by the code of its gates: 1 for code_ok and over_quota, 1/2 for trivial and
/// near_duplicate, 0 for the others; nothing for not_run.
[[nodiscard]] judge_truth truth_of_question(std::int32_t code);

enum class judge_reward : std::int32_t {
    format = 0,  ///< judgement::form
    band,        ///< 1 in the right band, 1/2 in a neighbouring one, else 0
    brier,       ///< 1 - (value - truth)²
    pairs,       ///< share of pairs with other answers of its group that it puts in the right order; ties 1/2
};
/// Throws error{invalid_argument} that lists the names.
[[nodiscard]] judge_reward judge_reward_named(std::string_view name);
[[nodiscard]] score_parser score_parser_named(std::string_view name);

struct judged_row {
    judgement said;
    judge_truth truth;
    std::int32_t group = 0;  ///< judgements of one question
};
/// The rewards of judgements, before that of a constant judge is subtracted.
struct judge_result {
    std::vector<double> own;  ///< one per row; NaN: no reward
    double constant = 0;  ///< subtracted from each: 0 for format, 1/2 for pairs, else the best constant judge's mean
    std::int32_t constant_score = 0;  ///< that judge's score, the least of equally good ones; 0: there is none
};
[[nodiscard]] judge_result judge_results(judge_reward by, std::span<judged_row const> rows);
/// One reward per row. For all but `format`, that of a constant judge is subtracted: the best mean over these rows for
/// band and brier, 1/2 for pairs. A score that cannot be read earns 0 before that. NaN where nothing is proven, or
/// where pairs has no pair.
[[nodiscard]] std::vector<float> judge_rewards(judge_reward by, std::span<judged_row const> rows);

/// How judgements agree with what is proven. Integers, so that sums are the same in any order.
struct judge_counts {
    std::int64_t rows = 0;
    std::int64_t unreadable = 0;
    std::int64_t unproven = 0;  ///< rows about which nothing is proven; not in the numbers below
    std::array<std::array<std::int64_t, judge_scores>, judge_bands> scored{};  ///< by true band and score
    std::array<std::int64_t, judge_scores> truth_sum{};  ///< of each score: the truths, in units of 2^-20

    void add(judged_row const& row);
    judge_counts& operator+=(judge_counts const& other);
    [[nodiscard]] std::int64_t confusion(std::int32_t truth, std::int32_t said) const;
    /// Cohen's with quadratic weights over the bands; NaN where chance alone agrees.
    [[nodiscard]] double kappa() const;
    /// Chance that of two rows of different bands the better one has the higher score, ties one half; NaN without such.
    [[nodiscard]] double auc() const;
    /// Mean truth of rows with this score; NaN without such.
    [[nodiscard]] double calibration(std::int32_t score) const;
};

}  // namespace optgap
