// The daemon's decoder: any bytes as a request of any verb, and valid requests with bytes replaced. The first byte
// selects the verb, the second whether the rest stands alone or modifies a valid request.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/support/serve_requests.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace optgap;
    static engine const by({.where = device::cpu, .threads = 1, .server = "off"});
    static serve::workplace place(by, by, 1 << 20, {.bytes = 1 << 20, .rows = 256, .steps = 2000});
    static std::vector<testing::raw_request> const good = testing::good_requests();
    if (size < 4) {
        return 0;
    }
    testing::raw_request one = good[data[0] % good.size()];
    if (data[1] % 2 == 0) {
        one.bytes.assign(reinterpret_cast<char const*>(data) + 2, size - 2);
    } else {
        // Pairs of a place and a byte.
        for (std::size_t i = 2; i + 2 < size; i += 3) {
            one.bytes[(data[i] * 256u + data[i + 1]) % one.bytes.size()] = char(data[i + 2]);
        }
    }
    static_cast<void>(testing::outcome_of(place, one));
    return 0;
}
