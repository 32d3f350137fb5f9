// run_crash 11
#include <csignal>
#include <sys/resource.h>
int main() {
    rlimit const most{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &most);
    std::raise(SIGSEGV);
}
