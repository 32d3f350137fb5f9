#pragma once
// The verbs of `optgap store`; each adds itself to it.

#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

void add_store_info(command_entry store, context& ctx);
void add_store_verify(command_entry store, context& ctx);
void add_store_merge(command_entry store, context& ctx);
void add_store_export(command_entry store, context& ctx);
void add_store_import(command_entry store, context& ctx);
void add_store_take_improved(command_entry store, context& ctx);
void add_store_snapshot(command_entry store, context& ctx);
void add_store_diff(command_entry store, context& ctx);

}  // namespace optgap::cli
