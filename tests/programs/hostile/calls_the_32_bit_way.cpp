// run_forbidden
#include <cstdio>
int main() {
    long result = 20;  // getpid of i386
    asm volatile("int $0x80" : "+a"(result) : : "memory");
    std::printf("ALLOWED %ld\n", result);
    std::fflush(stdout);
}
