#pragma once
// An executor with a device_guard before the GPU: each call runs there if the guard admits it, else on the CPU.

#include <shared_mutex>
#include <string>
#include <utility>

#include "host/executor/device_guard.hpp"
#include "host/executor/seam.hpp"

namespace optgap {

/// `Executor` is a class over a seam, and names its calls.
template <class Executor>
class guarded final : public passing<guarded<Executor>, Executor, typename Executor::calls>, public device_guard {
public:
    /// As device_guard; `cpu` outlives it, and `start` makes an Executor.
    guarded(Executor& cpu, engine_options const& options, starter start)
        : device_guard(options, std::move(start)), cpu_(cpu) {}

    [[nodiscard]] std::string describe() const override { return ready() ? statistics().device : cpu_.describe(); }

    /// A call that failed on the GPU runs again: it writes all of its results every time.
    template <class Call>
    typename Call::result pass(Call const& call) {
        if (!stays(work_of(call)) && admit()) {
            visit const present(*this);
            if (present.begun()) {
                try {
                    return static_cast<Executor&>(present.gpu()).run(call);
                } catch (error const& fault) {
                    take_over(fault);
                }
            }
        }
        return cpu_.run(call);
    }

    /// Runs `work(gpu)`, which the CPU cannot take over. Throws error{device_unavailable} where no GPU is ready.
    template <class Work>
    auto on_gpu(Work const& work) {
        raise_failure();
        if (ready()) {
            if (visit const present(*this); present.begun()) {
                return work(static_cast<Executor&>(present.gpu()));
            }
        }
        std::string const why = statistics().last_reason;
        throw error(status::device_unavailable, "this engine has no GPU" + (why.empty() ? "" : ": " + why));
    }

private:
    Executor& cpu_;
};

}  // namespace optgap
