#include "tools/broker/run.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/broker/clocks.hpp"
#include "tools/broker/messages.hpp"

namespace optgap::broker {
namespace {

std::int64_t nanoseconds(timeval const& of) { return std::int64_t(of.tv_sec) * 1'000'000'000 + of.tv_usec * 1000; }

int remove_one(char const* path, struct stat const*, int, FTW*) { return remove(path); }

}  // namespace

supervisor::run::~run() {
    for (int const each : {child_handle, program_handle, setup, output_pipe, error_pipe}) {
        if (each >= 0) {
            close(each);
        }
    }
}

bool supervisor::run::has_ended() const {
    pollfd one{child_handle, POLLIN, 0};
    return child_handle >= 0 && poll(&one, 1, 0) == 1;
}

void supervisor::run::fail(setup_step step, int error_number) {
    if (result.ending != programs::wire::ending::setup_failed) {
        result.ending = programs::wire::ending::setup_failed;
        result.step = step;
        result.error_number = error_number;
    }
}

bool supervisor::run::make_folder(std::string const& scratch) {
    folder = scratch + "/run-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        folder.clear();
        return false;
    }
    return user < 0 || chown(folder.c_str(), uid_t(user), gid_t(user)) == 0;
}

void supervisor::run::remove_folder() {
    if (!folder.empty()) {
        nftw(folder.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
        folder.clear();
    }
}

bool supervisor::run::place_program(int source) const {
    std::string const path = folder + "/program";
    // The wrapper may become another user.
    int const file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    bool good = file >= 0 && chmod(folder.c_str(), 0755) == 0 && fchmod(file, 0555) == 0;
    char bytes[1 << 14];
    off_t at = 0;
    for (ssize_t got = 0; good && (got = pread(source, bytes, sizeof bytes, at)) > 0; at += got) {
        good = write(file, bytes, std::size_t(got)) == got;
    }
    if (file >= 0) {
        close(file);
    }
    return good;
}

int supervisor::run::built_program() const {
    int const file = open((folder + "/program").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat found {};
    if (file < 0 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        return -1;
    }
    std::vector<char> bytes(std::size_t(found.st_size));
    ssize_t const got = pread(file, bytes.data(), bytes.size(), 0);
    close(file);
    return got == ssize_t(bytes.size()) ? sealed_file(bytes.data(), bytes.size()) : -1;
}

void supervisor::run::kill_all() const {
    if (asked.hold == programs::wire::hold::command) {
        for (pid_t const each : tree_of(child).processes) {
            kill(each, SIGKILL);
        }
    }
    kill(child, SIGKILL);
    kill(-child, SIGKILL);
}

void supervisor::run::end_child() {
    // As long as the child is not reaped, its session's number is not reused.
    kill(-child, SIGKILL);
    rusage used{};
    int status = 0;
    wait4(child, &status, 0, &used);
    while (waitpid(-child, nullptr, 0) > 0) {  // reaps orphans of the session, killed above
    }
    if (asked.hold == programs::wire::hold::command && WIFEXITED(status)) {
        int const signal = WEXITSTATUS(status) - 128;  // a wrapper's status when a signal ended its child
        status = signal > 0 && signal < NSIG ? signal : status;
    }
    if (asked.hold != programs::wire::hold::namespaces) {
        result.wait_status = status;
        result.peak_kb = used.ru_maxrss;
        cpu = std::max(cpu, nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime));
    }
}

void supervisor::run::take_end() {
    if (asked.hold != programs::wire::hold::namespaces) {
        return;
    }
    if (told.what == setup_report::ended) {
        result.wait_status = told.wait_status;
        result.peak_kb = told.peak_kb;
        cpu = std::max(cpu, told.cpu_ns);
    } else if (stopped_at == 0) {
        fail(setup_step::bubblewrap, program > 0 ? ECHILD : ENOENT);
    }
}

}  // namespace optgap::broker
