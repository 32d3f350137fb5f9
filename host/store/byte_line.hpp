#pragma once
// Values as little-endian bytes, so that hashes are the same on any machine.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optgap/key.hpp"

namespace optgap::store {

class byte_line {
public:
    void number(std::int64_t value) {
        for (int i = 0; i < 8; ++i) {
            bytes_ += char(std::uint64_t(value) >> (8 * i) & 0xff);
        }
    }
    void hash(instance_hash value) {
        number(std::int64_t(value.high));
        number(std::int64_t(value.low));
    }
    void text(std::string_view value) {
        number(std::int64_t(value.size()));
        bytes_ += value;
    }
    void block(std::vector<std::int32_t> const& words) {
        number(std::int64_t(words.size()));
        for (std::int32_t const word : words) {
            for (int i = 0; i < 4; ++i) {
                bytes_ += char(std::uint32_t(word) >> (8 * i) & 0xff);
            }
        }
    }
    void clear() { bytes_.clear(); }
    [[nodiscard]] instance_hash hash() const;  ///< XXH3-128

private:
    std::string bytes_;
};

}  // namespace optgap::store
