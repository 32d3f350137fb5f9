#pragma once
// The verbs of `optgap pool`; each adds itself to it.

#include <memory>
#include <string>

#include "host/pool/check.hpp"
#include "host/pool/pool.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

void add_pool_init(command_entry pool, context& ctx);
void add_pool_add(command_entry pool, context& ctx);
void add_pool_sample(command_entry pool, context& ctx);
void add_pool_observe(command_entry pool, context& ctx);
void add_pool_stats(command_entry pool, context& ctx);
void add_pool_export(command_entry pool, context& ctx);
void add_pool_verify(command_entry pool, context& ctx);
void add_pool_hash(command_entry pool, context& ctx);
void add_pool_merge(command_entry pool, context& ctx);
void add_pool_rewind(command_entry pool, context& ctx);

/// How many entries are proven again whenever a pool is used.
inline constexpr std::int64_t proofs_on_load = 4;

/// Opens a pool and believes nothing of it: hashes, rubric, answers, and the proofs of a sample. Throws
/// sqlite::failure{damaged} with what is wrong.
std::unique_ptr<pool::pool> opened_pool(context& ctx, std::string const& path, bool writes);
/// "8 entries, at step 2; hash 9f3a…"
std::string sentence_of(pool::pool const& of);
/// Where a path has nothing, a pool with the usual settings.
void make_where_missing(context& ctx, std::string const& path);

}  // namespace optgap::cli
