#pragma once

#include <string>
#include <vector>

#include "tools/cli/shell/context.hpp"
#include "tools/cli/store/store_rows.hpp"

namespace optgap::cli {

/// Instance files, folders of them and JSONL as blocks of items, in their order; each instance once. `task_name` is of
/// files whose extension several tasks know. What breaks a rule is reported and left out.
std::vector<std::vector<store_item>> read_inputs(context& ctx, std::vector<std::string> const& inputs,
                                                 std::string const& task_name);

}  // namespace optgap::cli
