#pragma once
// Launch shapes, as arithmetic that needs no GPU: how many warps share a block, who works on a row, and where its
// scratch lives.

#include <cstdint>

namespace optgap {

/// What a launch must know of the card.
struct device_limits {
    std::int32_t multiprocessors = 0;
    std::int64_t shared_per_block = 0;           ///< bytes, with the opt-in
    std::int64_t shared_per_multiprocessor = 0;  ///< bytes
    std::int64_t shared_reserved = 0;            ///< bytes the runtime takes of every block
    bool counts_blocks = false;  ///< the card has more multiprocessors: a launch has no more blocks than these hold
};

/// A warp works on one row, or a block of many warps does. None of these numbers has been measured on a GPU; each is
/// what a published limit suggests.
struct launch_policy {
    static constexpr std::int32_t warps_per_block = 4;
    /// Scratch goes to shared memory as long as this many warps fit a multiprocessor: two for each of its schedulers.
    /// With fewer, nothing hides the latency of one warp's loads but another load of its own.
    static constexpr std::int32_t warps_wanted = 8;
    /// Threads of a block that works on one row of a search whose scratch would leave fewer warps than that: as many
    /// warps as are wanted, so that one such block alone is enough. More would wait longer at each of a step's
    /// barriers, and have nothing to do where a row has a few hundred vertices.
    static constexpr std::int32_t row_block_threads = 32 * warps_wanted;
    /// Threads of a multiprocessor that a search's kernel must leave registers for: 128 each.
    static constexpr std::int32_t search_threads = 512;
    /// A block aims to end after that: until then it holds a place that the trainer's kernels may wait for.
    static constexpr double block_seconds = 1e-4;
    /// Rows that one of `teams` teams takes, where a full card needs `row_seconds` for each (0: unknown): one, or more
    /// of small ones while eight times as many teams have rows, for what begins a block is shared by them.
    static constexpr std::int32_t rows_a_team(std::int64_t rows, std::int64_t teams, double row_seconds) {
        double const own = row_seconds * double(teams < 1 ? 1 : teams);  // one row's, by its team
        std::int64_t const soon = own <= 0 ? 1 : own * 32 <= block_seconds ? 32 : std::int64_t(block_seconds / own);
        std::int64_t const share = rows / (8 * (teams < 1 ? 1 : teams));
        std::int64_t const most = share < soon ? share : soon;
        return std::int32_t(most < 1 ? 1 : most);
    }
    /// Teams for a list of which the host knows that it has `rows` rows at most: as many as have work at the same time
    /// (`at_once`), or `likely` where the list may well be longer than that. Each has every
    /// teams-th row, ⌈length / teams⌉ at most.
    ///
    /// T lists share P rows, and no host knows how. A team for each row that a list may have makes T·P of them, of
    /// which all but P begin in vain. With likely = P / T they are P + T·at_once at most: a row each where the lists
    /// are as long as one another, T rows where one list has all. Rows of `verify` take a card 1 ns each (H100, commit
    /// 4efcb39) and, of 8,448 teams at once, a team 8 µs: with 42 tasks a block lasts 0.35 ms at the worst, against the
    /// aim.
    static constexpr std::int64_t teams_of_found(std::int64_t rows, std::int64_t at_once, std::int64_t likely) {
        std::int64_t const wanted = at_once > likely ? at_once : likely;
        return rows < wanted ? rows : wanted;
    }
    /// What such a block's collectives take of shared memory in front of its scratch: 16 bytes a warp.
    static constexpr std::int64_t collective_bytes(std::int32_t threads) { return (threads / 2 + 63) / 64 * 64; }
};

struct launch_plan {
    std::int64_t words_per_row = 0;  ///< of scratch, a multiple of 16: every row's begins on a 64-byte boundary
    std::int64_t shared_bytes = 0;   ///< of a block; 0 when there is no need of any, or scratch lives in global memory
    bool global_scratch = false;
    bool block_per_row = false;  ///< launch_policy::row_block_threads work on a row; else a warp does
};

/// For blocks of launch_policy::warps_per_block warps, each with `scratch_words` words of its own.
constexpr launch_plan plan_launch(device_limits const& limits, std::int64_t scratch_words) {
    launch_plan plan;
    plan.words_per_row = (scratch_words + 15) / 16 * 16;
    if (plan.words_per_row == 0) {
        return plan;
    }
    std::int64_t const block_bytes =
        plan.words_per_row * std::int64_t(sizeof(std::int32_t)) * launch_policy::warps_per_block;
    std::int64_t const blocks = limits.shared_per_multiprocessor / (block_bytes + limits.shared_reserved);
    plan.global_scratch =
        block_bytes > limits.shared_per_block || blocks * launch_policy::warps_per_block < launch_policy::warps_wanted;
    plan.shared_bytes = plan.global_scratch ? 0 : block_bytes;
    return plan;
}

/// For searches, of which one row is long work: where warps would have to keep their scratch in global memory, a block
/// takes each row, with shared memory as long as one row fits, and always some for its own collectives.
constexpr launch_plan plan_search(device_limits const& limits, std::int64_t scratch_words) {
    std::int64_t const collective_bytes = launch_policy::collective_bytes(launch_policy::row_block_threads);
    launch_plan plan = plan_launch(limits, scratch_words);
    if (!plan.global_scratch) {
        return plan;
    }
    std::int64_t const row_bytes = plan.words_per_row * std::int64_t(sizeof(std::int32_t));
    plan.block_per_row = true;
    plan.global_scratch = row_bytes > limits.shared_per_block - collective_bytes;
    plan.shared_bytes = collective_bytes + (plan.global_scratch ? 0 : row_bytes);
    return plan;
}

}  // namespace optgap
