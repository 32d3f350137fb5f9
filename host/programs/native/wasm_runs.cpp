#include <charconv>
#include <csignal>

#include <sys/wait.h>

#include <fmt/format.h>

#include "host/programs/native/wasm.hpp"

namespace optgap::programs {
namespace {

using wire::ending;

constexpr std::int64_t steps_per_ms = 5'000'000;  // a step is 0.2 ns
/// Address space beside a module's memory: wasmtime reserves 4 GiB for it, whose guards make checks needless.
constexpr std::int64_t wasmtime_room_mb = 12 * 1024;
/// Of the translator's code and of its own data.
constexpr std::int64_t translator_room_mb = 256;
constexpr std::int64_t most_code_kb = 64 * 1024;

/// The last line of optgap-wasm, taken off its stderr.
struct module_end {
    bool said = false;
    std::string end;
    std::int64_t where = -1;
    std::int64_t steps = 0;
};

module_end take_end(std::string& errors) {
    module_end out;
    if (errors.empty() || errors.back() != '\n') {
        return out;
    }
    std::size_t const before = errors.rfind('\n', errors.size() - 2);
    std::size_t const begin = errors.size() < 2 || before == errors.npos ? 0 : before + 1;
    std::string_view line(errors.data() + begin, errors.size() - 1 - begin);
    auto const word = [&line] {
        std::string_view const next = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(line.size(), next.size() + 1));
        return next;
    };
    auto const number = [&word](std::int64_t& to) {
        std::string_view const text = word();
        return std::from_chars(text.data(), text.data() + text.size(), to).ec == std::errc();
    };
    if (word() != "optgap-wasm") {
        return out;
    }
    out.end = std::string(word());
    out.said = number(out.where) && number(out.steps) && line.empty();
    if (out.said) {
        errors.resize(begin);
    }
    return out;
}

/// The signal that a native program would have ended by, of the number of a trap (wasmtime/trap.h).
std::int32_t signal_of(std::int64_t trap) {
    switch (trap) {
        case 0:                  // the stack is full
        case 1: return SIGSEGV;  // outside of the memory
        case 6:                  // an integer that does not fit, a division by zero
        case 7: return SIGFPE;
        case 9: return SIGABRT;  // unreachable: how abort ends
        default: return SIGILL;
    }
}

}  // namespace

char const* const translation_input = "compile\n";

std::int64_t steps_of(run_limits const& limits) {
    return limits.steps > 0 ? limits.steps : limits.cpu_ms * steps_per_ms;
}

std::string module_input(run_limits const& limits, std::string_view input) {
    return fmt::format("run {} {} {}\n{}", steps_of(limits), limits.memory_mb, limits.output_kb, input);
}

void ask_translation(compile_limits const& limits, wire::request& asked) {
    asked.profile = wire::profile::wasm;
    asked.hold = wire::hold::jail;
    asked.cpu_ms = limits.cpu_ms;
    asked.memory_mb = limits.memory_mb + translator_room_mb;
    asked.output_kb = most_code_kb;
}

void ask_module_run(run_limits const& limits, wire::request& asked) {
    asked.profile = wire::profile::wasm;
    asked.hold = wire::hold::jail;
    // No program within its steps has come near it; what does is stopped, and that is the one end that a machine's
    // speed says.
    asked.cpu_ms = 10 * std::min(steps_of(limits) / steps_per_ms, std::int64_t(600'000)) + 10'000;
    asked.memory_mb = limits.memory_mb + wasmtime_room_mb;
    asked.output_kb = std::max(limits.output_kb, std::int64_t(64));
}

judged_run judge_module_run(run_limits const& limits, broker_reply reply) {
    module_end const told = take_end(reply.errors);
    bool const by_itself = !reply.lost && reply.head.ending == ending::ended && reply.head.wait_status == 0;
    // What ended in another way than its word says: as any process that was killed, or that the machine failed.
    run_limits outer = limits;
    outer.cpu_ms = INT64_MAX / 20'000'000;
    judged_run out = judge_run(outer, std::move(reply));
    run_result& result = out.result;
    if (!by_itself || !told.said) {
        if (by_itself || result.code == run_code::run_exit) {
            result.code = run_code::infrastructure;
            result.trouble = "optgap-wasm: " + result.error_head.substr(0, 200);
            out.again = true;
        }
        return out;
    }
    result.steps = told.steps;
    if (told.end == "exit" && told.where == 0) {
        result.code = result.output.empty() ? run_code::run_no_output : run_code::ok;
    } else if (told.end == "exit") {
        result.code = run_code::run_exit;
        result.where = std::int32_t(told.where);
    } else if (told.end == "steps") {
        result.code = run_code::run_steps;
    } else if (told.end == "output") {
        result.code = run_code::run_output;
    } else if (told.end == "memory") {
        result.code = run_code::run_memory;
    } else if (told.end == "crash") {
        result.code = run_code::run_crash;
        result.where = signal_of(told.where);
    } else {
        result.code = run_code::infrastructure;
        result.trouble = "optgap-wasm: " + result.error_head.substr(0, 200);
        out.again = true;
    }
    return out;
}

judged_compilation judge_translation(broker_reply const& reply) {
    std::string errors = reply.errors;
    module_end const told = take_end(errors);
    judged_compilation out = judge_compilation(reply);
    compile_result& result = out.result;
    if (result.code == run_code::infrastructure || result.code == run_code::compile_limit) {
        return out;
    }
    result.log = errors;
    bool const whole = reply.head.wait_status == 0 && told.said;
    if (whole && told.end == "ok" && !reply.output.empty()) {
        result.code = run_code::ok;
        result.first_line.clear();
    } else if (whole && told.end == "refused") {
        result.code = run_code::compile_error;
        result.first_line = errors.substr(0, errors.find('\n'));
    } else {
        result.code = run_code::infrastructure;
        result.log = "optgap-wasm: " + errors.substr(0, 200);
        out.again = true;
    }
    return out;
}

}  // namespace optgap::programs
