#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {

class command_entry;  // tools/cli/shell/command_line.hpp

/// How rows are treated whose completion is a program. Nothing is run while `isolation` is empty.
struct program_options {
    std::string isolation;  ///< "auto" or a rung of the ladder (docs/sandbox.md)
    std::int32_t slots = 0;
    std::string limits;  ///< overrules what rows say; empty: not said
    std::string dedupe = "deterministic";
    std::string timings;  ///< file; empty: none
    std::int32_t repeats = 1;
    bool fail_fast = false;
    bool matrix = false;
    bool estimate = false;
};

/// The options of score, eval and explain.
struct score_options {
    std::string format;  ///< empty: not said
    bool force_format = false;
    std::string reward = "forge";
    std::string advantage = "grpo";
    std::int64_t budget = -1;
    bool external = false;                ///< rows may bring verdicts from outside
    std::string chain_preset;             ///< whose arithmetic chains are scored by; empty: each chain's own
    std::string chains;                   ///< file of the chains that rows name by `chain_key`; empty: none
    std::string proposals;                ///< settings of the gates of rows that pose problems; empty: the defaults
    std::string judge = "band";           ///< what judgements earn
    std::string judge_parser = "strict";  ///< and how they are read
    std::string held_out;                 ///< file of rows whose problems may not be posed; empty: none
    std::string outbox;                   ///< file for answers that beat their baselines; empty: none
    std::string baselines;                ///< snapshot of a store; empty: none
    program_options programs;
};

/// What one row says about its rollout.
struct rollout {
    std::string_view completion;  ///< borrows the line or the arena
    finish finished = finish::unknown;
    std::int32_t format = 0;        ///< index into known_formats()
    std::optional<baseline> given;  ///< nullopt: to be solved
    std::string_view group;         ///< raw JSON value; empty: grouped by instance
    std::int32_t length = -1;       ///< tokens; -1 when the row's `length` is absent or no count
};

/// Throws field_error{"length"} where the reward reads tokens that the row does not say.
void require_tokens(rollout const& row, reward_rules const& reward);

/// Adds the options to a command, but for --outbox.
void add_score_options(command_entry command, score_options& options);
/// --isolation, --slots and --limits.
void add_program_options(command_entry command, program_options& options);
void add_outbox_option(command_entry command, score_options& options);
void add_baselines_option(command_entry command, score_options& options);

/// Which names of formats are known to a row.
enum class format_use { answers, programs, any };

/// Index into known_formats() of a name or of a format as JSON; throws field_error{"format"}. A format as JSON is of
/// either use, but programs stand in fences.
std::int32_t format_of_text(std::string_view name_or_json, format_use use = format_use::answers);

/// The same of a row's own format, else of the options', else forge or program; throws field_error{"format"} where they
/// differ. The options' format is of one kind of rows alone where it is a name, or stands in no fence.
std::int32_t format_of_row(json_row const& row, score_options const& options, format_use use = format_use::answers);

/// Reads a row; throws field_error. `arena` must have room for the decoded completion.
rollout read_rollout(json_row const& row, score_options const& options, std::string& arena,
                     format_use use = format_use::answers);

/// {objective, bound, proven} of a raw JSON value; nullopt when it says nothing: no objective and no proof. Throws
/// field_error{field}.
std::optional<baseline> baseline_from(std::string_view value, std::string const& field);

/// An integer, or `none` for null and for an absent key; throws field_error{field}.
std::int64_t integer_of(json_row const& row, std::string_view name, std::int64_t none, std::string const& field);

}  // namespace optgap::cli
