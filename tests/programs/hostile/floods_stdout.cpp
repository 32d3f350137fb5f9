// run_output
#include <cstdio>
int main() {
    for (long k = 0; k < 1000000000; ++k) {
        std::puts("123456789");
    }
}
