#include "host/executor/device_guard.hpp"

#include <cmath>
#include <utility>

namespace optgap {

namespace {

constexpr char const* forked_after_start =
    "this process was forked from one that had started CUDA, whose GPU it cannot use; start it with spawn or exec";

/// The fork generation in which an engine of this process or an ancestor first called CUDA; -1: none has.
std::atomic<std::int64_t> cuda_generation{-1};

bool is_device_fault(status code) {
    return code == status::out_of_memory || code == status::device_unavailable || code == status::device_failed;
}

}  // namespace

device_guard::device_guard(engine_options const& options, starter start_gpu)
    : make_gpu_(std::move(start_gpu)),
      chooses_(options.where == device::automatic),
      on_fallback_(options.on_fallback),
      options_{.memory_limit = options.device_memory,
               .stream = options.stream,
               .ordinal = options.ordinal,
               .launch_seconds = double(options.launch_microseconds) * 1e-6,
               .multiprocessors = options.multiprocessors} {
    if (options.where == device::cpu) {
        return;
    }
    std::string const why = start();
    if (why.empty()) {
        return;
    }
    if (options.where == device::cuda || on_error()) {
        throw error(status::device_unavailable,
                    "cuda: " + why + "; use device cpu" + (options.where == device::cuda ? " or auto" : ""));
    }
    state_ = device_state::unavailable;
    say(why);
}

device_guard::~device_guard() {
    if (born_ != fork_generation()) {
        // Its context, streams and memory are the parent's.
        static_cast<void>(gpu_.release());
        static_cast<void>(new std::shared_ptr<void>(std::move(options_.kept)));
    }
}

std::string device_guard::start() {
    std::int64_t expected = -1;
    if (!cuda_generation.compare_exchange_strong(expected, fork_generation()) && expected != fork_generation()) {
        return forked_after_start;
    }
    std::string why;
    gpu_ = make_gpu_(options_, why);
    if (gpu_) {
        std::lock_guard const lock(words_);
        device_ = gpu_->describe();
    }
    state_ = gpu_ ? device_state::ready : state_.load();
    return why;
}

device_state device_guard::state() const {
    device_state const now = state_;
    return now != device_state::cpu && born_ != fork_generation() ? device_state::forked : now;
}

bool device_guard::admit() {
    device_state const now = state();
    if (now == device_state::ready || now == device_state::cpu) {
        return now == device_state::ready;
    }
    if (now == device_state::released) {
        ++released_calls_;
        return false;
    }
    if (on_error()) {
        // A forked child takes no lock: a lock that a thread of its parent held stays locked.
        throw now == device_state::forked ? error(status::device_unavailable, forked_after_start)
        : now == device_state::failed     ? error(status::device_failed, statistics().last_reason)
                                          : error(status::device_unavailable, statistics().last_reason);
    }
    ++fallbacks_;
    return false;
}

bool device_guard::stays(device_work const& work) {
    if (state() != device_state::ready) {
        return false;
    }
    if (chooses_ && !device_policy(work)) {
        ++host_calls_;
        return true;
    }
    if (yields() && yields_to_others(work) && under_way_ > 0) {
        ++busy_calls_;
        return true;
    }
    return false;
}

std::string device_guard::policy() const {
    switch (state()) {
        case device_state::cpu:
        case device_state::unavailable:
        case device_state::forked: return {};
        default: break;
    }
    if (!chooses_) {
        return yields()
                   ? "every batch goes to the GPU; while others are on it only improve does, the rest runs on the CPU"
                   : "every batch goes to the GPU, in turn";
    }
    auto const scaled = [](double seconds, double unit) { return std::to_string(std::lround(seconds / unit)); };
    return "generate from " + std::to_string(min_gpu_rows(verb::generate)) +
           " rows on goes to the GPU while nobody else is on it; improve from " +
           std::to_string(min_gpu_rows(verb::improve)) + " on, in turn, where its steps on the cores (" +
           scaled(device_costs::step_seconds, 1e-9) + " ns a row) last longer than a call (" +
           scaled(device_costs::call_seconds, 1e-6) + " us and " + scaled(device_costs::byte_seconds, 1e-12) +
           " ps a byte); the rest is sooner on the CPU";
}

void device_guard::take_over(error const& fault) {
    if (!is_device_fault(fault.code())) {
        throw;
    }
    std::string said = device_ + ": " + fault.what();
    if (fault.code() == status::device_failed) {
        said += "; this process's CUDA context is gone and needs a new process, the engine goes on on the CPU";
        // Concurrent calls meet the same fault; it is reported once.
        if (state_.exchange(device_state::failed) != device_state::failed && !on_error()) {
            failure_unsaid_ = true;
        }
    }
    ++(fault.code() == status::device_failed   ? failed_
       : fault.code() == status::out_of_memory ? out_of_memory_
                                               : unavailable_);
    say(said);
    if (on_error()) {
        throw error(fault.code(), said);
    }
    ++fallbacks_;
}

void device_guard::raise_failure() {
    if (state() == device_state::failed && failure_unsaid_.exchange(false)) {
        throw error(status::device_failed, statistics().last_reason);
    }
}

void device_guard::release() {
    device_state expected = device_state::ready;
    if (state() != device_state::ready || !state_.compare_exchange_strong(expected, device_state::released)) {
        return;
    }
    // From here on new calls run on the CPU, so the wait is for those under way only.
    std::lock_guard const alone(gate_);
    if (state_ == device_state::released) {
        gpu_.reset();
    }
}

void device_guard::resume() {
    device_state const now = state();
    if (now == device_state::cpu || now == device_state::ready) {
        return;
    }
    if (now == device_state::forked || now == device_state::failed) {
        if (on_error()) {
            static_cast<void>(admit());
        }
        return;
    }
    std::lock_guard const alone(gate_);
    if (state_ != device_state::released && state_ != device_state::unavailable) {
        return;
    }
    if (gpu_) {  // released a moment ago by a thread that still waits for the gate
        state_ = device_state::ready;
        return;
    }
    std::string const why = start();
    if (!why.empty()) {
        state_ = device_state::unavailable;
        ++unavailable_;
        say(why);
        if (on_error()) {
            throw error(status::device_unavailable, "cuda: " + why);
        }
    }
}

void device_guard::say(std::string reason) {
    std::lock_guard const lock(words_);
    reason_ = std::move(reason);
}

device_statistics device_guard::statistics() const {
    device_statistics out{.state = state(),
                          .device = {},
                          .device_calls = device_calls_,
                          .fallbacks = fallbacks_,
                          .host_calls = host_calls_,
                          .busy_calls = busy_calls_,
                          .released_calls = released_calls_,
                          .out_of_memory = out_of_memory_,
                          .unavailable = unavailable_,
                          .failed = failed_,
                          .policy = policy(),
                          .last_reason = {}};
    if (out.state == device_state::forked) {
        out.last_reason = forked_after_start;
        return out;
    }
    std::lock_guard const lock(words_);
    out.device = device_;
    out.last_reason = reason_;
    return out;
}

}  // namespace optgap
