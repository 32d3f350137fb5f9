#include "host/programs/native/toolchains.hpp"

#include <fmt/format.h>

namespace optgap::programs {
namespace {

/// Runs the source, or the code object that `compile` made from it. It runs as a module of its own instead of __main__,
/// so that code under `if __name__ == "__main__"` is skipped.
constexpr std::string_view python_solve = R"py(
def _answer(source):
    import json, sys
    out = sys.stdout
    fields = json.loads(sys.stdin.read())
    module = sys.modules["program"] = type(sys)("program")
    exec(compile(source, "program.py", "exec") if type(source) is bytes else source, module.__dict__)
    if not callable(getattr(module, "solve", None)):
        raise NameError("the program defines no function solve")
    lines = module.solve(**fields)
    if not isinstance(lines, (list, tuple)) or not all(isinstance(line, str) for line in lines):
        raise TypeError("solve must return a list of strings")
    out.write("".join(line + "\n" for line in lines))
)py";

/// Checks a source. `caller` is the text of a program in which the constant "SOURCE" stands for the source; None: the
/// source is the whole program. A result of more than a megabyte is not kept, so each run compiles the source again.
constexpr std::string_view python_check = R"py(
import marshal, sys
source = sys.stdin.buffer.read()
made = b"ok"
try:
    code = compile(source, "program.py", "exec")
    if caller:
        whole = compile(caller, "program.py", "exec")
        code = whole.replace(co_consts=tuple(code if each == "SOURCE" else each for each in whole.co_consts))
    try:
        made = b"\0" + marshal.dumps(code)
    except (ValueError, MemoryError):
        pass
except SyntaxError as problem:
    print("line %s: %s" % (problem.lineno, problem.msg), file=sys.stderr)
    sys.exit(1)
except (ValueError, RecursionError, MemoryError, OverflowError) as problem:
    print("line 0: %s" % (problem,), file=sys.stderr)
    sys.exit(1)
sys.stdout.buffer.write(made if len(made) <= 1 << 20 else b"ok")
)py";

/// Writes bytes as a Python literal.
std::string bytes_literal(std::string_view bytes) {
    std::string out = "b'";
    for (char const each : bytes) {
        bool const plain = each >= ' ' && each <= '~' && each != '\'' && each != '\\';
        out += plain ? std::string(1, each) : fmt::format("\\x{:02x}", static_cast<unsigned char>(each));
    }
    return out + "'";
}

}  // namespace

std::string program_of_solve(std::string_view source) {
    return fmt::format("{}_answer({})\n", python_solve, bytes_literal(source));
}

std::string python_checker(program_interface interface) {
    std::string const caller = interface == program_interface::solve
                                   ? bytes_literal(fmt::format("{}_answer(\"SOURCE\")\n", python_solve))
                                   : "None";
    return fmt::format("caller = {}\n{}", caller, python_check);
}

// A program's clocks count its own processor time, so that "loop for 1.8 s" measures its work and not that of its
// neighbours. A program gains nothing by exploring the harness: the limits are enforced outside, and only its stdout
// counts. The harness does not import `os`, keeps garbage collection off the heap of the interpreter's start, and
// leaves compiling to the check. Together that saves 2.7 ms a run (docs/sandbox.md). There are no threads: one runs to
// its end where it is started, since contest programs start one to have a larger stack. Asking for one changes nothing.
char const* const python_harness = R"py(
def _start():
    import builtins, gc, marshal, posix, sys, time
    parts = []
    while part := posix.read(3, 1 << 16):
        parts.append(part)
    posix.close(3)
    sys.argv = ["program"]
    if sys.path[:1] == [""]:
        del sys.path[0]
    sys.dont_write_bytecode = True
    builtins.exit = builtins.quit = sys.exit
    base, clock, clock_ns = 1_700_000_000, time.process_time, time.process_time_ns
    time.time = lambda: base + clock()
    time.time_ns = lambda: base * 1_000_000_000 + clock_ns()
    time.monotonic = time.perf_counter = time.thread_time = clock
    time.monotonic_ns = time.perf_counter_ns = time.thread_time_ns = clock_ns
    text = b"".join(parts)
    if b"threading" in text:
        import threading
        def start(thread):
            try:
                thread.run()
            except SystemExit:
                pass
        threading.Thread.start, threading.Thread.join = start, lambda thread, timeout=None: None
        threading.Thread.is_alive = lambda thread: False
    if b"setrlimit" in text:
        import resource
        limit, stack = resource.setrlimit, resource.RLIMIT_STACK
        resource.setrlimit = lambda which, limits: None if which == stack else limit(which, limits)
    gc.freeze()
    return marshal.loads(text[1:]) if text[:1] == b"\0" else compile(text, "program.py", "exec")
_code = _start()
del _start
exec(_code, {"__name__": "__main__", "__builtins__": __builtins__})
)py";

char const* const cpp_clocks = R"cpp(
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
    // The program's own processor time, from whatever clock it asks for.
    static timespec optgap_used() {
        timespec at{};
        syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &at);
        return at;
    }
    static constexpr time_t optgap_base = 1700000000;
    extern "C" {
    int clock_gettime(clockid_t which, timespec* out) noexcept {
        *out = optgap_used();
        if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE || which == CLOCK_TAI) {
            out->tv_sec += optgap_base;
        }
        return 0;
    }
    int gettimeofday(timeval* __restrict out, void* __restrict) noexcept {
        timespec const at = optgap_used();
        out->tv_sec = optgap_base + at.tv_sec;
        out->tv_usec = at.tv_nsec / 1000;
        return 0;
    }
    time_t time(time_t* out) noexcept {
        time_t const at = optgap_base + optgap_used().tv_sec;
        if (out != nullptr) {
            *out = at;
        }
        return at;
    }
    clock_t clock() noexcept {
        timespec const at = optgap_used();
        return clock_t(at.tv_sec * CLOCKS_PER_SEC + at.tv_nsec / 1000);
    }
    }
)cpp";

}  // namespace optgap::programs
