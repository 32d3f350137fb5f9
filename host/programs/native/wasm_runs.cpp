#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include <sys/wait.h>

#include <fmt/format.h>

#include "host/programs/native/wasm.hpp"
#include "host/programs/wire/module_wire.hpp"

namespace optgap::programs {
namespace {

using wire::ending;
using wire::module_ending;

constexpr std::int64_t steps_per_ms = 5'000'000;  // a step is 0.2 ns
/// Address space beside a module's memory. wasmtime reserves 4 GiB for it, whose guard pages replace bounds checks.
constexpr std::int64_t wasmtime_room_mb = 12 * 1024;
/// For the translator's code and its own data.
constexpr std::int64_t translator_room_mb = 256;
constexpr std::int64_t max_code_kb = 64 * 1024;
/// For a process's runs together, and for each run beside its stdout: stderr and its end.
constexpr std::int64_t held_output_kb = 32 * 1024;
constexpr std::int64_t frames_kb = 64;
constexpr std::int64_t max_runs_a_process = 16;  ///< other runs may be waiting for the slot
constexpr std::size_t kept_errors = 16384;
constexpr double ns_a_ms = 1e6;

std::int64_t output_room_kb(run_limits const& limits) { return limits.output_kb + frames_kb; }

/// The time limit of a run, which no program within its steps has come near. It is the one limit whose verdict depends
/// on a machine's speed.
std::int64_t time_ms_of(run_limits const& limits) {
    return 10 * std::min(steps_of(limits) / steps_per_ms, std::int64_t(600'000)) + 10'000;
}

/// The signal that a native program would end by, from the number of a trap (wasmtime/trap.h).
std::int32_t signal_of(std::int32_t trap) {
    switch (trap) {
        case 0:                  // the stack is full
        case 1: return SIGSEGV;  // outside of the memory
        case 6:                  // an integer that does not fit, a division by zero
        case 7: return SIGFPE;
        case 9: return SIGABRT;  // unreachable: how abort ends
        default: return SIGILL;
    }
}

void take_end(wire::module_end const& told, run_result& out) {
    out.steps = std::int64_t(told.steps);
    out.cpu_ms = double(told.cpu_ns) / ns_a_ms;
    out.wall_ms = double(told.wall_ns) / ns_a_ms;
    switch (told.how) {
        case module_ending::steps: out.code = run_code::run_steps; break;
        case module_ending::output: out.code = run_code::run_output; break;
        case module_ending::memory: out.code = run_code::run_memory; break;
        case module_ending::crash:
            out.code = run_code::run_crash;
            out.where = signal_of(told.where);
            break;
        case module_ending::exit:
            out.code = told.where != 0      ? run_code::run_exit
                       : out.output.empty() ? run_code::run_no_output
                                            : run_code::ok;
            out.where = told.where != 0 ? told.where : -1;
            break;
    }
}

/// The runs that a process has reported completely, and the partial report of the next one.
struct told_runs {
    std::vector<run_result> ended;
    run_result partial;
};

/// Stops at the first malformed frame. A run that is not reported completely has not ended.
told_runs read_frames(std::string_view told, std::size_t most) {
    told_runs out;
    wire::frame_head head;
    while (out.ended.size() < most && told.size() >= sizeof head) {
        std::memcpy(&head, told.data(), sizeof head);
        std::string_view const bytes = told.substr(sizeof head, head.size);
        if (head.what == wire::frame::output) {
            out.partial.output += bytes;
        } else if (head.what == wire::frame::errors) {
            out.partial.error_head = bytes.substr(0, kept_errors);
        }
        wire::module_end end;
        bool const ends = head.what == wire::frame::end;
        if (bytes.size() < head.size || (ends && head.size != sizeof end)) {
            break;
        }
        if (ends) {
            std::memcpy(&end, bytes.data(), sizeof end);
            if (end.how < module_ending::exit || end.how > module_ending::crash) {
                break;
            }
            take_end(end, out.partial);
            out.ended.push_back(std::exchange(out.partial, {}));
        }
        told.remove_prefix(sizeof head + head.size);
    }
    return out;
}

}  // namespace

char const* const translation_input = "compile\n";

std::int64_t steps_of(run_limits const& limits) {
    return limits.steps > 0 ? limits.steps : limits.cpu_ms * steps_per_ms;
}

std::string module_input(run_limits const& limits, std::span<std::string_view const> inputs) {
    std::string out =
        fmt::format("runs {} {} {} {}", steps_of(limits), limits.memory_mb, limits.output_kb, time_ms_of(limits));
    for (std::string_view const input : inputs) {
        out += fmt::format(" {}", input.size());
    }
    out += '\n';
    for (std::string_view const input : inputs) {
        out += input;
    }
    return out;
}

std::size_t max_module_runs(run_limits const& limits) {
    return std::size_t(std::clamp(held_output_kb / output_room_kb(limits), std::int64_t(1), max_runs_a_process));
}

void ask_translation(compile_limits const& limits, wire::request& asked) {
    asked.profile = wire::profile::wasm;
    asked.hold = wire::hold::jail;
    asked.cpu_ms = limits.cpu_ms;
    asked.memory_mb = limits.memory_mb + translator_room_mb;
    asked.output_kb = max_code_kb;
}

void ask_module_runs(run_limits const& limits, std::size_t count, wire::request& asked) {
    asked.profile = wire::profile::wasm;
    asked.hold = wire::hold::jail;
    // Each run has an alarm for its own time. This limit applies where that has failed.
    asked.cpu_ms = (std::int64_t(count) + 1) * time_ms_of(limits);
    asked.memory_mb = limits.memory_mb + wasmtime_room_mb;
    asked.output_kb = std::int64_t(count) * output_room_kb(limits);
}

judged_module_runs judge_module_runs(run_limits const& limits, std::size_t count, broker_reply reply) {
    bool const by_itself = !reply.lost && reply.head.ending == ending::ended && reply.head.wait_status == 0;
    bool const out_of_time =
        !reply.lost && reply.head.ending == ending::ended && reply.head.wait_status == wire::module_time_status << 8;
    told_runs told = read_frames(reply.output, count);
    judged_module_runs out;
    out.ended = std::move(told.ended);
    if (!by_itself && out.ended.size() == count) {
        told.partial = std::move(out.ended.back());  // the last report of a process that did not end well
        out.ended.pop_back();
    }
    reply.output = std::move(told.partial.output);
    double cpu_ms = double(reply.head.cpu_ns) / ns_a_ms;
    double wall_ms = double(reply.head.wall_ns) / ns_a_ms;
    for (run_result const& each : out.ended) {
        cpu_ms -= each.cpu_ms;
        wall_ms -= each.wall_ms;
    }
    if (out.ended.size() < count) {
        // Judged like any process that was killed, or that the machine failed.
        run_limits outer = limits;
        outer.cpu_ms = INT64_MAX / 20'000'000;
        judged_run& last = out.under_way.emplace(judge_run(outer, std::move(reply)));
        last.result.cpu_ms = std::max(0.0, cpu_ms);
        last.result.wall_ms = std::max(0.0, wall_ms);
        if (out_of_time) {
            last.result.code = run_code::run_time;
            last.result.where = -1;
            out.own_end = true;
        } else if (by_itself || last.result.code == run_code::run_exit) {
            last.result.code = run_code::infrastructure;
            last.result.where = -1;
            last.result.trouble = "optgap-wasm: " + last.result.error_head.substr(0, 200);
            last.again = true;
        }
        return out;
    }
    // The time of the process's own start and end is divided equally among its runs.
    for (run_result& each : out.ended) {
        each.cpu_ms += std::max(0.0, cpu_ms) / double(count);
        each.wall_ms += std::max(0.0, wall_ms) / double(count);
        each.wait_ms = double(reply.head.wait_ns) / ns_a_ms / double(count);
        each.peak_kb = reply.head.peak_kb;
    }
    return out;
}

judged_compilation judge_translation(broker_reply const& reply) {
    judged_compilation out = judge_compilation(reply);
    compile_result& result = out.result;
    if (result.code == run_code::infrastructure || result.code == run_code::compile_limit) {
        return out;
    }
    std::string_view errors = reply.errors;
    auto const ends_with = [&errors](std::string_view line) {
        bool const does = errors.ends_with(line);
        errors.remove_suffix(does ? line.size() : 0);
        return does;
    };
    bool const good = ends_with("optgap-wasm ok\n");
    bool const refused = ends_with("optgap-wasm refused\n");
    result.log = errors;
    if (reply.head.wait_status == 0 && good && !reply.output.empty()) {
        result.code = run_code::ok;
        result.first_line.clear();
    } else if (reply.head.wait_status == 0 && refused) {
        result.code = run_code::compile_error;
        result.first_line = errors.substr(0, errors.find('\n'));
    } else {
        result.code = run_code::infrastructure;
        result.log = "optgap-wasm: " + std::string(errors.substr(0, 200));
        out.again = true;
    }
    return out;
}

}  // namespace optgap::programs
