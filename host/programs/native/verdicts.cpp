#include "host/programs/native/verdicts.hpp"

#include <csignal>
#include <cstring>

#include <sys/wait.h>

#include <fmt/format.h>

namespace optgap::programs {
namespace {

using wire::ending;

constexpr double ns_per_ms = 1e6;
constexpr std::size_t error_head_bytes = 16384;

std::string trouble_of(broker_reply const& reply) {
    if (reply.lost) {
        return reply.trouble;
    }
    char const* const step = wire::setup_step_names[std::size_t(reply.head.step)];
    std::string said = fmt::format("{}: {}", step, std::strerror(reply.head.error_number));
    if (reply.head.step == wire::setup_step::bubblewrap && !reply.errors.empty()) {
        said += ": " + reply.errors.substr(0, reply.errors.find('\n'));
    }
    return said;
}

/// Whether an allocation was refused: the runtime reported it, or nearly all of the memory was used. A false report
/// only changes the name of a failure.
bool ran_out_of_memory(run_limits const& limits, broker_reply const& reply) {
    std::string_view const said = reply.errors;
    return said.find("std::bad_alloc") != said.npos || said.find("MemoryError") != said.npos ||
           reply.head.peak_kb * 100 >= (limits.memory_mb << 10) * 95;
}

/// Signals that the filter prevents a program from sending to itself.
bool from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGSTOP;
}

void judge_end(run_limits const& limits, broker_reply const& reply, judged_run& out) {
    run_result& result = out.result;
    int const status = reply.head.wait_status;
    bool const over = reply.head.cpu_ns >= limits.cpu_ms * 1'000'000;
    if (WIFSIGNALED(status)) {
        int const signal = WTERMSIG(status);
        if (signal == SIGSYS) {
            result.code = run_code::run_forbidden;
        } else if (over || signal == SIGXCPU) {
            result.code = run_code::run_time;
        } else if (from_outside(signal)) {
            result.code = run_code::infrastructure;
            result.trouble = fmt::format("signal {} from outside", signal);
            out.again = true;
        } else if (signal == SIGABRT && ran_out_of_memory(limits, reply)) {
            result.code = run_code::run_memory;
        } else {
            result.code = run_code::run_crash;
            result.where = signal;
        }
    } else if (over) {
        result.code = run_code::run_time;
    } else if (WEXITSTATUS(status) != 0) {
        bool const memory = ran_out_of_memory(limits, reply);
        result.code = memory ? run_code::run_memory : run_code::run_exit;
        result.where = memory ? -1 : WEXITSTATUS(status);
    } else {
        result.code = reply.output.empty() ? run_code::run_no_output : run_code::ok;
    }
}

}  // namespace

judged_run judge_run(run_limits const& limits, broker_reply reply) {
    judged_run out;
    run_result& result = out.result;
    wire::response const& head = reply.head;
    result.cpu_ms = double(head.cpu_ns) / ns_per_ms;
    result.wall_ms = double(head.wall_ns) / ns_per_ms;
    result.wait_ms = double(head.wait_ns) / ns_per_ms;
    result.peak_kb = head.peak_kb;
    if (reply.lost || head.ending == ending::setup_failed) {
        result.code = run_code::infrastructure;
        result.trouble = trouble_of(reply);
        out.again = true;
        return out;
    }
    switch (head.ending) {
        case ending::cpu_limit:
            result.code = run_code::run_time;
            // It was preempted for most of its time, so it may have lost time to others' cache misses.
            out.again = head.cpu_ns * 10 <= limits.cpu_ms * 11'000'000 && head.wait_ns * 2 > head.wall_ns;
            break;
        case ending::wall_limit: result.code = run_code::run_time; break;
        case ending::output_limit: result.code = run_code::run_output; break;
        case ending::starved:
            result.code = run_code::infrastructure;
            result.trouble = "no processor time";
            out.again = out.starved = true;
            break;
        default: judge_end(limits, reply, out); break;
    }
    result.error_head = reply.errors.substr(0, error_head_bytes);
    result.output = std::move(reply.output);
    return out;
}

std::string first_complaint(std::string_view log) {
    std::string first;
    while (!log.empty()) {
        std::string_view const line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(log.size(), line.size() + 1));
        constexpr std::string_view here = "<stdin>:";
        std::size_t const error = line.find(" error: ");
        if (line.starts_with(here) && error != line.npos) {
            std::string_view const number = line.substr(here.size(), line.find(':', here.size()) - here.size());
            return fmt::format("line {}: {}", number, line.substr(error + 8));
        }
        if (first.empty() || (error != line.npos && first.find(" error: ") == first.npos)) {
            first = line;
        }
    }
    return first;
}

judged_compilation judge_compilation(broker_reply const& reply) {
    judged_compilation out;
    compile_result& result = out.result;
    result.cpu_ms = double(reply.head.cpu_ns) / ns_per_ms;
    result.log = reply.errors;
    int const status = reply.head.wait_status;
    if (reply.lost || reply.head.ending == ending::setup_failed || reply.head.ending == ending::starved) {
        result.code = run_code::infrastructure;
        result.log = reply.head.ending == ending::starved ? "no processor time" : trouble_of(reply);
        out.again = true;
    } else if (reply.head.ending != ending::ended) {
        result.code = run_code::compile_limit;
    } else if (WIFSIGNALED(status)) {
        bool const outside = from_outside(WTERMSIG(status));
        result.code = outside ? run_code::infrastructure : run_code::compile_limit;
        out.again = outside;
    } else if (WEXITSTATUS(status) == 0 && reply.program.good()) {
        result.code = run_code::ok;
    } else {
        result.code = run_code::compile_error;
        // Messages of GNU's and LLVM's compilers when a limit stops them. A source that prints the same only changes
        // the name of a refusal.
        for (std::string_view const sign :
             {"signal terminated program", "out of memory", "virtual memory exhausted", "emory exhausted",
              "File size limit", "file too big", "File too large", "final link failed", "bad_alloc", "error writing to",
              "due to signal", "LLVM ERROR", "frontend command failed"}) {
            if (result.log.find(sign) != result.log.npos) {
                result.code = run_code::compile_limit;
            }
        }
    }
    result.first_line = result.code == run_code::ok ? std::string() : first_complaint(result.log);
    return out;
}

}  // namespace optgap::programs
