// ok
// -fplugin=/tmp/evil.so -o /tmp/optgap-hostile
#pragma GCC plugin "/tmp/evil.so"
#pragma GCC optimize("O3")
#pragma GCC target("avx2")
#include <cstdio>
int main() { std::puts("refused"); }
