// run_time
#include <x86intrin.h>
#include <chrono>
#include <cstdio>
int main() {
    auto const start = std::chrono::steady_clock::now();
    unsigned long long spent = 0;
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(1000)) {
        spent += __rdtsc() & 1;
    }
    std::printf("%llu\n", spent);
}
