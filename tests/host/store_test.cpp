#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/store/row.hpp"

namespace optgap {
namespace {

using store::join;
using store::row;

row answered(std::int64_t objective, std::int64_t bound, std::int32_t answer, std::int64_t steps,
             std::string const& solver = "exact") {
    row out;
    out.key.task = "tsp";
    out.objective = objective;
    out.answer = {-1, answer};
    out.found = {steps, 100, solver, "1"};
    out.bound = bound;
    out.bound_kind = "one_tree";
    out.bounded = {steps, 100, "exact", "1"};
    out.tried = steps;
    return out;
}

std::string text(row const& one) {
    std::string out = std::to_string(one.objective) + " " + std::to_string(one.bound) + " " + one.bound_kind + " " +
                      one.found.solver + " " + std::to_string(one.found.steps) + " " + one.bounded.solver + " " +
                      std::to_string(one.bounded.steps) + " " + std::to_string(one.tried);
    for (std::int32_t const word : one.answer) {
        out += " " + std::to_string(word);
    }
    return out;
}

TEST(store, the_best_of_five_rows_is_the_same_in_all_120_orders) {
    std::vector<row> const rows{answered(90, 60, 4, 50), answered(80, 50, 2, 9, "improved"), answered(80, 70, 1, 20),
                                answered(80, 70, 1, 10), answered(95, 70, 3, 5, "import:lkh")};
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    std::string first;
    std::int32_t orders = 0;
    do {
        row all = rows[order[0]];
        for (std::size_t i = 1; i < order.size(); ++i) {
            all = join(all, rows[order[i]], sense::minimise);
            all = join(all, rows[order[i / 2]], sense::minimise);
        }
        first = orders++ == 0 ? text(all) : first;
        ASSERT_EQ(text(all), first);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(orders, 120);
    // The better answer; among equals the smaller block with the fewer steps; the tightest bound with the fewest steps.
    EXPECT_EQ(first, "80 70 one_tree exact 10 exact 5 50 -1 1");
}

TEST(store, no_value_is_ever_replaced_by_a_worse_one) {
    std::mt19937 draws(7);
    for (sense const direction : {sense::minimise, sense::maximise}) {
        std::int64_t const sign = direction == sense::minimise ? 1 : -1;
        for (std::int32_t trial = 0; trial < 2000; ++trial) {
            auto const one = [&] {
                row out = answered(sign * std::int64_t(50 + draws() % 4), sign * std::int64_t(47 + draws() % 4),
                                   std::int32_t(draws() % 3), std::int64_t(draws() % 3));
                if (draws() % 4 == 0) {
                    out.objective = no_objective;
                    out.answer.clear();
                    out.found = {};
                }
                if (draws() % 4 == 0) {
                    out.bound = no_objective;
                    out.bound_kind.clear();
                    out.bounded = {};
                }
                return out;
            };
            row const a = one(), b = one(), c = one(), both = join(a, b, direction);
            for (row const& old : {a, b}) {
                EXPECT_FALSE(store::better(direction, old.objective, both.objective));
                EXPECT_FALSE(old.proven() && !both.proven());
                // A tighter bound is a worse value.
                EXPECT_FALSE(old.bound != no_objective &&
                             (both.bound == no_objective || store::better(direction, both.bound, old.bound)));
            }
            EXPECT_EQ(text(both), text(join(b, a, direction)));
            EXPECT_EQ(text(join(both, c, direction)), text(join(a, join(b, c, direction), direction)));
            EXPECT_EQ(text(join(both, a, direction)), text(both));
        }
    }
}

TEST(store, what_contradicts_itself_is_an_alarm) {
    row none = answered(no_objective, no_objective, 0, 1);
    none.answer.clear();
    none.excluded = true;
    EXPECT_THROW(join(answered(80, 70, 1, 1), answered(100, 90, 1, 1), sense::minimise), store::alarm);
    EXPECT_THROW(join(answered(80, 90, 1, 1), answered(70, 75, 1, 1), sense::maximise), store::alarm);
    EXPECT_THROW(join(none, answered(80, 70, 1, 1), sense::minimise), store::alarm);
    row other = answered(80, 70, 1, 1);
    other.hash = {1, 2};
    EXPECT_THROW(join(other, answered(80, 70, 1, 1), sense::minimise), store::alarm);
    try {
        join(answered(80, 70, 1, 1, "improved"), answered(100, 90, 1, 1), sense::minimise);
    } catch (store::alarm const& found) {
        EXPECT_NE(std::string(found.what()).find("ALARM"), std::string::npos);
        EXPECT_NE(std::string(found.what()).find("improved"), std::string::npos) << found.what();
    }
}

TEST(store, what_others_published_proves_nothing) {
    row told = answered(80, no_objective, 1, 1);
    told.bound_kind.clear();
    told.published = 80;
    EXPECT_EQ(told.status(), baseline_status::bounded);
    EXPECT_FALSE(join(told, told, sense::minimise).proven());
}

TEST(store, answers_come_back_from_their_bytes) {
    std::vector<std::int32_t> const words{0, -1, 1, 63, 64, -64, -65, 8191, 8192, INT32_MAX, INT32_MIN};
    std::vector<std::byte> const packed = store::pack(words);
    EXPECT_EQ(store::unpack(packed.data(), packed.size()), words);
    EXPECT_EQ(store::pack({-1, 5, 63}).size(), 3u);
    for (std::size_t cut : {std::size_t(1), std::size_t(3)}) {
        EXPECT_THROW(static_cast<void>(store::unpack(packed.data(), packed.size() - cut)), error);
    }
}

}  // namespace
}  // namespace optgap
