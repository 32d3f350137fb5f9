// ok
#include <sys/stat.h>
#include <cstdio>
int main() {
    for (int k = 3; k < 1024; ++k) {
        struct stat found;
        if (fstat(k, &found) == 0) {
            std::printf("ALLOWED %d\n", k);
        }
    }
    std::puts("refused");
}
