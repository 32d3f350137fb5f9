// compile_error|ok
#include <cstdio>
int main() {
#if __has_include("/etc/passwd") || __has_include("/etc/shadow") || __has_include("/proc/self/environ")
    std::puts("ALLOWED");
#else
    std::puts("refused");
#endif
}
