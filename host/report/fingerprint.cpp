#include "host/report/fingerprint.hpp"

#include <xxhash.h>

#include "optgap/key.hpp"

namespace optgap {

std::string fingerprint(std::string_view bytes) {
    XXH128_hash_t const hash = XXH3_128bits(bytes.data(), bytes.size());
    return hex32({hash.high64, hash.low64});
}

}  // namespace optgap
