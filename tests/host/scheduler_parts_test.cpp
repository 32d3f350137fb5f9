// The scheduler's small parts by themselves.

#include <gtest/gtest.h>

#include "host/report/latency.hpp"
#include "host/scheduler/ticket_table.hpp"

namespace optgap {
namespace {

TEST(latency, gives_quantiles_within_an_eighth) {
    latency many;
    EXPECT_EQ(many.quantile_seconds(0.5), 0.0);
    for (std::int64_t ns = 1; ns <= 1'000'000; ++ns) {
        many.add(std::chrono::nanoseconds(ns));
    }
    EXPECT_EQ(many.count(), 1'000'000);
    EXPECT_NEAR(many.quantile_seconds(0.5), 0.5e-3, 0.5e-3 / 8);
    EXPECT_NEAR(many.quantile_seconds(0.99), 0.99e-3, 0.99e-3 / 8);
    EXPECT_EQ(many.quantile_seconds(1.0), 1e-3);
    EXPECT_EQ(many.worst_seconds(), 1e-3);
}

TEST(latency, takes_any_duration) {
    latency odd;
    for (std::int64_t const ns : {std::int64_t(-5), std::int64_t(0), std::int64_t(7), std::int64_t(8), INT64_MAX}) {
        odd.add(std::chrono::nanoseconds(ns));
    }
    EXPECT_EQ(odd.count(), 5);
    EXPECT_EQ(odd.quantile_seconds(0.0), 0.0);
    EXPECT_GT(odd.quantile_seconds(1.0), 3600.0);
}

TEST(ticket_table, notices_old_tickets_and_uses_places_again) {
    ticket_table table;
    EXPECT_EQ(table.find(ticket::none), nullptr);
    ticket const first = table.open();
    EXPECT_NE(first, ticket::none);
    table.record(first).at = step::issued;
    EXPECT_NE(table.find(first), nullptr);
    table.close(first);
    EXPECT_EQ(table.find(first), nullptr);
    ticket const second = table.open();
    table.record(second).at = step::issued;
    EXPECT_NE(second, first);
    EXPECT_EQ(table.find(first), nullptr) << "its place is another ticket's now";
    EXPECT_EQ(table.open_count(), 1);
    EXPECT_EQ(table.all(), std::vector<ticket>{second});
}

TEST(problem_store, keeps_what_is_held_and_drops_words_before_baselines) {
    problem_store store(100, 1 << 20);
    auto const held = [&](std::uint64_t seed) -> problem_entry& {
        instance_spec const spec{0, difficulty::easy(), split::train, seed};
        return store.pin(id_of({.spec = spec}), spec, true);
    };
    std::vector<std::int32_t> const words(20, 7);  // 80 bytes
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        problem_entry& entry = held(seed);
        EXPECT_EQ(entry.words_phase, phase::absent);
        entry.set_words(words);
        store.count_words(entry);
        entry.baseline_phase = phase::ready;
        entry.base.objective = std::int64_t(seed);
        if (seed != 0) {
            store.unpin(entry);
        }
    }
    EXPECT_EQ(held(0).words_phase, phase::ready) << "held all the time";
    EXPECT_EQ(held(1).words_phase, phase::absent) << "over the limit";
    EXPECT_EQ(held(1).base.objective, 1) << "its baseline stays";
    EXPECT_EQ(store.baselines().hits, 3);
    EXPECT_EQ(store.baselines().misses, 3);
}

}  // namespace
}  // namespace optgap
