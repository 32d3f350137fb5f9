// Tens of thousands of rows of all tasks in one call: more than CUB sorts in one block, and more than the smallest
// store sorts at a time.

#include <string>

#include "tests/resident/queued_verbs.hpp"
#include "tests/support/sample.hpp"

namespace optgap::testing {
namespace {

using resident_many_rows = resident_columns;

/// Repeats the rows of a smaller batch in random order.
answered many_rows_answered(std::int64_t rows) {
    constexpr difficulty levels[] = {difficulty::scale(2), difficulty::easy()};
    answered const some = all_tasks_answered(2, 6, levels);
    std::mt19937_64 random(17);
    std::vector<std::int64_t> drawn;
    for (std::int64_t r = 0; r < rows; ++r) {
        drawn.push_back(std::int64_t(random() % std::uint64_t(some.answers.rows())));
    }
    return rows_of(some, drawn);
}

TEST_F(resident_many_rows, are_verified_rewarded_and_compared_with_the_host_calls_bytes) {
    constexpr std::int64_t sizes[] = {20'000, 70'003};
    for (std::int64_t const rows : std::span(sizes).first(std::size_t(repeats(2)))) {
        answered const all = many_rows_answered(rows);
        engine const host({.where = device::cpu});
        std::vector<baseline> const baselines = host.solve(all.instances.view(), 200).rows;
        std::vector<verdict> const verdicts = host.verify(all.instances.view(), all.answers.view(), all.instance_of);
        std::vector<std::int32_t> const all_hold(std::size_t(rows), code_ok);
        reward_spec const spec = parse_reward_spec("forge");
        std::vector<reward_row> const rewarded = rewarded_by_host({.task = all.instances.task.data(),
                                                                   .baselines = baselines.data(),
                                                                   .instances = all.instances.size(),
                                                                   .instance_of = all.instance_of.data(),
                                                                   .verdicts = verdicts.data(),
                                                                   .format_code = all_hold.data(),
                                                                   .finished = nullptr,
                                                                   .length = nullptr,
                                                                   .rollouts = rows},
                                                                  spec);
        std::vector<float> const advantages = host.advantages(rewards_in(rewarded), all.instance_of);
        engine const by = made();
        own_stream const mine;
        answers_there const there(all, mine.get());
        device_column<verdict> const found(verdicts.size());
        device_column<reward_row> const rewarded_there(verdicts.size());
        device_column<float> const rewards(verdicts.size()), out(verdicts.size());
        for (std::int64_t const memory : {8 * roomy, roomy}) {
            std::string const when = std::to_string(rows) + " rows, " + std::to_string(memory) + " bytes";
            device_store store(by, {.memory = memory});
            device_set const set = store.keep(all.specs);
            device_baselines const kept = store.keep(baselines);
            runtime::set_order(2);
            runtime::expect_nothing_waits(mine.get(), [&] {
                store.verify(set, there.view, found.get(), mine.get());
                store.reward(set, kept, {.verdicts = found.get(), .rows = rows, .instance_of = there.view.instance_of},
                             spec, rewarded_there.get(), rewards.get(), mine.get());
                store.advantages({rewards.get(), there.view.instance_of, rows}, {}, out.get(), mine.get());
            });
            EXPECT_EQ(found.read(mine.get()), verdicts) << when;
            EXPECT_TRUE(same_bytes(rewarded_there.read(mine.get()), rewarded)) << when;
            EXPECT_TRUE(same_bytes(rewards.read(mine.get()), rewards_in(rewarded))) << when;
            EXPECT_TRUE(same_bytes(out.read(mine.get()), advantages)) << when;
            EXPECT_EQ(runtime::complaints(), std::vector<std::string>()) << when;
            store.wait();
        }
    }
}

}  // namespace
}  // namespace optgap::testing
