#pragma once
// Launch shapes, as arithmetic that needs no GPU: how many warps share a block, whether a warp or a block works on a
// row, and where its scratch lives.

#include <cstdint>

namespace optgap {

/// What a launch must know of the GPU.
struct device_limits {
    std::int32_t multiprocessors = 0;
    std::int64_t shared_per_block = 0;           ///< bytes, with the opt-in
    std::int64_t shared_per_multiprocessor = 0;  ///< bytes
    std::int64_t shared_reserved = 0;            ///< bytes the runtime takes from every block
    bool counts_blocks = false;  ///< the GPU has more multiprocessors: a launch has no more blocks than these can hold
};

/// Either a warp works on one row, or a block of many warps. None of these numbers has been measured on a GPU; each
/// follows from a published limit.
struct launch_policy {
    static constexpr std::int32_t warps_per_block = 4;
    /// Scratch goes to shared memory if this many warps fit a multiprocessor: two for each of its schedulers. With
    /// fewer, only another load of the same warp hides the latency of its loads.
    static constexpr std::int32_t warps_wanted = 8;
    /// Threads of a block that works on one row of a search, if its scratch would leave fewer warps than that. The
    /// block has as many warps as are wanted, so that one such block alone is enough. More warps would wait longer at
    /// each barrier of a step, and would have nothing to do if a row has a few hundred vertices.
    static constexpr std::int32_t row_block_threads = 32 * warps_wanted;
    /// Threads of a multiprocessor that a search's kernel must leave registers for: 128 registers each.
    static constexpr std::int32_t search_threads = 512;
    /// A block should end within this time: until then it holds a place that the trainer's kernels may be waiting for.
    static constexpr double block_seconds = 1e-4;
    /// Rows that one of `teams` teams takes, if a full GPU needs `row_seconds` for each row (0: unknown). A team takes
    /// one row, or several small ones as long as eight times as many teams still have rows, because the rows of a block
    /// share the cost of its start.
    static constexpr std::int32_t rows_a_team(std::int64_t rows, std::int64_t teams, double row_seconds) {
        double const own = row_seconds * double(teams < 1 ? 1 : teams);  // one row's, by its team
        std::int64_t const soon = own <= 0 ? 1 : own * 32 <= block_seconds ? 32 : std::int64_t(block_seconds / own);
        std::int64_t const share = rows / (8 * (teams < 1 ? 1 : teams));
        std::int64_t const most = share < soon ? share : soon;
        return std::int32_t(most < 1 ? 1 : most);
    }
    /// Teams for a list of which the host knows only that it has at most `rows` rows: as many as work at the same time
    /// (`at_once`), or `likely` if the list may well be longer than that. A team takes every teams-th row, at most
    /// ⌈length / teams⌉.
    ///
    /// T lists share P rows, and the host does not know how. One team for each row that a list may have would make T·P
    /// teams, of which all but P start in vain. With likely = P / T there are at most P + T·at_once teams: each has one
    /// row if the lists have equal lengths, and T rows if one list has all. A GPU takes 1 ns for each row of `verify`
    /// (H100, commit 4efcb39), and a team, one of 8,448 at once, 8 µs. With 42 tasks a block lasts 0.35 ms in the worst
    /// case, which misses the aim above.
    static constexpr std::int64_t teams_of_found(std::int64_t rows, std::int64_t at_once, std::int64_t likely) {
        std::int64_t const wanted = at_once > likely ? at_once : likely;
        return rows < wanted ? rows : wanted;
    }
    /// Shared memory that the collectives of such a block take in front of its scratch: 16 bytes a warp.
    static constexpr std::int64_t collective_bytes(std::int32_t threads) { return (threads / 2 + 63) / 64 * 64; }
};

struct launch_plan {
    std::int64_t words_per_row = 0;  ///< of scratch, a multiple of 16: every row's scratch begins on a 64-byte boundary
    std::int64_t shared_bytes = 0;   ///< of a block; 0 if none is needed, or if scratch lives in global memory
    bool global_scratch = false;
    bool block_per_row = false;  ///< launch_policy::row_block_threads threads work on a row; otherwise a warp does
};

/// The plan for blocks of launch_policy::warps_per_block warps, each with `scratch_words` words of its own.
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

/// The plan for searches, whose rows take long. If warps would have to keep their scratch in global memory, a block
/// works on each row. It uses shared memory if one row fits, and always some for its own collectives.
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
