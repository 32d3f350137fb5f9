#pragma once
// What is to be computed, cut into blocks and dealt out to shards, without anybody who coordinates them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/batch.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

inline constexpr std::int64_t block_rows = 1024;

/// Consecutive seeds of one task, level and split.
struct work_part {
    std::int32_t task = 0;
    difficulty level;
    split part = split::train;
    std::uint64_t first = 0;
    std::int64_t count = 0;
};

/// "tsp:benchmark:train:0-999,clique:d40:test:7": level and split in either order, seeds from-to or one; a task may be
/// a pattern or all. Throws usage_error that names the part, also for two parts that share keys.
std::vector<work_part> parse_work(context& ctx, std::string_view text);

/// A block: up to 1,024 consecutive keys of a part. Block b belongs to shard b mod N: tasks differ a thousandfold in
/// cost.
std::vector<work_part> blocks_of(std::vector<work_part> const& parts);
[[nodiscard]] inline bool is_of_shard(std::int64_t block, std::int64_t shard, std::int64_t shards) {
    return block % shards == shard;
}

/// Which shards a process works through, and of how many.
struct shard_choice {
    std::vector<std::int64_t> mine{0};
    std::int64_t all = 1;
    bool is_told = false;
};

/// "i/N" with i from 0; "slurm" or "slurm/N": the element of a job array, by SLURM_ARRAY_TASK_ID, _MIN, _MAX and
/// _COUNT. An element of a whole array of A works through i, i + A, …; of a list that finishes missing shards it is i
/// alone, and N is that of the shards in `folder`. Throws usage_error.
shard_choice parse_shard(std::string_view text, std::string const& folder);

/// DIR/0003-of-0064.db
std::string shard_file(std::string const& folder, std::int64_t shard, std::int64_t shards);
/// Of such a file's name, how many shards there are; 0 for another name.
std::int64_t shards_named(std::string const& path);

}  // namespace optgap::cli
