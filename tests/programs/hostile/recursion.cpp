// run_crash 11
#include <cstdio>
int deeper(int volatile* from) {
    int volatile here[256] = {*from + 1};
    return deeper(here) + here[0];
}
int main() {
    int volatile start = 0;
    std::printf("%d\n", deeper(&start));
}
