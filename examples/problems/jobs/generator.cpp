#include <cstdio>
#include <random>

int main() {
    unsigned long seed = 0;
    if (std::scanf("%lu", &seed) != 1)
        return 1;
    std::mt19937_64 random(seed);  // its numbers are the same everywhere, those of a distribution are not
    unsigned long const jobs = 10 + random() % 21;
    std::printf("%lu 4\n", jobs);
    for (unsigned long k = 0; k < jobs; ++k)
        std::printf("%lu ", static_cast<unsigned long>(1 + random() % 99));
    std::puts("");
}
