// Linked into programs that must run where glibc is older than 2.36: the static libstdc++ of Debian 12 refers to
// arc4random, which first appeared there. optgap does not call it; std::random_device would.

#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" std::uint32_t arc4random() noexcept {
    std::uint32_t word = 0;
    if (getrandom(&word, sizeof word, 0) != sizeof word) {
        std::abort();
    }
    return word;
}
