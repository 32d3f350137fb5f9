// Reads the output of a child, and the reports on its setup.

#include <algorithm>
#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

#include "tools/broker/messages.hpp"
#include "tools/broker/run.hpp"
#include "tools/broker/supervisor.hpp"

namespace optgap::broker {

using namespace programs::wire;

void supervisor::drain(run& of, source from) {
    bool const is_output = from == from_output;
    int& pipe = is_output ? of.output_pipe : of.error_pipe;
    std::string& kept = is_output ? of.output : of.errors;
    std::int64_t& seen = is_output ? of.output_seen : of.errors_seen;
    std::int64_t const most = of.asked.output_kb << 10;
    std::int64_t const keep = is_output ? most : std::min(most, error_bytes);
    static char buffer[1 << 16];
    ssize_t got = 0;
    while (pipe >= 0 && (got = read(pipe, buffer, sizeof buffer)) > 0) {
        kept.append(buffer, std::size_t(std::clamp(keep - std::int64_t(kept.size()), std::int64_t(0), got)));
        seen += got;
        if (seen > most) {
            stop(of, ending::output_limit);
            close(pipe);  // reads no more; the writer gets a signal
            pipe = -1;
            return;
        }
    }
    if (pipe >= 0 && (got == 0 || (errno != EAGAIN && errno != EINTR))) {
        close(pipe);
        pipe = -1;
    }
}

void supervisor::hear(run& of) {
    setup_report report;
    pid_t sender = 0;
    while (of.setup >= 0) {
        switch (receive_report(of.setup, report, sender)) {
            case received::nothing: return;
            case received::closed:
                close(of.setup);
                of.setup = -1;
                return;
            case received::one: break;
        }
        if (report.what == setup_report::failed) {
            of.fail(report.step, report.error_number);
        } else if (report.what == setup_report::hello && of.program == 0) {
            of.program = sender;
            of.program_handle = int(syscall(SYS_pidfd_open, sender, 0));
        } else if (report.what == setup_report::ended) {
            of.told = report;
        }
    }
}

}  // namespace optgap::broker
