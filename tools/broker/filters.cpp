#include "tools/broker/filters.hpp"

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace optgap::broker {
namespace {

using programs::wire::profile;
using names = std::initializer_list<char const*>;

/// Placeholder for the child's process id until it is known. No process id is that large.
constexpr std::uint32_t own_process_mark = 0x7ab3c5d1;

/// Calls of a program that computes, prints and ends, as glibc, libstdc++ and CPython make them.
constexpr names for_all = {
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "lseek",
    "close",
    "fstat",
    "dup",
    "fcntl",
    "brk",
    "mmap",
    "munmap",
    "mremap",
    "madvise",
    "mprotect",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "exit",
    "exit_group",
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "time",
    "times",
    "getrusage",
    "getrandom",
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "futex",
    "set_robust_list",
    "rseq",
    "set_tid_address",
    "arch_prctl",
    "getrlimit",
    "uname",
    "sysinfo",
    "sched_getaffinity",
    "sched_yield",
    "nanosleep",
    "clock_nanosleep",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "pause",
    "restart_syscall",
    "execveat",
    "getpgrp",
    "alarm",
    "setitimer",
};
/// Further calls of a runtime that reads its own modules. Landlock limits the files.
constexpr names for_readers = {
    "open",       "openat", "stat",      "lstat",      "newfstatat", "statx",  "readlink",
    "readlinkat", "access", "faccessat", "faccessat2", "getdents64", "getcwd", "execve",
    "fadvise64",  "dup2",   "dup3",      "statfs",     "fstatfs",    "umask",
};
/// Calls of a compiler, which starts its parts, gives them pipes and writes files. Landlock limits the places.
constexpr names for_compilers = {
    "vfork",  "wait4",           "waitid",   "pipe",      "pipe2",    "unlink",    "unlinkat",
    "rename", "renameat",        "chmod",    "fchmod",    "fchmodat", "ftruncate", "mkdir",
    "rmdir",  "copy_file_range", "sendfile", "fallocate", "creat",    "chdir",     "getpgid",
};
/// Calls of a worker, which talks over given descriptors and whose libraries wake their own threads. None of these
/// reaches another process.
constexpr names for_workers = {
    "sendto",
    "recvfrom",
    "sendmsg",
    "recvmsg",
    "getsockname",
    "getpeername",
    "getsockopt",
    "shutdown",
    "pipe",
    "pipe2",
    "eventfd2",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait",
    "epoll_pwait",
    "membarrier",
    "getsid",
    "getpgid",
    "getresuid",
    "getresgid",
    "getgroups",
    "sched_getparam",
    "sched_getscheduler",
};
/// Calls that write in the program's own folder, as Landlock permits. No chmod and no times, since Landlock does not
/// cover them.
constexpr names for_writers = {
    "unlink",  "unlinkat", "rename", "renameat",  "renameat2", "ftruncate", "mkdir",
    "mkdirat", "rmdir",    "creat",  "fallocate", "fsync",     "fdatasync", "flock",
};
constexpr std::uint64_t new_namespaces =
    CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;
/// Calls that no program needs except to break out. The program is ended at once.
constexpr names deadly = {
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "bpf",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "keyctl",
    "add_key",
    "request_key",
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "perf_event_open",
    "open_by_handle_at",
    "name_to_handle_at",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "personality",
    "modify_ldt",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "move_mount",
    "open_tree",
    "mount_setattr",
    "quotactl",
    "reboot",
    "swapon",
    "swapoff",
    "acct",
    "iopl",
    "ioperm",
};

class builder {
public:
    builder() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
        if (context_ == nullptr) {
            throw std::runtime_error("seccomp_init failed");
        }
        // Other architectures' calls (int 0x80, x32) would be another way into the kernel.
        check(seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad architecture");
        check(seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2), "binary tree");
    }
    ~builder() { seccomp_release(context_); }
    builder(builder const&) = delete;
    builder& operator=(builder const&) = delete;

    void add(std::uint32_t action, names calls) {
        for (char const* const call : calls) {
            add(action, call, {});
        }
    }
    /// Ignores a call that this architecture does not have.
    void add(std::uint32_t action, char const* call, std::initializer_list<scmp_arg_cmp> where) {
        int const number = seccomp_syscall_resolve_name(call);
        if (number < 0) {
            return;
        }
        check(seccomp_rule_add_array(context_, action, number, unsigned(where.size()), where.begin()), call);
    }

    [[nodiscard]] std::vector<sock_filter> code() const {
        int const file = memfd_create("filter", MFD_CLOEXEC);
        check(file < 0 ? -errno : seccomp_export_bpf(context_, file), "export");
        std::vector<sock_filter> out(std::size_t(lseek(file, 0, SEEK_END)) / sizeof(sock_filter));
        ssize_t const got = pread(file, out.data(), out.size() * sizeof(sock_filter), 0);
        close(file);
        check(got == ssize_t(out.size() * sizeof(sock_filter)) ? 0 : -EIO, "export");
        return out;
    }

private:
    static void check(int result, char const* what) {
        if (result < 0) {
            throw std::runtime_error(std::string("seccomp: ") + what + ": error " + std::to_string(-result));
        }
    }
    scmp_filter_ctx context_;
};

void add_common(builder& rules) {
    rules.add(SCMP_ACT_ALLOW, for_all);
    rules.add(SCMP_ACT_KILL_PROCESS, deadly);
    // glibc falls back to clone, which is refused.
    rules.add(SCMP_ACT_ERRNO(ENOSYS), {"clone3"});
    // Limits may be read, but not set.
    rules.add(SCMP_ACT_ALLOW, "prlimit64", {SCMP_A2(SCMP_CMP_EQ, 0)});
    // Signals of abort and raise, to the process itself: the mark is replaced by the child's own id. So SIGKILL,
    // SIGTERM, SIGINT, SIGHUP and SIGSTOP always come from outside.
    for (unsigned const signal :
         {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE}) {
        rules.add(SCMP_ACT_ALLOW, "tgkill",
                  {SCMP_A0(SCMP_CMP_EQ, own_process_mark), SCMP_A2(SCMP_CMP_EQ, std::uint64_t(signal))});
        rules.add(SCMP_ACT_ALLOW, "kill",
                  {SCMP_A0(SCMP_CMP_EQ, own_process_mark), SCMP_A1(SCMP_CMP_EQ, std::uint64_t(signal))});
    }
    for (unsigned long const request : {TCGETS, FIONREAD, FIOCLEX, FIONCLEX, TIOCGWINSZ}) {
        rules.add(SCMP_ACT_ALLOW, "ioctl", {SCMP_A1(SCMP_CMP_EQ, request)});
    }
}

}  // namespace

filter::filter(profile profile) {
    builder rules;
    add_common(rules);
    if (profile != profile::cpp) {
        rules.add(SCMP_ACT_ALLOW, for_readers);
    }
    if (programs::wire::is_compiler(profile)) {
        rules.add(SCMP_ACT_ALLOW, for_compilers);
        rules.add(SCMP_ACT_ALLOW, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, new_namespaces, 0)});
        rules.add(SCMP_ACT_ALLOW, {"fork"});
    }
    code_ = rules.code();
    find_mark();
}

filter filter::of_worker() {
    builder rules;
    add_common(rules);
    rules.add(SCMP_ACT_ALLOW, for_readers);
    rules.add(SCMP_ACT_ALLOW, for_workers);
    rules.add(SCMP_ACT_ALLOW, for_writers);
    rules.add(SCMP_ACT_ALLOW, "ioctl", {SCMP_A1(SCMP_CMP_EQ, std::uint64_t(FIONBIO))});
    // Allows a thread, but never a process.
    rules.add(SCMP_ACT_ALLOW, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | new_namespaces, CLONE_THREAD)});
    return filter(rules.code());
}

filter::filter(std::vector<sock_filter> code) : code_(std::move(code)) { find_mark(); }

void filter::find_mark() {
    for (std::size_t k = 0; k < code_.size(); ++k) {
        if (BPF_CLASS(code_[k].code) == BPF_JMP && code_[k].k == own_process_mark) {
            own_process_at_.push_back(k);
        }
    }
    if (own_process_at_.empty()) {
        throw std::runtime_error("seccomp: the filter does not hold the mark of the own process");
    }
}

bool filter::install(std::int32_t own_process) {
    for (std::size_t const at : own_process_at_) {
        code_[at].k = std::uint32_t(own_process);
    }
    sock_fprog const program{static_cast<unsigned short>(code_.size()), code_.data()};
    // The 1 is SECCOMP_SET_MODE_FILTER.
    return syscall(SYS_seccomp, 1, 0, &program) == 0 || prctl(PR_SET_SECCOMP, 2, &program) == 0;
}

}  // namespace optgap::broker
