#pragma once
// optgap explain of a row of any kind that has no page of its own.

#include "tools/cli/pay/explain_text.hpp"
#include "tools/cli/pay/score_command.hpp"

namespace optgap::cli {

/// The row's text with what was read of it marked, its code, and each column that scoring adds, with what it means.
/// A row that is rejected says so and sets exit_rejected.
std::string explain_row(context& ctx, scorer& by, row_item& item, painter const& paint);

}  // namespace optgap::cli
