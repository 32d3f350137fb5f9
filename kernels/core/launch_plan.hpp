#pragma once
// Launch shapes, as arithmetic that needs no GPU: how many warps share a block, and where a warp's scratch lives.

#include <cstdint>

namespace optgap {

/// What a launch must know of the card.
struct device_limits {
    std::int32_t multiprocessors = 0;
    std::int64_t shared_per_block = 0;           ///< bytes, with the opt-in
    std::int64_t shared_per_multiprocessor = 0;  ///< bytes
    std::int64_t shared_reserved = 0;            ///< bytes the runtime takes of every block
};

/// One warp works on one row. A warp that finishes draws the next row, so a launch never waits for its slowest block.
struct launch_policy {
    static constexpr std::int32_t warps_per_block = 4;
    /// Scratch goes to shared memory as long as this many warps fit a multiprocessor; with fewer, latency shows.
    static constexpr std::int32_t warps_wanted = 8;
};

struct launch_plan {
    std::int64_t words_per_warp = 0;  ///< of scratch, a multiple of 16: every warp's begins on a 64-byte boundary
    std::int64_t shared_bytes = 0;    ///< of a block; 0 when there is no scratch or it lives in global memory
    bool global_scratch = false;
};

/// For blocks of launch_policy::warps_per_block warps, each with `scratch_words` words.
constexpr launch_plan plan_launch(device_limits const& limits, std::int64_t scratch_words) {
    launch_plan plan;
    plan.words_per_warp = (scratch_words + 15) / 16 * 16;
    if (plan.words_per_warp == 0) {
        return plan;
    }
    std::int64_t const block_bytes =
        plan.words_per_warp * std::int64_t(sizeof(std::int32_t)) * launch_policy::warps_per_block;
    std::int64_t const blocks = limits.shared_per_multiprocessor / (block_bytes + limits.shared_reserved);
    plan.global_scratch =
        block_bytes > limits.shared_per_block || blocks * launch_policy::warps_per_block < launch_policy::warps_wanted;
    plan.shared_bytes = plan.global_scratch ? 0 : block_bytes;
    return plan;
}

}  // namespace optgap
