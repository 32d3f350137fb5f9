// Ends runs early.

#include <csignal>

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/broker/clocks.hpp"
#include "tools/broker/run.hpp"
#include "tools/broker/supervisor.hpp"

namespace optgap::broker {

using namespace programs::wire;

namespace {

constexpr std::int64_t look_again_ns = 100'000'000;

int signal_process(int handle, pid_t process, int signal) {
    long const sent = syscall(SYS_pidfd_send_signal, handle, signal, nullptr, 0);
    // Old container profiles refuse the call. A process that is not reaped keeps its number, so kill is safe.
    return sent == 0 ? 0 : kill(process, signal);
}

}  // namespace

void supervisor::stop(run& of, ending why) {
    if (of.stopped_at != 0) {
        return;
    }
    of.stopped_at = now_ns();
    of.result.ending = why;
    if (of.asked.hold == hold::command) {
        of.kill_all();
    } else if (of.program > 0 && of.program != of.child && of.program_handle >= 0) {
        signal_process(of.program_handle, of.program, SIGKILL);
    } else {
        signal_process(of.child_handle, of.child, SIGKILL);
        kill(-of.child, SIGKILL);
    }
}

void supervisor::end_foreign_processes() {
    for (std::unique_ptr<run> const& each : runs_) {
        if (each && each->asked.hold == hold::command) {
            return;
        }
    }
    for (pid_t const child : children_of(getpid())) {
        bool known = false;
        for (std::unique_ptr<run> const& each : runs_) {
            known = known || (each && each->child == child);
        }
        if (!known) {
            for (pid_t const each : tree_of(child).processes) {
                kill(each, SIGKILL);
            }
            waitpid(child, nullptr, 0);
        }
    }
}

void supervisor::stop_named(std::uint64_t id) {
    for (std::unique_ptr<run> const& each : runs_) {
        if (each && each->asked.id == id) {
            stop(*each, ending::starved);
            each->next_check = now_ns() + look_again_ns;
        }
    }
}

}  // namespace optgap::broker
