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

/// What one row says about its rollout.
struct rollout {
    std::string_view completion;  ///< borrows the line or the arena of texts
    finish finished = finish::unknown;
    std::int32_t format = 0;        ///< index into known_formats()
    std::optional<baseline> given;  ///< nullopt: to be solved
    std::string_view group;         ///< raw JSON value; empty: grouped by instance
    std::int32_t length = -1;       ///< tokens; -1 when the row's `length` is absent or no count
};

/// Throws field_error{"length"} where the reward reads tokens that the row does not say.
void require_tokens(rollout const& row, reward_rules const& reward);

/// Which names of formats are known to a row.
enum class format_use { answers, programs, any };

/// Index into known_formats() of a name or of a format as JSON; throws field_error{"format"}. A format as JSON is of
/// either use, but programs stand in fences.
std::int32_t format_of_text(std::string_view name_or_json, format_use use = format_use::answers);

/// The same of a row's own format, else of the options', else forge or program; throws field_error{"format"} where they
/// differ. The options' format is of one kind of rows alone where it is a name, or stands in no fence.
std::int32_t format_of_row(json_row const& row, score_options const& options, format_use use = format_use::answers);

/// Reads a row, with what is given beside it; throws field_error.
rollout read_rollout(row_item const& item, score_options const& options, text_arena& texts,
                     format_use use = format_use::answers);

/// {objective, bound, proven} of a raw JSON value; nullopt when it says nothing: no objective and no proof. Throws
/// field_error{field}.
std::optional<baseline> baseline_from(std::string_view value, std::string const& field);

}  // namespace optgap::rows
