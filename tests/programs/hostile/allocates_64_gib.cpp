// run_memory
#include <cstdio>
int main() {
    char volatile* const bytes = new char[64ull << 30];
    for (unsigned long long at = 0; at < 64ull << 30; at += 4096) {
        bytes[at] = 1;
    }
    std::printf("%d\n", bytes[12345]);
}
