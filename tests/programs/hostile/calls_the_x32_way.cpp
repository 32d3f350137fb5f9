// run_forbidden
#include <unistd.h>
#include <cstdio>
int main() {
    std::printf("ALLOWED %ld\n", syscall(0x40000000 + 39));
    std::fflush(stdout);
}
