#pragma once
// optgap explain of a row whose completion is a program.

#include "host/rows/read/rollout.hpp"
#include "host/rows/read/row_item.hpp"
#include "tools/cli/pay/explain_text.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

/// Prints the program's way: its text, the compilation, all verdicts, and one run in full: `instance`, or where it is
/// -1 the first that is not feasible. What needs a run is left out, and said so, where the options name no isolation.
void explain_program(context& ctx, row_item& item, score_options const& options, std::int32_t instance,
                     painter const& paint);

}  // namespace optgap::cli
