#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

namespace optgap {

/// Durations in buckets of an eighth of a power of two, from nanoseconds to hours: a quantile is off by at most 12.5 %,
/// in constant memory.
class latency {
public:
    void add(std::chrono::nanoseconds took) {
        std::uint64_t const value = took.count() > 0 ? std::uint64_t(took.count()) : 0;
        ++buckets_[index(value)];
        ++count_;
        worst_ = value > worst_ ? value : worst_;
    }

    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] double worst_seconds() const { return double(worst_) * 1e-9; }
    /// The upper end of the bucket that holds the p-th part of the values, 0 without any.
    [[nodiscard]] double quantile_seconds(double p) const {
        std::int64_t const wanted = std::int64_t(p * double(count_ - 1)) + 1;
        std::int64_t seen = 0;
        for (std::size_t b = 0; b < buckets_.size() && count_ > 0; ++b) {
            seen += buckets_[b];
            if (seen >= wanted) {
                return double(upper_end(b) < worst_ ? upper_end(b) : worst_) * 1e-9;
            }
        }
        return 0;
    }

private:
    static constexpr std::size_t parts = 8;
    static constexpr std::size_t powers = 44;  ///< 2^44 ns are 4.9 hours; longer durations count as that

    static std::size_t index(std::uint64_t value) {
        if (value < parts) {
            return std::size_t(value);
        }
        std::size_t const power = std::size_t(std::bit_width(value)) - 1;
        if (power >= powers) {
            return parts * (powers - 2) - 1;
        }
        return parts * (power - 2) + std::size_t((value >> (power - 3)) & (parts - 1));
    }
    static std::uint64_t upper_end(std::size_t bucket) {
        if (bucket < parts) {
            return bucket;
        }
        std::size_t const power = bucket / parts + 2;
        return ((std::uint64_t(parts) + bucket % parts + 1) << (power - 3)) - 1;
    }

    std::array<std::int64_t, parts*(powers - 2)> buckets_{};
    std::int64_t count_ = 0;
    std::uint64_t worst_ = 0;
};

}  // namespace optgap
