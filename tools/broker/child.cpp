#include "tools/broker/child.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/broker/landlock.hpp"

namespace optgap::broker {
namespace {

constexpr int last_place = place_filter;

/// Empties the bounding set before the change of user, which removes the right to do so.
void empty_bounding_set() {
    for (int k = 0; k <= 63 && prctl(PR_CAPBSET_DROP, k, 0, 0, 0) == 0; ++k) {
    }
}

bool set_limits(child_plan const& plan) {
    std::uint64_t const memory = std::uint64_t(plan.request.memory_mb) << 20;
    std::uint64_t const seconds = std::uint64_t((plan.request.cpu_ms + 999) / 1000) + 1;
    rlimit const processor{seconds, seconds + 1};
    bool good = limit(RLIMIT_AS, memory) && limit(RLIMIT_STACK, memory) && limit(RLIMIT_CORE, 0) &&
                limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_NICE, 0) &&
                limit(RLIMIT_RTPRIO, 0) && limit(RLIMIT_FSIZE, std::uint64_t(plan.file_kb) << 10) &&
                limit(RLIMIT_NOFILE, plan.processes > 0 ? 64 : 16) && setrlimit(RLIMIT_CPU, &processor) == 0;
    if (plan.processes > 0 && plan.user >= 0) {
        good = good && limit(RLIMIT_NPROC, std::uint64_t(plan.processes));
    }
    return good;
}

void stay_on(std::int32_t processor) {
    if (processor >= 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(std::size_t(processor), &one);
        static_cast<void>(sched_setaffinity(0, sizeof one, &one));  // best effort: the processor may be offline
    }
}

}  // namespace

bool limit(int resource, std::uint64_t most) {
    rlimit const both{most, most};
    return setrlimit(__rlimit_resource(resource), &both) == 0;
}

void volunteer() {
    int const file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        static_cast<void>(!write(file, "1000", 4));
        close(file);
    }
}

void forget_signals() {
    for (int signal = 1; signal < NSIG; ++signal) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool drop_capabilities() {
    empty_bounding_set();
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct const none[2] = {};
    return syscall(SYS_capset, &header, none) == 0;
}

char* const program_environment[] = {
    const_cast<char*>("PATH=/usr/bin:/bin"),     const_cast<char*>("LANG=C.UTF-8"),
    const_cast<char*>("PYTHONHASHSEED=0"),       const_cast<char*>("OMP_NUM_THREADS=1"),
    const_cast<char*>("OPENBLAS_NUM_THREADS=1"), nullptr,
};

bool place_descriptors(int const* wanted, int count) {
    int high[last_place + 1];
    for (int k = 0; k < count; ++k) {
        high[k] = wanted[k] < 0 ? -1 : fcntl(wanted[k], F_DUPFD_CLOEXEC, 16);
        if (wanted[k] >= 0 && high[k] < 0) {
            return false;
        }
    }
    for (int k = 0; k < count; ++k) {
        if (high[k] < 0) {
            close(k);
        } else if (dup3(high[k], k, k <= place_errors ? 0 : O_CLOEXEC) < 0) {
            return false;
        }
    }
    if (syscall(SYS_close_range, unsigned(count), ~0u, 0) != 0) {  // Linux 5.9
        for (int k = count; k < 4096; ++k) {
            close(k);
        }
    }
    return true;
}

void send_report(setup_report const& report) { send(place_setup, &report, sizeof report, MSG_NOSIGNAL); }

void give_up(setup_step step) {
    setup_report report;
    report.step = step;
    report.error_number = errno;
    send_report(report);
    _exit(127);
}

void take_identity(std::int32_t user) {
    if (user >= 0) {
        empty_bounding_set();
        uid_t const id = uid_t(user);
        if (setgroups(0, nullptr) != 0 || syscall(SYS_setresgid, id, id, id) != 0 ||
            syscall(SYS_setresuid, id, id, id) != 0) {
            give_up(setup_step::identity);
        }
    }
    if (!drop_capabilities()) {
        give_up(setup_step::capabilities);
    }
}

void become_wrapper(programs::wire::request const& asked, char* const* words) {
    volunteer();
    stay_on(asked.processor);
    if (!limit(RLIMIT_CORE, 0)) {
        give_up(setup_step::limits);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    forget_signals();
    execve(words[0], words, program_environment);
    give_up(setup_step::execute);
}

void become_program(child_plan const& plan) {
    volunteer();
    stay_on(plan.request.processor);
    if (!set_limits(plan)) {
        give_up(setup_step::limits);
    }
    take_identity(plan.user);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user clears it, so it is set afterwards
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up(setup_step::no_new_privileges);
    }
    if (!enforce_ruleset(place_ruleset)) {
        give_up(setup_step::landlock);
    }
    if (plan.keep_program) {
        fcntl(place_program, F_SETFD, 0);
    }
    forget_signals();
    if (!plan.calls->install(std::int32_t(getpid()))) {
        give_up(setup_step::seccomp);
    }
    if (plan.path != nullptr) {
        syscall(SYS_execveat, AT_FDCWD, plan.path, plan.words, plan.environment, 0);
    } else {
        syscall(SYS_execveat, place_program, "", plan.words, plan.environment, AT_EMPTY_PATH);
    }
    // The filter forbids send, but allows write on a socket.
    setup_report report;
    report.step = setup_step::execute;
    report.error_number = errno;
    static_cast<void>(!write(place_setup, &report, sizeof report));
    _exit(127);
}

}  // namespace optgap::broker
