#pragma once
// Allocates the parts of one block of memory. Plain arithmetic, tested without a GPU.

#include <cstdint>
#include <map>

namespace optgap {

/// Parts are taken from the first gap that fits, and freed in any order. Not thread-safe.
class device_regions {
public:
    /// Every part begins on a multiple of it.
    static constexpr std::int64_t alignment = 256;

    explicit device_regions(std::int64_t bytes) : bytes_(bytes / alignment * alignment) {
        if (bytes_ > 0) {
            free_.emplace(0, bytes_);
        }
    }

    /// Returns the begin of a part of at least one byte; -1 when no gap is large enough.
    [[nodiscard]] std::int64_t take(std::int64_t bytes);
    /// Frees a part that `take` gave.
    void give_back(std::int64_t begin);

    [[nodiscard]] std::int64_t bytes() const { return bytes_; }
    [[nodiscard]] std::int64_t used() const { return used_; }

private:
    std::int64_t bytes_;
    std::int64_t used_ = 0;
    std::map<std::int64_t, std::int64_t> free_;   ///< begin to size; no two touch
    std::map<std::int64_t, std::int64_t> taken_;  ///< the same
};

}  // namespace optgap
