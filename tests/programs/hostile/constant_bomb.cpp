// compile_error|compile_limit
// g++ ends its loop after 262,144 rounds; a slow machine comes to the limit of CPU time first.
constexpr int spin() {
    int out = 0;
    for (long k = 0; k < 1'000'000'000'000; ++k) {
        out ^= int(k);
    }
    return out;
}
constexpr int value = spin();
int main() { return value; }
