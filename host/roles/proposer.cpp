#include "optgap/roles/proposer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "kernels/reward/reward.hpp"
#include "optgap/status.hpp"

namespace optgap {
namespace {

using wide_units = __int128;

constexpr std::int64_t max_group_rows = std::int64_t(1) << 20;

std::int64_t role_units_of(double value) { return std::llround(value * double(role_unit)); }

/// The greatest integer whose square is at most `value`.
std::int64_t whole_root(std::int64_t value) {
    std::int64_t root = std::int64_t(std::sqrt(double(value)));
    while (root * root > value) {
        --root;
    }
    while ((root + 1) * (root + 1) <= value) {
        ++root;
    }
    return root;
}

/// The number of binary digits: values between two powers are in one bucket.
std::int64_t power_bucket(std::int64_t value) {
    return std::bit_width(std::uint64_t(std::max<std::int64_t>(value, 0)));
}

void require_field(bool holds, char const* what) {
    if (!holds) {
        misuse(what);
    }
}

void require_proposer_row(proposer_row const& row) {
    group_sums const& group = row.group;
    require_field(group.rows >= 0 && group.rows <= max_group_rows, "group.rows: expected 0 to 2^20");
    require_field(group.feasible >= 0 && group.feasible <= group.rows, "group.feasible: expected 0 to rows");
    require_field(group.solved >= 0 && group.solved <= group.feasible, "group.solved: expected 0 to feasible");
    require_field(group.sum >= 0 && group.sum <= group.rows * role_unit, "group.sum: expected 0 to rows * 2^20");
    require_field(group.sum_sq >= 0 && wide_units(group.rows) * group.sum_sq >= wide_units(group.sum) * group.sum &&
                      wide_units(group.sum_sq) <= wide_units(group.sum) * role_unit,
                  "group.sum_sq: expected what numbers from 0 to 1 of this sum can have");
    require_field(row.before >= 0, "before: expected 0 or more");
    require_field(row.equal >= 1, "equal: expected 1 or more");
    require_field(row.greedy_gap >= 0 && row.greedy_gap <= role_unit, "greedy_gap: expected 0 to 2^20");
    require_field(row.reference_gap >= 1 && row.reference_gap <= role_unit, "reference_gap: expected 1 to 2^20");
    require_field(row.prompt >= 0 && row.prompt <= INT32_MAX, "prompt: expected 0 to 2^31 - 1");
    require_field(row.prompt_target >= 0, "prompt_target: expected 0 or more");
    require_field(row.prompt_limit >= 1, "prompt_limit: expected 1 or more");
    require_field(row.quality >= -1 && row.quality <= role_unit, "quality: expected 0 to 2^20, or -1 for none");
    require_field(row.form >= 0 && row.form <= role_unit, "form: expected 0 to 2^20");
    require_field(row.batch >= 1 && row.cluster >= 0 && row.cluster <= row.batch, "cluster: expected 0 to batch");
}

bool has_sound_form(std::int32_t code) { return code == code_ok || is_proposal_code(code); }

/// The reward of each preset, for rows that are not excluded.
std::int64_t preset_total(proposer_reward by, proposer_row const& row, proposer_result const& parts) {
    bool const formed = has_sound_form(row.code), sound = row.code == code_ok;
    std::int64_t const p = mean_units(row.group);
    std::int64_t const quality = row.quality >= 0 ? row.quality : sound ? role_unit : 0;
    switch (by) {
        case proposer_reward::proof: {
            if (!sound) {
                return role_units_of(double(gate_reward(row.code)));
            }
            std::int64_t const rewarded = row.group.feasible > 0 ? parts.signal : 0;
            return std::clamp<std::int64_t>((rewarded + parts.novelty + parts.hardness) / 3 - parts.price, 0,
                                            role_unit);
        }
        // A problem that fails a gate has no difficulty, since no solver was asked.
        case proposer_reward::mae_paper: return (quality + (sound ? role_unit - p : 0) + row.form) / 3;
        case proposer_reward::mae_repo:
            return !formed                        ? 0
                   : 10 * quality < 7 * role_unit ? (quality + row.form) / 3
                                                  : (quality + (role_unit - p) + row.form) / 3;
        case proposer_reward::azr: return !formed ? -role_unit : !sound ? -role_unit / 2 : p > 0 ? role_unit - p : 0;
        case proposer_reward::r_zero:
            return formed ? std::min(p, role_unit - p) - row.cluster * role_unit / row.batch : -role_unit;
        case proposer_reward::r_zero_paper: return formed && sound ? role_unit - std::abs(2 * p - role_unit) : 0;
        case proposer_reward::sqlm:
            return sound && row.group.solved > 0 && row.group.solved < row.group.rows ? role_unit : 0;
        case proposer_reward::regret: return sound && row.group.rows > 0 ? role_unit - p : 0;
    }
    return 0;
}

}  // namespace

void group_sums::add(bool is_feasible, bool is_optimal, double normalized) {
    std::int64_t const x = is_feasible ? role_units_of(std::clamp(normalized, 0.0, 1.0)) : 0;
    ++rows;
    feasible += is_feasible ? 1 : 0;
    solved += is_feasible && is_optimal ? 1 : 0;
    sum += x;
    sum_sq += x * x;
}

posed_text posed_in(std::string_view completion, format_spec const& by, finish finished) {
    std::vector<std::int32_t> ignored;
    parsed_text const parsed = parse_completion(completion, by, answer_syntax{}, ignored, finished);
    bool const lacks =
        parsed.format_code == code_format_missing_answer || parsed.format_code == code_format_missing_reasoning;
    bool const cut = finished == finish::length || finished == finish::abort;
    text_span const span = parsed.answer;
    return {{completion.substr(std::size_t(span.begin), std::size_t(span.end - span.begin)),
             lacks && cut ? std::int32_t(code_truncated) : parsed.format_code},
            span};
}

proposal_batch check_completions(proposal_checker& by, std::span<std::string_view const> completions,
                                 std::span<finish const> finished, std::int64_t step) {
    proposal_batch out;
    std::vector<proposal_text> posed;
    for (std::size_t r = 0; r < completions.size(); ++r) {
        posed_text const one =
            posed_in(completions[r], question_format(), finished.empty() ? finish::unknown : finished[r]);
        posed.push_back({one.proposal.text, one.proposal.format_code, step});
        out.span.push_back(one.span);
    }
    out.rows = by.check(posed);
    return out;
}

std::int64_t mean_units(group_sums const& of) { return of.rows == 0 ? 0 : of.sum / of.rows; }

std::int64_t signal_units(group_sums const& of) {
    if (of.rows < 2) {
        return 0;
    }
    wide_units const n = of.rows;
    wide_units const four_s2 = 4 * (n * of.sum_sq - wide_units(of.sum) * of.sum) / (n * (n - 1) * role_unit);
    return std::int64_t(std::min<wide_units>(four_s2, role_unit));
}

std::int64_t novelty_units(std::int64_t before, std::int64_t equal) {
    return whole_root(role_unit * role_unit / (1 + std::min(before, INT64_MAX - 1))) / equal;
}

std::int64_t greedy_gap_units(baseline const& of, sense direction) {
    if (of.greedy == no_objective || of.objective == no_objective) {
        return role_unit;
    }
    return std::clamp<std::int64_t>(role_unit - role_units_of(quality_of(of.greedy, of, direction)), 0, role_unit);
}

std::int64_t descriptor_cell(checked_proposal const& of, sense direction) {
    std::int64_t const gap = greedy_gap_units(of.base, direction) * 8 / (role_unit + 1);
    std::int64_t cell = of.task + 1;
    for (auto const& [value, most] :
         {std::pair(power_bucket(std::int64_t(of.words.size())), 64), std::pair(gap, 8),
          std::pair(power_bucket(of.base.steps), 64), std::pair(power_bucket(of.levels), 64)}) {
        cell = cell * most + value;
    }
    return cell;
}

proposer_reward proposer_reward_named(std::string_view name) {
    constexpr std::string_view names[] = {"proof",  "mae_paper",    "mae_repo", "azr",
                                          "r_zero", "r_zero_paper", "sqlm",     "regret"};
    std::string all;
    for (std::size_t k = 0; k < std::size(names); ++k) {
        if (names[k] == name) {
            return proposer_reward(k);
        }
        all += (k == 0 ? "" : ", ") + std::string(names[k]);
    }
    misuse("proposer: \"" + std::string(name) + "\" is not one of " + all);
}

proposer_result reward_proposer(proposer_reward by, proposer_row const& row) {
    require_proposer_row(row);
    proposer_result out;
    if (row.code == code_proposal_not_run) {
        out.excluded = true;
        return out;
    }
    if (row.code == code_ok) {
        out.signal = signal_units(row.group);
        if (row.kind != proposal_kind::spec) {
            out.novelty = novelty_units(row.before, row.equal);
            out.hardness = std::min(role_unit, row.greedy_gap * role_unit / row.reference_gap);
        }
        std::int64_t const beyond = std::max<std::int64_t>(0, row.prompt - row.prompt_target);
        out.price =
            std::int64_t(std::min<wide_units>(wide_units(beyond) * role_unit / row.prompt_limit, role_unit * 4));
    }
    out.reward = preset_total(by, row, out);
    return out;
}

}  // namespace optgap
