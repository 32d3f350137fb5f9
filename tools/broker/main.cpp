// optgap-broker starts untrusted programs for an engine and reports how they ended. It is a separate executable, so
// that no run begins as a copy of a process that holds a model, a GPU or secrets. The engine starts it with a command
// line that is not meant for users.

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/broker/held/hold.hpp"
#include "tools/broker/landlock.hpp"
#include "tools/broker/messages.hpp"
#include "tools/broker/self_test.hpp"
#include "tools/broker/settings.hpp"
#include "tools/broker/supervisor.hpp"

using namespace optgap::broker;

namespace {

int serve(int count, char** words) {
    constexpr int socket = optgap::programs::wire::socket_descriptor;
    struct stat found {};
    if (fstat(socket, &found) != 0 || !S_ISSOCK(found.st_mode)) {
        std::fputs("optgap-broker: started by optgap, not by hand\n", stderr);
        return 2;
    }
    // Closes everything that the engine's process had open.
    if (syscall(SYS_close_range, socket + 1, ~0u, 0) != 0) {
        for (int k = socket + 1; k < 65536; ++k) {
            close(k);
        }
    }
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0);
    std::signal(SIGPIPE, SIG_IGN);
    for (int const terminal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        std::signal(terminal, SIG_IGN);  // Ctrl-C is handled by the engine, whose end closes the socket
    }
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {  // a run uses five; programs get a limit of their own
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    umask(077);
    if (chdir("/") != 0) {
        return 3;
    }
    supervisor here(socket, read_settings(count, words), std::vector<std::string>(words, words + count));
    here.loop();
    return 0;
}

}  // namespace

int main(int count, char** words) {
    std::string_view const verb = count > 1 ? words[1] : "";
    std::string_view const own_name = count > 0 ? words[0] : "";
    if (count == 1 && (own_name == "program" || own_name.ends_with("/program"))) {
        return self_test();
    }
    try {
        if (verb == "inside") {
            inside(count - 2, words + 2);
        }
        if (verb == "hold") {
            optgap::broker::hold(count - 2, words + 2);
        }
        if (verb == "landlock") {  // reports the kernel's version, for the engine's probe
            std::printf("%d\n", landlock_version());
            return 0;
        }
        if (verb == "serve") {
            return serve(count - 2, words + 2);
        }
    } catch (std::exception const& problem) {
        std::fprintf(stderr, "optgap-broker: %s\n", problem.what());
        return 3;
    }
    std::fputs("optgap-broker: started by optgap, not by hand\n", stderr);
    return 2;
}
