// run_memory
#include <cstdio>
#include <cstring>
#include <vector>
int main() {
    std::vector<char*> all;
    for (;;) {
        all.push_back(new char[1 << 20]);
        std::memset(all.back(), 1, 1 << 20);
    }
}
