#pragma once
// The number of random samples of a property test.

#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OPTGAP_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OPTGAP_TEST_SANITIZED 1
#endif
#endif

namespace optgap::testing {

/// OPTGAP_LONG=1: complete samples, however long they take.
inline bool long_form() { return std::getenv("OPTGAP_LONG") != nullptr; }

/// All n, or `few` under a sanitizer, whose builds take five times as long and look for other faults. In the long form
/// always all.
inline int repeats(int n, int few) {
#ifdef OPTGAP_TEST_SANITIZED
    return long_form() ? n : few;
#else
    static_cast<void>(few);
    return n;
#endif
}

/// The same, for tests where every third is enough.
inline int repeats(int n) { return repeats(n, (n + 2) / 3); }

}  // namespace optgap::testing
