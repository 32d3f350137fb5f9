// run_exit 9
#include <sys/mman.h>
#include <cstdio>
int main() {
    void* const at =
        mmap(nullptr, 1ull << 46, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        return 9;
    }
    std::puts("ALLOWED");
}
