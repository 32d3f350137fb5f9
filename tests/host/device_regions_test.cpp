// Parts of one block of memory, against a slow reference with a flag for every unit.

#include "host/cuda/resident/device_regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace optgap::testing {
namespace {

constexpr std::int64_t unit = device_regions::alignment;

class flags {
public:
    explicit flags(std::size_t units) : taken_(units, false) {}
    std::int64_t take(std::int64_t bytes) {
        auto const units = std::size_t(std::max<std::int64_t>((bytes + unit - 1) / unit, 1));
        for (std::size_t begin = 0; begin + units <= taken_.size(); ++begin) {
            auto const at = taken_.begin() + std::ptrdiff_t(begin);
            if (std::none_of(at, at + std::ptrdiff_t(units), [](bool is) { return is; })) {
                std::fill_n(at, units, true);
                return std::int64_t(begin) * unit;
            }
        }
        return -1;
    }
    void give_back(std::int64_t begin, std::int64_t bytes) {
        auto const units = std::max<std::int64_t>((bytes + unit - 1) / unit, 1);
        std::fill_n(taken_.begin() + begin / unit, units, false);
    }
    [[nodiscard]] std::int64_t used() const { return std::count(taken_.begin(), taken_.end(), true) * unit; }

private:
    std::vector<bool> taken_;
};

TEST(device_regions, agree_with_a_flag_for_every_unit) {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        std::size_t const units = 1 + random() % 60;
        device_regions quick(std::int64_t(units) * unit + std::int64_t(random() % unit));
        flags slow(units);
        std::vector<std::pair<std::int64_t, std::int64_t>> live;
        for (int step = 0; step < 400; ++step) {
            if (live.empty() || random() % 5 < 3) {
                std::int64_t const bytes = std::int64_t(random() % (8 * unit));
                std::int64_t const begin = quick.take(bytes);
                ASSERT_EQ(begin, slow.take(bytes));
                if (begin >= 0) {
                    live.emplace_back(begin, bytes);
                }
            } else {
                std::swap(live[random() % live.size()], live.back());
                quick.give_back(live.back().first);
                slow.give_back(live.back().first, live.back().second);
                live.pop_back();
            }
            ASSERT_EQ(quick.used(), slow.used());
        }
        for (auto const& [begin, bytes] : live) {
            quick.give_back(begin);
        }
        EXPECT_EQ(quick.used(), 0);
        EXPECT_EQ(quick.take(quick.bytes()), 0);
    }
}

}  // namespace
}  // namespace optgap::testing
