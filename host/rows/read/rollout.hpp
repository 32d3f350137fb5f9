#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/rows/json/jsonl.hpp"
#include "host/rows/read/options.hpp"
#include "host/rows/read/row_item.hpp"
#include "host/rows/read/text_arena.hpp"
#include "optgap/baseline.hpp"
#include "optgap/finish.hpp"
#include "optgap/format.hpp"
#include "optgap/reward.hpp"

namespace optgap::rows {

/// A row's completion and what the row states about it.
struct rollout {
    std::string_view completion;  ///< borrows the line or the arena of texts
    finish finished = finish::unknown;
    std::int32_t format = 0;        ///< index into known_formats()
    std::optional<baseline> given;  ///< nullopt: to be solved
    std::string_view given_text;    ///< `given` as the row has it
    std::string_view group;         ///< raw JSON value; empty: grouped by instance
    std::int32_t length = -1;       ///< tokens; -1 when the row's `length` is absent or not a count
};

/// Throws field_error{"length"} where the reward needs tokens and the row gives none.
void require_tokens(rollout const& row, reward_rules const& reward);

/// The names of formats that a row may use.
enum class format_use { answers, programs, any };

/// Returns the index into known_formats() of a format's name or JSON; throws field_error{"format"}. A format given as
/// JSON fits both uses, but programs need one with fences.
std::int32_t format_of_text(std::string_view name_or_json, format_use use = format_use::answers);

/// Returns the index of the row's own format, else of the options', else of forge or program. Throws
/// field_error{"format"} where they differ. An options' format applies to one use alone if it is a name, or JSON
/// without fences.
std::int32_t format_of_row(json_row const& row, score_options const& options, format_use use = format_use::answers);

/// Reads a row, with what is given beside it; throws field_error. `before` is a rollout of the same batch, or null:
/// rows of a group mostly have the same baseline, which is then read once.
rollout read_rollout(row_item const& item, score_options const& options, text_arena& texts,
                     format_use use = format_use::answers, rollout const* before = nullptr);

/// Reads {objective, bound, proven} from a raw JSON value. Returns nullopt when it has neither an objective nor a
/// proof. Throws field_error{field}.
std::optional<baseline> baseline_from(std::string_view value, std::string const& field);

}  // namespace optgap::rows
