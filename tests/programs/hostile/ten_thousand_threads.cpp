// run_crash|run_exit
#include <thread>
#include <vector>
int main() {
    std::vector<std::thread> all;
    for (int k = 0; k < 10000; ++k) {
        all.emplace_back([] {
            for (;;) {
            }
        });
    }
}
