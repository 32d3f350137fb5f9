#include "tools/broker/supervisor.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/broker/clocks.hpp"
#include "tools/broker/landlock.hpp"
#include "tools/broker/messages.hpp"
#include "tools/broker/plans.hpp"
#include "tools/broker/run.hpp"

namespace optgap::broker {

using namespace programs::wire;

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t min_pause = 2 * millisecond;
constexpr std::int64_t longest_pause = 500 * millisecond;
constexpr std::int64_t wrapped_pause = 50 * millisecond;
constexpr std::int64_t late = 50 * millisecond;  ///< after it, this process itself has waited for a processor

}  // namespace

supervisor::supervisor(int socket, settings const& all, std::vector<std::string> words)
    : socket_(socket),
      poll_(epoll_create1(EPOLL_CLOEXEC)),
      settings_(all),
      words_(std::move(words)),
      own_users_(geteuid() == 0) {
    for (std::size_t k = 0; k < profile_count; ++k) {
        filters_.push_back(std::make_unique<filter>(profile(k)));
        std::vector<sock_filter> const& code = filters_[k]->code();
        filter_files_.push_back(sealed_file(code.data(), code.size() * sizeof(sock_filter)));
        rulesets_.push_back(is_compiler(profile(k)) ? -1 : ruleset_of(profile(k), settings_, ""));
    }
    epoll_event event{EPOLLIN, {.u64 = from_client}};
    if (poll_ < 0 || epoll_ctl(poll_, EPOLL_CTL_ADD, socket_, &event) != 0) {
        throw std::runtime_error(std::string("epoll: ") + std::strerror(errno));
    }
}

supervisor::~supervisor() {
    for (std::unique_ptr<run> const& each : runs_) {
        if (each) {
            each->kill_all();
            waitpid(each->child, nullptr, 0);
            each->remove_folder();
        }
    }
    close(poll_);
}

void supervisor::watch(int descriptor, std::size_t index, source from) const {
    epoll_event event{EPOLLIN, {.u64 = std::uint64_t(runs_[index]->serial) << 32 | index << 3 | from}};
    epoll_ctl(poll_, EPOLL_CTL_ADD, descriptor, &event);
}

void supervisor::loop() {
    response greeting;
    greeting.ending = ending::greeting;
    open_ = send_message(socket_, greeting, {}, -1);
    while (open_) {
        epoll_event events[64];
        int const count = epoll_wait(poll_, events, 64, wait_ms());
        for (int k = 0; k < count; ++k) {
            auto const from = source(events[k].data.u64 & 7);
            std::size_t const index = std::uint32_t(events[k].data.u64) >> 3;
            if (from == from_client) {
                take_requests();
                continue;
            }
            run* const of = index < runs_.size() ? runs_[index].get() : nullptr;
            if (of == nullptr || of->serial != events[k].data.u64 >> 32) {
                continue;  // an earlier event of this turn ended it, and its place may be taken
            }
            switch (from) {
                case from_child: finish(*of); break;
                case from_setup: hear(*of); break;
                default: drain(*of, from); break;
            }
        }
        std::int64_t const now = now_ns();
        for (std::size_t k = 0; k < runs_.size(); ++k) {
            if (runs_[k] && now >= runs_[k]->next_check) {
                check(*runs_[k], now);
            }
        }
    }
}

int supervisor::wait_ms() const {
    std::int64_t next = -1;
    for (std::unique_ptr<run> const& each : runs_) {
        if (each && (next < 0 || each->next_check < next)) {
            next = each->next_check;
        }
    }
    if (next < 0) {
        return -1;
    }
    return int(std::clamp((next - now_ns() + millisecond - 1) / millisecond, std::int64_t(0), std::int64_t(60'000)));
}

void supervisor::take_requests() {
    for (;;) {
        request asked;
        int descriptors[2] = {-1, -1};
        switch (receive_request(socket_, asked, descriptors)) {
            case received::closed: open_ = false; return;
            case received::nothing: return;
            case received::one:
                if (asked.stops != 0) {
                    stop_named(asked.id);
                } else {
                    begin(asked, descriptors[0], descriptors[1]);
                }
                break;
        }
        for (int const descriptor : descriptors) {
            if (descriptor >= 0) {
                close(descriptor);
            }
        }
    }
}

void supervisor::begin(request const& asked, int program, int input) {
    std::size_t index = 0;
    while (index < runs_.size() && runs_[index]) {
        ++index;
    }
    if (index == runs_.size()) {
        runs_.emplace_back();
    }
    runs_[index] = std::make_unique<run>();
    run& of = *runs_[index];
    of.index = index;
    of.serial = ++serials_;
    of.asked = asked;
    of.begun = of.checked_at = now_ns();
    of.result.id = asked.id;
    of.user = own_users_ && asked.hold != hold::command ? user_of(asked.slot) : -1;
    int pipes[6] = {-1, -1, -1, -1, -1, -1};
    bool good = pipe2(pipes, O_CLOEXEC) == 0 && pipe2(pipes + 2, O_CLOEXEC) == 0 &&
                socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pipes + 4) == 0;
    bool const wrapped = asked.hold == hold::command;
    if ((is_compiler(asked.profile) || wrapped) && good && !of.make_folder(settings_.scratch)) {
        of.fail(setup_step::folder, errno);
    } else if (wrapped && good && !of.place_program(program)) {
        of.fail(setup_step::folder, errno);
    } else if (!good) {
        of.fail(setup_step::descriptors, errno);
    } else {
        // Reopened, so that the file position is the run's own. The source of a compilation is its input.
        int const own_input = reopen_for_reading(is_compiler(asked.profile) ? program : input);
        int const own_program = reopen_for_reading(program);
        start_child(of, own_program, own_input, pipes);
        close(own_input);
        close(own_program);
    }
    for (int const k : {1, 3, 5}) {
        if (pipes[k] >= 0) {
            close(pipes[k]);
        }
    }
    of.output_pipe = pipes[0];
    of.error_pipe = pipes[2];
    of.setup = pipes[4];
    if (of.child <= 0) {
        answer(of);
        return;
    }
    int const yes = 1;
    setsockopt(of.setup, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
    for (int const each : {of.output_pipe, of.error_pipe, of.setup}) {
        fcntl(each, F_SETFL, O_NONBLOCK);
    }
    watch(of.output_pipe, index, from_output);
    watch(of.error_pipe, index, from_errors);
    watch(of.setup, index, from_setup);
    watch(of.child_handle, index, from_child);
    of.next_check = now_ns() + std::max(min_pause, asked.cpu_ms * millisecond);
}

void supervisor::start_child(run& of, int program, int input, int const (&pipes)[6]) {
    int handle = -1;
    // Like fork, with a handle on the child. Some container profiles lack clone3.
    long const made = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, nullptr, &handle, nullptr, nullptr);
    if (made < 0) {
        of.fail(setup_step::spawn, errno);
        return;
    }
    if (made == 0) {
        in_child(of, program, input, pipes[1], pipes[3], pipes[5]);
    }
    of.child = pid_t(made);
    of.child_handle = handle;
    of.program = of.asked.hold == hold::namespaces ? 0 : of.child;
}

void supervisor::in_child(run const& of, int program, int input, int output, int errors, int setup) {
    setsid();
    profile const kind = of.asked.profile;
    bool const inside = of.asked.hold == hold::namespaces;
    if (of.asked.hold == hold::command) {
        int const plain[] = {input, output, errors, -1, setup};
        if (!place_descriptors(plain, int(std::size(plain)))) {
            give_up(setup_step::descriptors);
        }
        command_words words = wrapper_words(of.asked, settings_, of.folder);
        become_wrapper(of.asked, words.get());
    }
    int ruleset = rulesets_[std::size_t(kind)];
    if (is_compiler(kind)) {
        ruleset = ruleset_of(kind, settings_, of.folder);
        if (chdir(of.folder.c_str()) != 0) {
            ruleset = -1;
        }
    }
    int const wanted[] = {input,
                          output,
                          errors,
                          is_compiler(kind) ? -1 : program,
                          setup,
                          inside ? -1 : ruleset,
                          inside ? filter_files_[std::size_t(kind)] : -1};
    if (!place_descriptors(wanted, int(std::size(wanted)))) {
        give_up(setup_step::descriptors);
    }
    if (inside) {
        enter_namespaces(of.asked, of.user, settings_, words_);
    }
    child_plan plan;
    plan.request = of.asked;
    plan.user = of.user;
    if (ruleset < 0) {
        errno = ENOSYS;
        give_up(setup_step::landlock);
    }
    plan.calls = filters_[std::size_t(kind)].get();
    plan.path = path_of(kind, settings_);
    command_words words = words_of(kind, settings_, of.folder);
    plan.words = words.get();
    plan.keep_program = is_interpreter(kind);
    std::string temporary = "TMPDIR=" + of.folder;
    char language[] = "LC_ALL=C";
    char* const environment[] = {program_environment[0], temporary.data(), language, nullptr};
    if (is_compiler(kind)) {
        plan.file_kb = 64 * 1024;
        plan.processes = 64;  // of this slot's user, which other engines' slots may share
        plan.environment = environment;
    }
    become_program(plan);
}

void supervisor::check(run& of, std::int64_t now) {
    if (of.has_ended()) {  // it ended between two checks
        finish(of);
        return;
    }
    std::int64_t const limit = of.asked.cpu_ms * millisecond;
    std::int64_t const wall = now - of.begun;
    bool const compiles = is_compiler(of.asked.profile);
    bool const wrapped = of.asked.hold == hold::command;
    process_tree const tree = wrapped ? tree_of(of.child) : process_tree();
    std::int64_t const used = wrapped ? tree.cpu : of.program > 0 ? cpu_of(of.program) : 0;
    if (now - of.next_check > late) {
        of.unseen += now - of.next_check;  // its output was not read meanwhile, and it may have waited for that
    } else if (wrapped ? tree.runnable : of.program > 0 && is_runnable(of.program)) {
        std::int64_t const since = now - of.checked_at;
        of.unseen += since - std::clamp(used - of.cpu, std::int64_t(0), since);  // `waited` lacks a current wait
    }
    of.checked_at = now;
    of.cpu = std::max(of.cpu, used);
    if (of.program > 0) {
        of.waited = std::max(of.waited, wrapped ? tree.waited : wait_of(of.program));
    }
    if (of.stopped_at != 0) {
        if (now - of.stopped_at > 1'000 * millisecond) {
            of.kill_all();
        }
        of.next_check = now + 100 * millisecond;
        return;
    }
    std::int64_t const patient = 10 * limit + 10'000 * millisecond;
    if (of.cpu >= limit && !compiles) {
        stop(of, ending::cpu_limit);
    } else if (wall - std::max(of.waited, of.unseen) >= 4 * limit + 2'000 * millisecond && !compiles) {
        stop(of, ending::wall_limit);
    } else if (wall >= patient) {
        stop(of, ending::starved);
    } else {
        // One thread uses at most as much processor time as passes. A wrapper may run any number of threads.
        std::int64_t const pause = wrapped ? wrapped_pause : longest_pause;
        of.next_check = now + std::clamp(limit - of.cpu, min_pause, pause);
        return;
    }
    of.next_check = now + 100 * millisecond;
}

void supervisor::finish(run& of) {
    if (of.program > 0) {
        of.waited = std::max(of.waited, wait_of(of.program));
    }
    of.end_child();
    drain(of, from_output);
    drain(of, from_errors);
    hear(of);
    of.take_end();
    answer(of);
}

void supervisor::answer(run& of) {
    response& out = of.result;
    out.wall_ns = now_ns() - of.begun;
    out.cpu_ns = of.cpu;
    out.wait_ns = of.waited;
    int attached = -1;
    if (is_compiler(of.asked.profile) && out.ending == ending::ended && out.wait_status == 0) {
        attached = of.built_program();
        if (attached < 0) {
            of.fail(setup_step::folder, errno);
        }
    }
    of.remove_folder();
    std::string payload = of.output + of.errors;
    out.output_bytes = std::int64_t(of.output.size());
    out.error_bytes = std::int64_t(of.errors.size());
    if (is_compiler(of.asked.profile)) {
        out.output_bytes = 0;
        payload = of.errors.substr(0, inline_bytes);
        out.error_bytes = std::int64_t(payload.size());
    } else if (payload.size() > inline_bytes) {
        attached = sealed_file(payload.data(), payload.size());
        if (attached < 0) {
            of.fail(setup_step::descriptors, errno);
            out.output_bytes = out.error_bytes = 0;
        }
        payload.clear();
    }
    out.has_descriptor = attached >= 0;
    if (!send_message(socket_, out, payload, attached)) {
        open_ = false;
    }
    if (attached >= 0) {
        close(attached);
    }
    bool const wrapped = of.asked.hold == hold::command;
    runs_[of.index].reset();
    if (wrapped) {
        end_foreign_processes();
    }
}

}  // namespace optgap::broker
