#pragma once
// The number of random samples of a property test.

#include <cstdlib>

namespace optgap::testing {

/// A build with AddressSanitizer or ThreadSanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

/// OPTGAP_LONG=1: complete samples, however long they take.
inline bool long_form() { return std::getenv("OPTGAP_LONG") != nullptr; }

/// All n, or `few` under a sanitizer, whose builds take five times as long and look for other faults. In the long form
/// always all.
inline int repeats(int n, int few) { return sanitized && !long_form() ? few : n; }

/// The same, for tests where every third is enough.
inline int repeats(int n) { return repeats(n, (n + 2) / 3); }

}  // namespace optgap::testing
