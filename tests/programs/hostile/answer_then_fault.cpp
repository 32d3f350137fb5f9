// run_crash 11
#include <cstdio>
int main() {
    std::puts("1 2 3");
    std::fflush(stdout);
    *reinterpret_cast<int volatile*>(8) = 1;
}
