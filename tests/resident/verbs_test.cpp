// Verbs over columns in device memory give the host calls' bytes, for every task of the registry and under random
// orders, and wait for nothing. The long form is OPTGAP_SCHEDULES=1000.

#include <cmath>
#include <limits>
#include <string>

#include "tests/resident/queued_verbs.hpp"

namespace optgap::testing {
namespace {

TEST_F(resident_columns, verify_gives_the_host_call_s_bytes_on_every_task) {
    answered const all = all_tasks_answered(2, 4);
    std::vector<verdict> const expected =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    EXPECT_EQ(set.size(), all.instances.size());
    own_stream const mine;
    answers_there const there(all, mine.get());
    for (std::uint64_t seed = 0; seed < schedules() / 2; ++seed) {
        runtime::set_order(seed);
        device_column<verdict> const out(expected.size());
        std::uint64_t call = 0;
        runtime::expect_nothing_waits(mine.get(), [&] { call = store.verify(set, there.view, out.get(), mine.get()); });
        ASSERT_EQ(out.read(mine.get()), expected) << "schedule " << seed;
        EXPECT_GE(store.ended(), call);
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

TEST_F(resident_columns, a_row_is_of_its_own_instance_where_nothing_else_is_said) {
    engine const by = made();
    device_store store(by, {.memory = roomy});
    instance_batch const instances = small_instances(by.task_index("knapsack"), 5);
    csr_words const answers = cpu_engine().greedy(instances.view());
    device_set const set = store.keep(instances.view());
    own_stream const mine;
    device_column<std::int32_t> const words(answers.words, mine.get());
    device_column<std::int64_t> const offsets(answers.offsets, mine.get());
    device_column<verdict> const out(std::size_t(answers.rows()));
    store.verify(set, {words.get(), std::int64_t(answers.words.size()), offsets.get(), answers.rows(), nullptr},
                 out.get(), mine.get());
    EXPECT_EQ(out.read(mine.get()), cpu_engine().verify(instances.view(), answers.view()));
}

/// More rows than the smallest store sorts at a time.
TEST_F(resident_columns, a_long_call_goes_in_pieces) {
    answered all;
    for (std::int32_t const task : {cpu_engine().task_index("clique"), cpu_engine().task_index("subset_sum")}) {
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            all.specs.push_back({task, difficulty::scale(0), split::train, seed});
        }
    }
    all.instances = cpu_engine().generate(all.specs);
    csr_words const greedy = cpu_engine().greedy(all.instances.view());
    for (std::int32_t r = 0; r < 13'001; ++r) {
        all.instance_of.push_back(r * 7 % 6);
        all.answers.append(greedy.row(r * 5 % 6));
    }
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    device_set const set = store.keep(all.specs);
    own_stream const mine;
    answers_there const there(all, mine.get());
    device_column<verdict> const out(all.instance_of.size());
    runtime::forget_calls();
    store.verify(set, there.view, out.get(), mine.get());
    if (runtime::counts_calls()) {
        EXPECT_GT(runtime::calls("cub"), 4);  // twice per piece
    }
    EXPECT_EQ(out.read(mine.get()), cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of));
    EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
}

TEST_F(resident_columns, a_row_that_cannot_be_followed_is_left_out_and_the_next_call_names_it) {
    answered all = all_tasks_answered(1, 1);
    std::vector<verdict> expected = cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    constexpr verdict unreadable{code_unparsable, -1, 0, 1, 1};
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    own_stream const mine;
    device_column<verdict> const out(expected.size());
    auto const told = [&] {
        answers_there const there(all, mine.get());
        store.verify(set, there.view, out.get(), mine.get());
        EXPECT_EQ(out.read(mine.get()), expected);
        std::string const said = misuse_of([&] { store.verify(set, there.view, out.get(), mine.get()); });
        EXPECT_NO_THROW(store.wait());  // it is reported once, and that call queued nothing
        return said;
    };
    for (std::int32_t const wrong : {-1, std::int32_t(all.instances.size()), INT32_MIN, INT32_MAX}) {
        std::int32_t const right = std::exchange(all.instance_of[3], wrong);
        verdict const judged = std::exchange(expected[3], unreadable);
        EXPECT_EQ(told(), "instance_of: row 3 of an earlier call names no instance of its set");
        all.instance_of[3] = right;
        expected[3] = judged;
    }
    std::size_t const row = 5;
    for (std::int64_t const wrong : {std::int64_t(-1), INT64_MAX, all.answers.offsets[row] - 1}) {
        std::int64_t const right = std::exchange(all.answers.offsets[row + 1], wrong);
        verdict const judged[] = {expected[row], expected[row + 1]};
        expected[row] = unreadable;
        bool const next_reads = wrong == all.answers.offsets[row] - 1;
        if (!next_reads) {
            expected[row + 1] = unreadable;
        } else {  // the next row begins one word early: any answer, or none
            answers_there const there(all, mine.get());
            store.verify(set, there.view, out.get(), mine.get());
            EXPECT_EQ(out.read(mine.get())[row], unreadable);
            misuse_of([&] { store.wait(); });
        }
        if (!next_reads) {
            std::string const said = told();
            EXPECT_TRUE(said.starts_with("answers: row ") && said.ends_with("is no answer block within its words"))
                << said;
        }
        all.answers.offsets[row + 1] = right;
        expected[row] = judged[0];
        expected[row + 1] = judged[1];
    }
    std::size_t const first = std::size_t(all.answers.offsets[row]);
    ASSERT_GT(all.answers.row(std::int64_t(row)).size(), 0u);
    for (std::int32_t const shape : {-3, INT32_MIN, INT32_MAX, 1 << 20}) {
        std::int32_t const right = std::exchange(all.answers.words[first], shape);
        verdict const judged = std::exchange(expected[row], unreadable);
        EXPECT_EQ(told(), "answers: row 5 of an earlier call is no answer block within its words");
        all.answers.words[first] = right;
        expected[row] = judged;
    }
}

std::vector<reward_spec> reward_specs() {
    return {parse_reward_spec("forge"), parse_reward_spec(R"({"shape": "normalized", "from": "greedy"})"),
            parse_reward_spec(R"({"shape": "power", "exponent": 3, "infeasible": "graded"})"),
            parse_reward_spec(R"({"shape": "binary", "truncated": "exclude"})")};
}

TEST_F(resident_columns, rewards_and_advantages_are_the_host_calls_bytes_in_a_chain_that_nobody_waits_for) {
    answered const all = all_tasks_answered(2, 3);
    std::vector<baseline> const baselines = cpu_engine().solve(all.instances.view(), 200).rows;
    std::vector<verdict> const verdicts =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    std::size_t const rows = verdicts.size();
    std::vector<std::int32_t> format_code(rows), length(rows);
    std::vector<finish> finished(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        format_code[r] = r % 7 == 3 ? std::int32_t(code_format_trailing) : std::int32_t(code_ok);
        length[r] = std::int32_t(r * 31 % 900);
        finished[r] = finish(std::int32_t(r % 5) % 4);
    }
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    device_baselines const kept = store.keep(baselines);
    own_stream const mine;
    answers_there const there(all, mine.get());
    device_column<std::int32_t> const codes_there(format_code, mine.get()), length_there(length, mine.get());
    device_column<finish> const finished_there(finished, mine.get());
    std::vector<reward_spec> specs = reward_specs();
    specs[0].length_factor = 0.5;
    specs[0].length_limit = 800;
    specs[0].length_buffer = 300;
    for (std::uint64_t seed = 0; seed < schedules() / 2; ++seed) {
        runtime::set_order(seed);
        reward_spec const& spec = specs[seed % specs.size()];
        bool const all_given = seed % 8 < 4;
        std::vector<std::int32_t> const no_codes(rows, code_ok);
        reward_inputs const in{.task = all.instances.task.data(),
                               .baselines = baselines.data(),
                               .instances = all.instances.size(),
                               .instance_of = all.instance_of.data(),
                               .verdicts = verdicts.data(),
                               .format_code = all_given ? format_code.data() : no_codes.data(),
                               .finished = all_given ? finished.data() : nullptr,
                               .length = length.data(),
                               .rollouts = std::int64_t(rows)};
        std::vector<reward_row> const expected = rewarded_by_host(in, spec);
        std::vector<float> const column = rewards_in(expected);
        std::vector<float> const advantages = by.advantages(column, all.instance_of);

        device_column<verdict> const found(rows);
        device_column<reward_row> const rewarded(rows);
        device_column<float> const rewards(rows), out(rows);
        device_rollouts const rollouts{.verdicts = found.get(),
                                       .rows = std::int64_t(rows),
                                       .instance_of = there.instance_of.get(),
                                       .format_code = all_given ? codes_there.get() : nullptr,
                                       .finished = all_given ? finished_there.get() : nullptr,
                                       .length = length_there.get()};
        runtime::expect_nothing_waits(mine.get(), [&] {
            store.verify(set, there.view, found.get(), mine.get());
            store.reward(set, kept, rollouts, spec, rewarded.get(), rewards.get(), mine.get());
            store.advantages({rewards.get(), there.instance_of.get(), rollouts.rows}, {}, out.get(), mine.get());
        });
        ASSERT_TRUE(same_bytes(out.read(mine.get()), advantages)) << "schedule " << seed;
        ASSERT_TRUE(same_bytes(rewarded.read(mine.get()), expected)) << "schedule " << seed;
        ASSERT_TRUE(same_bytes(rewards.read(mine.get()), column)) << "schedule " << seed;
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
    store.wait();
}

/// A rule per task gives the bytes of each spec's own call on its rows.
TEST_F(resident_columns, each_task_s_rows_are_rewarded_by_its_own_spec) {
    answered const all = all_tasks_answered(1, 2);
    engine const by = made();
    reward_rules rules;
    rules.specs = reward_specs();
    for (std::size_t task = 0; task < by.tasks().size(); ++task) {
        rules.of_task.push_back(std::int32_t(task * 3 % 5 % 4));
    }
    std::vector<verdict> const verdicts =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    device_baselines const kept = store.keep(cpu_engine().solve(all.instances.view(), 200).rows);
    own_stream const mine;
    device_column<verdict> const judged(verdicts, mine.get());
    device_column<std::int32_t> const instance_of(all.instance_of, mine.get());
    auto const rewarded_by = [&](reward_rules const& rule) {
        device_column<reward_row> const rewarded(verdicts.size());
        store.reward(
            set, kept,
            {.verdicts = judged.get(), .rows = std::int64_t(verdicts.size()), .instance_of = instance_of.get()}, rule,
            rewarded.get(), nullptr, mine.get());
        return rewarded.read(mine.get());
    };
    std::vector<std::vector<reward_row>> of_spec;
    for (reward_spec const& spec : rules.specs) {
        of_spec.push_back(rewarded_by(spec));
    }
    std::vector<reward_row> expected;
    for (std::size_t r = 0; r < verdicts.size(); ++r) {
        expected.push_back(of_spec[rules.entry(all.instances.task[std::size_t(all.instance_of[r])])][r]);
    }
    EXPECT_FALSE(same_bytes(expected, of_spec[0]));
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        ASSERT_TRUE(same_bytes(rewarded_by(rules), expected)) << "schedule " << seed;
    }
    EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
    rules.of_task.pop_back();
    EXPECT_EQ(misuse_of([&] { rewarded_by(rules); }),
              "reward: expected a spec, and none or one entry per task of the build");
    rules.of_task.push_back(4);
    EXPECT_EQ(misuse_of([&] { rewarded_by(rules); }), "reward: a task's entry names none of its specs");
}

TEST_F(resident_columns, a_reward_of_a_row_of_no_instance_is_none) {
    engine const by = made();
    device_store store(by, {.memory = roomy});
    instance_batch const instances = small_instances(0, 1);
    device_set const set = store.keep(instances.view());
    device_baselines const kept = store.keep(cpu_engine().solve(instances.view(), 0).rows);
    own_stream const mine;
    device_column<verdict> const verdicts(std::vector<verdict>(3), mine.get());
    device_column<std::int32_t> const instance_of({0, 1 << 20, 0}, mine.get());
    device_column<reward_row> const rewarded(3);
    device_column<float> const rewards(3);
    store.reward(set, kept, {.verdicts = verdicts.get(), .rows = 3, .instance_of = instance_of.get()}, {},
                 rewarded.get(), rewards.get(), mine.get());
    std::vector<reward_row> const rows = rewarded.read(mine.get());
    EXPECT_TRUE(std::isnan(rows[1].reward));
    EXPECT_EQ(rows[1].code, code_unparsable);
    EXPECT_EQ(rows[0], rows[2]);
    EXPECT_FALSE(std::isnan(rows[0].reward));
    EXPECT_TRUE(std::isnan(rewards.read(mine.get())[1]));
    EXPECT_EQ(misuse_of([&] { store.wait(); }), "instance_of: row 1 of an earlier call names no instance of its set");
}

TEST_F(resident_columns, advantages_of_each_form_are_the_host_call_s) {
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    for (std::int32_t r = 0; r < 1003; ++r) {
        rewards.push_back(r % 29 == 4 ? std::nanf("") : float(r * 37 % 11) / 4.0f);
        group.push_back(r * 7 % 60 * (r % 3 == 0 ? -1 : 1000));
    }
    engine const by = made();
    device_store store(by, {.memory = 1 << 20});
    own_stream const mine, other;
    device_column<float> const there(rewards, mine.get());
    device_column<std::int32_t> const groups(group, mine.get());
    EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
    std::uint64_t seed = 0;
    for (char const* const form : {"grpo", "dr_grpo", "rloo", "leave_one_out", "max_rl", "pass_k", "grpo_trl"}) {
        advantage_spec spec = parse_advantage_spec(form);
        spec.of_one = seed % 2 == 0 ? lone_row::zero : lone_row::as_is;
        runtime::set_order(seed++);
        device_column<float> const out(rewards.size());
        // Streams without an order between them share the calls' working memory.
        cudaStream_t const on = seed % 2 == 0 ? mine.get() : other.get();
        store.advantages({there.get(), groups.get(), std::int64_t(rewards.size())}, spec, out.get(), on);
        EXPECT_TRUE(same_bytes(out.read(on), by.advantages(rewards, group, spec))) << form;
    }
    EXPECT_EQ(runtime::complaints(), std::vector<std::string>());
    for (char const* const form :
         {"gpg", "opo", "reinforce_pp", "river", R"({"estimator": "grpo", "scale": "batch"})"}) {
        std::string const said = misuse_of([&] {
            store.advantages({there.get(), groups.get(), 10}, parse_advantage_spec(form), nullptr, mine.get());
        });
        EXPECT_TRUE(said.starts_with("advantage: {")) << said;
        EXPECT_NE(said.find("\"estimator\":"), std::string::npos) << said;
        EXPECT_NE(said.find("on columns in device memory expected grpo by group"), std::string::npos) << said;
    }
    advantage_spec refusing;
    refusing.of_one = lone_row::refuse;
    EXPECT_TRUE(misuse_of([&] {
                    store.advantages({there.get(), groups.get(), 10}, refusing, nullptr, mine.get());
                }).starts_with("of_one: "));
    rewards[7] = std::numeric_limits<float>::infinity();
    device_column<float> const infinite(rewards, mine.get());
    device_column<float> const out(rewards.size());
    store.advantages({infinite.get(), groups.get(), std::int64_t(rewards.size())}, {}, out.get(), mine.get());
    EXPECT_EQ(misuse_of([&] { store.wait(); }),
              "rewards: row 7 of an earlier call is infinite; expected a number, or NaN for none");
}

/// Two streams without a wait between the calls: only the store orders its working memory.
TEST_F(resident_columns, calls_on_two_streams_follow_each_other) {
    answered const all = all_tasks_answered(1, 1);
    std::vector<verdict> const expected =
        cpu_engine().verify(all.instances.view(), all.answers.view(), all.instance_of);
    engine const by = made();
    device_store store(by, {.memory = roomy});
    device_set const set = store.keep(all.specs);
    own_stream const mine, other;
    answers_there const there(all, mine.get());
    EXPECT_EQ(cudaStreamSynchronize(mine.get()), cudaSuccess);
    device_column<verdict> const one(expected.size()), two(expected.size());
    for (std::uint64_t seed = 0; seed < schedules() / 3; ++seed) {
        runtime::set_order(seed);
        store.verify(set, there.view, one.get(), mine.get());
        store.verify(set, there.view, two.get(), other.get());
        ASSERT_EQ(two.read(other.get()), expected) << "schedule " << seed;
        ASSERT_EQ(one.read(mine.get()), expected) << "schedule " << seed;
        ASSERT_EQ(runtime::complaints(), std::vector<std::string>()) << "schedule " << seed;
    }
}

}  // namespace
}  // namespace optgap::testing
