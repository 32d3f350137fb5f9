#pragma once
// Chooses between the GPU's executor and the CPU's: decides where a call runs, moves it to the CPU when the GPU fails
// it, counts, and frees the GPU's memory on request. It depends neither on CUDA nor on a particular call
// (host/executor/guarded.hpp).

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "host/executor/device_policy.hpp"
#include "host/executor/executor.hpp"
#include "optgap/engine.hpp"
#include "optgap/fork.hpp"

namespace optgap {

class device_guard {
public:
    using any_executor = seam<call_list<>>;
    /// As make_cuda_executor.
    using starter = std::function<std::unique_ptr<any_executor>(cuda_options&, std::string& why)>;

    device_guard(device_guard const&) = delete;
    device_guard& operator=(device_guard const&) = delete;

    /// Whether a GPU is ready for calls.
    [[nodiscard]] bool ready() const { return state() == device_state::ready; }
    /// Whether a batch of so many rows in host memory goes to an idle GPU.
    [[nodiscard]] bool sends(verb which, std::int64_t rows) const {
        return ready() && (!chooses_ || device_policy({.which = which, .rows = rows}));
    }
    /// Throws error{device_failed} once after a fault that ended the context. Public verbs begin with this call, so
    /// that all stages of the batch with the fault are finished first.
    void raise_failure();
    void release();
    void resume();
    [[nodiscard]] device_statistics statistics() const;

protected:
    /// Starts the GPU that the options ask for; throws error{device_unavailable} when it must and cannot.
    device_guard(engine_options const& options, starter start);
    ~device_guard();

    /// A call's stay on the GPU, which others see (`stays`) and `release` waits for.
    class visit {
    public:
        explicit visit(device_guard& at) : counted_(at.under_way_), in_use_(at.gate_), at_(at) {
            begun_ = at.state_ == device_state::ready;
            at.device_calls_ += begun_ ? 1 : 0;
        }
        /// False when the GPU was released since the call was admitted.
        [[nodiscard]] bool begun() const { return begun_; }
        [[nodiscard]] any_executor& gpu() const { return *at_.gpu_; }

    private:
        struct count {
            std::atomic<std::int64_t>& calls;
            explicit count(std::atomic<std::int64_t>& all) : calls(all) { ++calls; }
            ~count() { --calls; }
        } const counted_;
        std::shared_lock<std::shared_mutex> const in_use_;
        device_guard& at_;
        bool begun_;
    };

    /// Whether this call stays on the CPU although the GPU is ready; counts it.
    bool stays(device_work const& work);
    /// Whether this call may try the GPU; counts or throws when not.
    bool admit();
    /// Counts a fault of the GPU after which the CPU takes over, or rethrows it; called where it was caught.
    void take_over(error const& fault);

private:
    [[nodiscard]] std::string policy() const;
    [[nodiscard]] device_state state() const;
    /// Whether a call that would wait for others may run on the CPU.
    [[nodiscard]] bool yields() const { return chooses_ || !on_error(); }
    [[nodiscard]] bool on_error() const { return on_fallback_ == fallback::error; }
    /// Empty, or why no GPU started. The caller holds `gate_` alone, or no other thread has the guard yet.
    std::string start();
    void say(std::string reason);

    starter make_gpu_;
    bool const chooses_;  ///< device::automatic
    fallback on_fallback_;
    cuda_options options_;
    std::uint32_t const born_ = fork_generation();

    std::atomic<device_state> state_{device_state::cpu};
    std::atomic<bool> failure_unsaid_{false};
    /// Shared by calls on the GPU; held alone to start or release it.
    std::shared_mutex gate_;
    std::unique_ptr<any_executor> gpu_;

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
