// run_crash 11
#include <sys/resource.h>
#include <csignal>
int main() {
    rlimit const most{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &most);
    std::raise(SIGSEGV);
}
