// run_time
#include <csignal>
int main() {
    for (int signal : {SIGXCPU, SIGTERM, SIGALRM, SIGINT, SIGHUP, SIGVTALRM, SIGPROF}) {
        std::signal(signal, SIG_IGN);
    }
    for (int volatile k = 0;; k = k + 1) {
    }
}
