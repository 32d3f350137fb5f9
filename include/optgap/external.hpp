#pragma once  // Experimental.

#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "optgap/baseline.hpp"
#include "optgap/finish.hpp"
#include "optgap/format.hpp"
#include "optgap/reward.hpp"
#include "optgap/verdict.hpp"

namespace optgap {

// Problems that belong to no task: a third party's program verifies their answers. The code that finds and rewards the
// answers of tasks does so here.

/// Codes of rows without a verdict, or with one that is not "right". The numbers are part of the format: append, never
/// reorder. They lie between the codes that tasks share and a task's own.
enum external_code : std::int32_t {
    code_external_wrong = 32,  ///< the environment finds the answer wrong
    code_external_timeout,     ///< it gave no verdict within its time
    code_external_memory,      ///< it needed more memory than it may have
    code_external_crash,       ///< its process ended, or wrote something that is no reply
    code_external_error,       ///< it raised an exception, or could not be loaded
    code_external_verdict,     ///< it gave an invalid verdict: NaN, a reward out of range, a wrong type
    external_code_end,
};

/// "external_wrong"; empty for any other number.
[[nodiscard]] constexpr std::string_view external_code_name(std::int32_t code) {
    constexpr std::string_view names[] = {"external_wrong", "external_timeout", "external_memory",
                                          "external_crash", "external_error",   "external_verdict"};
    static_assert(std::size(names) == external_code_end - code_external_wrong);
    return code >= code_external_wrong && code < external_code_end ? names[code - code_external_wrong]
                                                                   : std::string_view();
}

/// The place of the answer in a completion.
struct answer_place_found {
    std::int32_t format_code = code_ok;  ///< the first broken rule; code_truncated where a cut-off text lacks a part
    bool has_answer = false;             ///< also in a broken format
    text_span answer;                    ///< all bytes between its markers
};

/// One entry per text. `format_of` holds indices into known_formats(); `finished` may be empty: unknown.
std::vector<answer_place_found> find_answers(std::span<std::string_view const> texts,
                                             std::span<std::int32_t const> format_of, std::span<finish const> finished);

/// Verdicts from outside, one entry per row; `finished` and `length` may be empty. Borrowed for the call.
struct external_verdicts {
    std::span<verdict const> verdicts = {};
    std::span<std::int32_t const> format_codes = {};
    std::span<finish const> finished = {};
    std::span<std::int32_t const> length = {};  ///< tokens
    std::span<baseline const> baselines = {};   ///< what the objectives are measured against
    std::span<sense const> direction = {};
    /// The environments' own rewards, which a shape that hands them through reads; NaN: none. Empty: of no row.
    std::span<double const> given = {};
    bool ranked = false;  ///< a feasible objective 0 under a positive baseline is an answer like others, not code_empty
};

/// The rewards of the verdicts, by the arithmetic of engine::score. Throws error{invalid_argument} where columns differ
/// in length, or lengths that the spec reads are missing.
std::vector<reward_row> external_rewards(external_verdicts const& rows, reward_spec const& spec);

}  // namespace optgap
