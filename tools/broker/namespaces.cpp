// The isolation level namespaces. bubblewrap makes them, with an empty root that has only this executable and the
// runtime, and starts this executable as the first process in them. That process jails a child as it is done outside,
// and reports how it ended.

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/broker/messages.hpp"
#include "tools/broker/plans.hpp"
#include "tools/broker/settings.hpp"

namespace optgap::broker {

using namespace programs::wire;

namespace {

constexpr int number_count = 6;  // words before the settings

std::int64_t number(char const* text) {
    std::int64_t value = 0;
    std::from_chars(text, text + std::char_traits<char>::length(text), value);
    return value;
}

/// Reads the filter's instructions from its descriptor.
std::vector<sock_filter> read_filter() {
    std::vector<sock_filter> out(std::size_t(lseek(place_filter, 0, SEEK_END)) / sizeof(sock_filter));
    if (pread(place_filter, out.data(), out.size() * sizeof(sock_filter), 0) !=
        ssize_t(out.size() * sizeof(sock_filter))) {
        give_up(setup_step::seccomp);
    }
    return out;
}

}  // namespace

void enter_namespaces(request const& asked, std::int32_t user, settings const& all,
                      std::vector<std::string> const& words) {
    command_words command =
        namespace_words(all.bubblewrap, all.self, visible_to(asked.profile, all), {"--die-with-parent", "--as-pid-1"});
    command.texts.push_back("inside");
    for (std::int64_t const each : {std::int64_t(asked.profile), asked.cpu_ms, asked.memory_mb, asked.output_kb,
                                    std::int64_t(asked.processor), std::int64_t(asked.slot)}) {
        command.texts.push_back(std::to_string(each));
    }
    command.texts.insert(command.texts.end(), words.begin(), words.end());
    take_identity(user);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int const kept : {int(place_program), int(place_setup), int(place_filter)}) {
        fcntl(kept, F_SETFD, 0);
    }
    execve(all.bubblewrap.c_str(), command.get(), program_environment);
    give_up(setup_step::bubblewrap);
}

void inside(int count, char** words) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count < number_count) {
        errno = EINVAL;
        give_up(setup_step::bubblewrap);
    }
    request asked;
    asked.profile = profile(number(words[0]));
    asked.cpu_ms = number(words[1]);
    asked.memory_mb = number(words[2]);
    asked.output_kb = number(words[3]);
    asked.processor = std::int32_t(number(words[4]));
    settings const all = read_settings(count - number_count, words + number_count);
    filter calls(read_filter());
    pid_t const made = fork();
    if (made < 0) {
        give_up(setup_step::spawn);
    }
    if (made == 0) {
        setup_report report;
        report.what = setup_report::hello;
        send_report(report);
        setsid();
        child_plan plan;
        plan.request = asked;
        plan.calls = &calls;
        plan.path = path_of(asked.profile, all);
        command_words own = words_of(asked.profile, all, {});
        plan.words = own.get();
        plan.keep_program = is_interpreter(asked.profile);
        int const ruleset = ruleset_of(asked.profile, all, {});
        if (ruleset < 0) {
            give_up(setup_step::landlock);
        }
        int const wanted[] = {place_input, place_output, place_errors, place_program, place_setup, ruleset};
        if (!place_descriptors(wanted, int(std::size(wanted)))) {
            give_up(setup_step::descriptors);
        }
        become_program(plan);
    }
    setup_report report;
    report.what = setup_report::ended;
    rusage used{};
    while (wait4(made, &report.wait_status, 0, &used) < 0 && errno == EINTR) {
    }
    report.cpu_ns = (std::int64_t(used.ru_utime.tv_sec) + used.ru_stime.tv_sec) * 1'000'000'000 +
                    (std::int64_t(used.ru_utime.tv_usec) + used.ru_stime.tv_usec) * 1000;
    report.peak_kb = used.ru_maxrss;
    send_report(report);
    _exit(0);
}

}  // namespace optgap::broker
