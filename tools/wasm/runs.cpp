#include "tools/wasm/runs.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <vector>

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "host/programs/wire/module_wire.hpp"
#include "tools/wasm/wasi.hpp"

namespace optgap::wasm {
namespace {

using programs::wire::frame;
using programs::wire::module_end;
using programs::wire::module_ending;

/// A request: the limits of each run, and their inputs.
struct order {
    run_limits limits;
    std::uint64_t time_ms = 0;
    std::vector<std::string_view> inputs;
};

/// The state that all runs share, which no run can change.
struct prepared {
    api const& use;
    engine* by;
    instance_pre* module;
    world now;  ///< of the current run; each begins with a fresh one
};

[[noreturn]] void give_up(std::string said) {
    write_all(STDERR_FILENO, said + "\n");
    _exit(programs::wire::module_lost_status);
}

std::int64_t nanoseconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Sets the processor time of this process until `out_of_time`; 0: unlimited.
void set_alarm(std::uint64_t ms) {
    itimerval const at{{}, {time_t(ms / 1000), suseconds_t(ms % 1000 * 1000)}};
    setitimer(ITIMER_PROF, &at, nullptr);
}

extern "C" void out_of_time(int) { _exit(programs::wire::module_time_status); }

module_end end_of(module_ending how, std::int32_t where, std::uint64_t steps) { return {how, where, steps, 0, 0}; }

/// Determines how a call of the module ended from what stopped it. Frees the trap.
module_end end_of_call(world& of, context* in, exported const* memory, trap* trapped) {
    api const& use = *of.of;
    std::uint64_t left = 0;
    use.get_fuel(in, &left);
    std::uint64_t const steps = of.limits.steps - left;
    std::uint8_t code = 255;
    bool const coded = trapped != nullptr && use.trap_code(trapped, &code);
    std::string said;
    if (trapped != nullptr) {
        byte_vector message;
        use.trap_message(trapped, &message);
        said.assign(message.data, strnlen(message.data, message.size));
        use.bytes_delete(&message);
        use.trap_delete(trapped);
    }
    if (of.why == stopped::steps || (coded && code == trap_out_of_fuel)) {
        return end_of(module_ending::steps, -1, of.limits.steps);
    }
    if (of.why == stopped::output) {
        return end_of(module_ending::output, -1, steps);
    }
    if (of.why == stopped::exit || trapped == nullptr) {
        return end_of(module_ending::exit, of.status, steps);
    }
    std::uint64_t const size = memory != nullptr ? use.memory_size(in, &memory->as_memory) : 0;
    bool const full = size >= of.limits.memory_bytes / 100 * 95;
    bool const asked = of.errors.find("std::bad_alloc") != std::string::npos;
    if (!of.errors.empty() && of.errors.back() != '\n') {
        of.errors += '\n';
    }
    of.errors += said;
    return end_of(full || asked ? module_ending::memory : module_ending::crash, coded ? code : -1, steps);
}

void drop(api const& use, failure* what) {
    if (what != nullptr) {
        use.failure_delete(what);
    }
}

module_end run_in(prepared& all, context* in) {
    api const& use = all.use;
    world& of = all.now;
    if (failure* const failed = use.set_fuel(in, of.limits.steps)) {
        give_up(text_of(use, failed));
    }
    instance started{};
    trap* trapped = nullptr;
    failure* failed = use.instantiate(all.module, in, &started, &trapped);
    if (of.why != stopped::no) {  // a host call that stops a run returns a failure, not a trap
        drop(use, failed);
        return end_of_call(of, in, nullptr, trapped);
    }
    if (failed != nullptr) {  // a memory or a table beyond the limit
        of.errors = text_of(use, failed);
        return end_of(module_ending::memory, -1, 0);
    }
    if (trapped != nullptr) {
        return end_of_call(of, in, nullptr, trapped);
    }
    exported start{};
    exported memory{};
    bool const has_memory = use.instance_export(in, &started, "memory", 6, &memory) && memory.kind == exported_memory;
    if (!use.instance_export(in, &started, "_start", 6, &start) || start.kind != exported_function) {
        of.errors = "_start is no function";
        return end_of(module_ending::crash, -1, 0);
    }
    failed = use.call(in, &start.as_function, nullptr, 0, nullptr, 0, &trapped);
    if (failed != nullptr && of.why == stopped::no) {
        of.errors = text_of(use, failed);  // it takes arguments or returns results
        return end_of(module_ending::crash, -1, 0);
    }
    drop(use, failed);
    return end_of_call(of, in, has_memory ? &memory : nullptr, trapped);
}

void run_one(prepared& all, order const& asked, std::string_view input) {
    api const& use = all.use;
    world& of = all.now;
    of = world();
    of.of = &use;
    of.limits = asked.limits;
    of.input = input;
    set_alarm(asked.time_ms);
    // Uses the thread's clock: a process's clock counts in ticks while an alarm is set.
    std::int64_t const cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    std::int64_t const wall = nanoseconds(CLOCK_MONOTONIC);
    store* const kept = use.store_new(all.by, nullptr, nullptr);
    use.store_limiter(kept, std::int64_t(of.limits.memory_bytes), 1 << 20, 1, 16, 1);
    module_end end = run_in(all, use.store_context(kept));
    use.store_delete(kept);
    end.cpu_ns = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    end.wall_ns = nanoseconds(CLOCK_MONOTONIC) - wall;
    set_alarm(0);
    std::string told;  // written at once, since each write wakes the broker
    if (!of.pending.empty()) {
        add_frame(told, frame::output, of.pending);
    }
    if (!of.errors.empty()) {
        add_frame(told, frame::errors, of.errors + (of.errors.back() != '\n' ? "\n" : ""));
    }
    add_frame(told, frame::end, {reinterpret_cast<char const*>(&end), sizeof end});
    write_all(STDOUT_FILENO, told);
}

bool take_number(std::string_view& from, std::uint64_t& out) {
    from.remove_prefix(from.empty() ? 0 : 1);
    auto const [end, wrong] = std::from_chars(from.data(), from.data() + from.size(), out);
    from.remove_prefix(std::size_t(end - from.data()));
    return wrong == std::errc();
}

order read_order(std::string_view asked) {
    std::string_view head = asked.substr(0, asked.find('\n'));
    asked.remove_prefix(std::min(asked.size(), head.size() + 1));
    constexpr std::string_view verb = "runs";
    order out;
    bool good = head.starts_with(verb);
    head.remove_prefix(good ? verb.size() : 0);
    good = good && take_number(head, out.limits.steps) && take_number(head, out.limits.memory_bytes) &&
           take_number(head, out.limits.output_bytes) && take_number(head, out.time_ms);
    for (std::uint64_t size = 0; good && !head.empty();) {
        good = take_number(head, size) && size <= asked.size();
        out.inputs.push_back(asked.substr(0, good ? size : 0));
        asked.remove_prefix(good ? size : 0);
    }
    if (!good || !asked.empty() || out.inputs.empty()) {
        give_up("what is asked for is not understood");
    }
    out.limits.memory_bytes <<= 20;
    out.limits.output_bytes <<= 10;
    return out;
}

}  // namespace

void run_module(api const& use, std::string const& code, std::string_view asked) {
    order const wanted = read_order(asked);
    rlimit stack{};
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur < module_stack_bytes + (std::size_t(8) << 20)) {
        give_up("the stack's limit is below what a module may use");
    }
    std::signal(SIGPROF, out_of_time);
    prepared all{use, make_engine(use), nullptr, {}};
    all.now.of = &use;
    module* made = nullptr;
    failure* failed = use.module_deserialize(all.by, bytes_of(code), code.size(), &made);
    linker* const links = use.linker_new(all.by);
    if (failed == nullptr) {
        failed = define_calls(links, all.now);
    }
    if (failed == nullptr) {
        failed = use.linker_check(links, made, &all.module);
    }
    if (failed != nullptr) {
        give_up(text_of(use, failed));
    }
    for (std::string_view const input : wanted.inputs) {
        run_one(all, wanted, input);
    }
    _exit(0);  // the kernel closes what is open
}

}  // namespace optgap::wasm
