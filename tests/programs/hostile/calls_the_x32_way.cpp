// run_forbidden
#include <cstdio>
#include <unistd.h>
int main() {
    std::printf("ALLOWED %ld\n", syscall(0x40000000 + 39));
    std::fflush(stdout);
}
