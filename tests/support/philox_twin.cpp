#include "tests/support/philox_twin.hpp"

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#endif

namespace optgap::testing {

std::optional<std::array<std::uint32_t, 4>> twin_philox([[maybe_unused]] std::uint64_t key,
                                                        [[maybe_unused]] std::array<std::uint32_t, 4> counter) {
#if __has_include(<Random123/philox.h>)
    auto const block = r123::Philox4x32()({{counter[0], counter[1], counter[2], counter[3]}},
                                          {{std::uint32_t(key), std::uint32_t(key >> 32)}});
    return std::array{block[0], block[1], block[2], block[3]};
#else
    return std::nullopt;
#endif
}

}  // namespace optgap::testing
