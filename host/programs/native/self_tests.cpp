#include "host/programs/native/self_tests.hpp"

#include <algorithm>

namespace optgap::programs {

char const* const self_test_input = "3 1 2\n";

char const* const python_self_test = R"py(
import os, sys
def say(what, act):
    try:
        act()
        print("ALLOWED", what)
    except Exception:
        print("refused", what)
print("read input" if sys.stdin.read() == "3 1 2\n" else "LOST input")
say("read a file", lambda: open("/etc/passwd").read())
say("read a process", lambda: open("/proc/self/environ").read())
say("list a folder", lambda: os.listdir("/"))
def write_file():
    open("/tmp/optgap-self-test", "w").close()
    os.remove("/tmp/optgap-self-test")
say("write a file", write_file)
say("make a file in memory", lambda: os.memfd_create("x"))
def open_socket():
    import _socket
    _socket.socket(2, 1, 0)
say("open a socket", open_socket)
def start_process():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
say("start a process", start_process)
say("signal others", lambda: os.kill(os.getppid(), 0))
def raise_limit():
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))
say("raise a limit", raise_limit)
say("map beyond the limit", lambda: bytearray(1 << 40))
def inherit():
    for k in range(3, 1024):
        try:
            os.fstat(k)
        except OSError:
            continue
        return
    raise OSError
say("inherit a descriptor", inherit)
)py";

std::vector<std::string> self_test_lines(std::string_view output) {
    std::vector<std::string> out;
    while (!output.empty()) {
        std::string_view const line = output.substr(0, output.find('\n'));
        out.emplace_back(line);
        output.remove_prefix(std::min(output.size(), line.size() + 1));
    }
    return out;
}

bool is_whole(std::string_view output) {
    std::vector<std::string> const lines = self_test_lines(output);
    constexpr std::size_t tests = 12;  // the input and eleven attempts
    return lines.size() == tests && lines[0] == "read input";
}

bool all_refused(std::string_view output) {
    std::vector<std::string> const lines = self_test_lines(output);
    return is_whole(output) && std::all_of(lines.begin() + 1, lines.end(),
                                           [](std::string const& line) { return line.starts_with("refused "); });
}

}  // namespace optgap::programs
