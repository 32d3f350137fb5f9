#pragma once
// Stands before the GPU's executor, with the CPU's behind it: decides where a call runs, moves it to the CPU when the
// GPU fails it, counts, and gives the GPU's memory back on request. Knows no CUDA.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>

#include "host/executor/device_policy.hpp"
#include "host/executor/executor.hpp"
#include "optgap/engine.hpp"
#include "optgap/fork.hpp"

namespace optgap {

class device_guard final : public executor {
public:
    /// Starts the GPU that the options ask for; throws error{device_unavailable} when it must and cannot. `cpu`
    /// outlives the guard.
    device_guard(executor& cpu, engine_options const& options);
    ~device_guard() override;
    device_guard(device_guard const&) = delete;
    device_guard& operator=(device_guard const&) = delete;

    [[nodiscard]] std::string describe() const override;
    instance_batch generate(std::span<generation const> items) override;
    void verify(instance_view instances, csr_view answers, std::int32_t const* instance_of,
                std::span<verdict> out) override;
    csr_words anchors(instance_view instances, anchor_policy policy) override;
    csr_words improve(instance_view instances, csr_view answers, std::int32_t const* instance_of, std::int64_t steps,
                      draw source, std::span<improve_result> out) override;
    void rewards(reward_inputs const& in, reward_spec const& spec, std::span<reward_row> out) override;
    void advantages(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                    std::span<float> out) override;
    void ranks(rank_inputs const& in, advantage_spec const& spec, std::span<double> out) override;

    /// Whether there is a GPU to go to.
    [[nodiscard]] bool ready() const { return state() == device_state::ready; }
    /// Whether a batch of so many rows goes there.
    [[nodiscard]] bool sends(batch_verb which, std::int64_t rows) const {
        return ready() && (!chooses_ || rows >= least_gpu_rows(which));
    }
    /// Throws error{device_failed} once after a fault that ended the context. Public verbs begin with it: the batch in
    /// which the fault came is finished first, all its stages.
    void raise_failure();
    void release();
    void resume();
    [[nodiscard]] device_statistics statistics() const;

private:
    /// The work on the GPU if that can be and is to be, else on the CPU. `work` writes all of its results every time it
    /// runs.
    template <class Work>
    auto run(batch_verb which, std::int64_t rows, Work const& work);
    /// Whether this batch stays on the CPU although the GPU is ready; counts it.
    bool stays(batch_verb which, std::int64_t rows);
    [[nodiscard]] std::string policy() const;
    [[nodiscard]] device_state state() const;
    [[nodiscard]] bool on_error() const { return on_fallback_ == fallback::error; }
    /// Whether this call may try the GPU; counts or throws when not.
    bool admit();
    /// Counts a fault of the GPU's, or throws it on.
    void note(error const& fault);
    /// Empty, or why no GPU started. The caller holds `gate_` alone, or nobody else can know the guard.
    std::string start();
    void say(std::string reason);

    executor& cpu_;
    bool const chooses_;  ///< device::automatic
    fallback on_fallback_;
    cuda_options options_;
    std::uint32_t const born_ = fork_generation();

    std::atomic<device_state> state_{device_state::cpu};
    std::atomic<bool> failure_unsaid_{false};
    /// Shared by calls on the GPU, held alone by what starts it or gives it back.
    std::shared_mutex gate_;
    std::unique_ptr<executor> gpu_;

    std::atomic<std::int64_t> device_calls_{0};
    std::atomic<std::int64_t> fallbacks_{0};
    std::atomic<std::int64_t> under_way_{0};  ///< calls on the GPU or waiting for it
    std::atomic<std::int64_t> host_calls_{0};
    std::atomic<std::int64_t> busy_calls_{0};
    std::atomic<std::int64_t> released_calls_{0};
    std::atomic<std::int64_t> out_of_memory_{0};
    std::atomic<std::int64_t> unavailable_{0};
    std::atomic<std::int64_t> failed_{0};
    mutable std::mutex words_;
    std::string device_;
    std::string reason_;
};

}  // namespace optgap
