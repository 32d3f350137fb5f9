// The scheduler's small parts by themselves.

#include <gtest/gtest.h>

#include "host/report/latency.hpp"
#include "host/scheduler/ticket_table.hpp"
#include "tests/support/task_cases.hpp"

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

TEST(problem_store, keeps_what_is_held_and_leaves_baselines_to_the_source) {
    engine const& by = testing::cpu_engine();
    std::vector<instance_spec> specs;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        specs.push_back({by.task_index("knapsack"), difficulty::easy(), split::train, seed});
    }
    instance_batch const made = by.generate(specs);
    baseline_source source(by);
    std::size_t longest = 0;
    for (std::int64_t k = 0; k < 4; ++k) {
        longest = std::max(longest, made.blocks.row(k).size());
    }
    // Room for the words of two instances, one of which is held all the time.
    problem_entry largest;
    largest.words.resize(longest);
    problem_store store(2 * problem_store::bytes_of(largest), source, -1);
    auto const held = [&](std::size_t k) -> problem_entry& {
        return store.pin(id_of({.spec = specs[k]}), specs[k], true);
    };
    std::vector<baseline> proven;
    for (std::size_t k = 0; k < 3; ++k) {
        problem_entry& entry = held(k);
        EXPECT_EQ(entry.words_phase, phase::absent);
        store.set_words(entry, made.blocks.row(std::int64_t(k)));
        EXPECT_EQ(entry.baseline_phase, phase::absent) << "nobody has proven it";
        proven.push_back(source.prove({.instances = entry.view(), .specs = {&specs[k], 1}})[0].value);
        if (k != 0) {
            store.unpin(entry);
        }
    }
    EXPECT_EQ(store.words().evictions, 1);
    EXPECT_EQ(held(0).words_phase, phase::ready) << "held all the time";
    problem_entry& last = held(2);
    EXPECT_EQ(last.words_phase, phase::ready) << "used last";
    EXPECT_EQ(last.baseline_phase, phase::ready);
    EXPECT_EQ(last.base, proven[2]);
    problem_entry& first = held(1);
    EXPECT_EQ(first.words_phase, phase::absent) << "over the limit";
    store.set_words(first, made.blocks.row(1));
    EXPECT_EQ(first.baseline_phase, phase::ready) << "its baseline has outlived it";
    EXPECT_EQ(first.base, proven[1]);
    EXPECT_EQ(store.baseline_hits(), 2);
    EXPECT_EQ(store.baseline_misses(), 4);
}

}  // namespace
}  // namespace optgap
