#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>

#include <nanobind/nanobind.h>

#include "optgap/engine.hpp"

namespace optgap::python {

/// An engine that outlives os.fork. The pool's threads exist in the process that started them only, so a child makes
/// an engine of its own on first use. A CUDA context does not survive a fork: the child of an engine on a GPU works on
/// the CPU when the device was `automatic`, and refuses when it was `cuda`. A daemon is the child's as well. Call with
/// the GIL held, where there is one.
class fork_safe_engine {
public:
    explicit fork_safe_engine(engine_options const& options)
        : options_(options), engine_(std::make_shared<engine>(options)), owner_(getpid()) {}
    ~fork_safe_engine() {
        if (owner_ != getpid()) {
            abandon();
        }
    }
    fork_safe_engine(fork_safe_engine const&) = delete;
    fork_safe_engine& operator=(fork_safe_engine const&) = delete;

    [[nodiscard]] std::shared_ptr<engine> get() {
        if (owner_ != getpid()) {
            nanobind::ft_lock_guard const locked(lock_);
            if (owner_ != getpid()) {
                after_fork();
            }
        }
        return engine_;
    }
    [[nodiscard]] engine_options const& options() const { return options_; }

private:
    void after_fork() {
        engine_options here = options_;
        if (options_.where == device::cuda) {
            throw error(status::device_unavailable,
                        "cuda: this process was forked from one that uses the GPU; start it with spawn, or use device "
                        "cpu or auto");
        }
        here.where = device::cpu;
        here.server = engine_->server_status().path;
        here.server = here.server.empty() ? "off" : here.server;
        auto fresh = std::make_shared<engine>(here);
        abandon();
        engine_ = std::move(fresh);
        owner_ = getpid();
    }
    /// Destroying the parent's engine would wait for threads that are not here; its memory is the price of the fork.
    void abandon() { static_cast<void>(new std::shared_ptr<engine>(std::move(engine_))); }

    engine_options options_;
    std::shared_ptr<engine> engine_;
    std::atomic<pid_t> owner_;  ///< written after engine_
    nanobind::ft_mutex lock_;   ///< of the interpreter without a GIL; nothing elsewhere
};

}  // namespace optgap::python
