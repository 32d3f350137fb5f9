// Rewards per task: the text, and that a mixed batch rewards each row as if its task stood alone.

#include "optgap/reward_rules.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "optgap/run_record.hpp"
#include "optgap/status.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

std::span<task_info const> tasks() { return cpu_engine().tasks(); }

reward_rules read(std::string_view text) { return parse_reward_rules(text, tasks()); }

std::int32_t at(std::string_view name) { return cpu_engine().task_index(name); }

std::string refusal_of_rules(std::string_view text) {
    try {
        static_cast<void>(read(text));
    } catch (error const& wrong) {
        return wrong.what();
    }
    return "none";
}

TEST(reward_rules, one_spec_is_a_rule_for_every_task) {
    for (char const* text : {"binary", R"({"shape":"power","exponent":3})", R"({"default":"binary"})"}) {
        reward_rules const rules = read(text);
        EXPECT_TRUE(rules.of_task.empty()) << text;
        EXPECT_EQ(to_json(rules, tasks()), to_json(rules.specs[0])) << text;
    }
}

TEST(reward_rules, names_stand_before_patterns_and_these_before_the_default) {
    reward_rules const rules =
        read(R"({"default":"binary","tasks":{"tsp":{"shape":"power","exponent":2},"*s*":"forge"}})");
    EXPECT_EQ(rules.of(at("tsp")).exponent, 2);
    EXPECT_EQ(rules.of(at("knapsack")).shape, reward_shape::forge);
    EXPECT_EQ(rules.of(at("clique")).shape, reward_shape::binary);
}

TEST(reward_rules, recommended_is_the_tasks_own) {
    reward_rules const rules = read("recommended");
    for (std::size_t t = 0; t < tasks().size(); ++t) {
        EXPECT_EQ(to_json(rules.of(std::int32_t(t))), to_json(parse_reward_spec(tasks()[t].reward))) << tasks()[t].name;
    }
    EXPECT_EQ(rules.of(at("futoshiki")).shape, reward_shape::power);
    EXPECT_EQ(rules.of(at("tsp")).shape, reward_shape::forge);
    EXPECT_EQ(read(R"({"tasks":{"futoshiki":"recommended"}})").of(at("futoshiki")).shape, reward_shape::power);
}

TEST(reward_rules, reads_what_it_writes) {
    for (char const* text :
         {"forge", "recommended", R"({"tasks":{"tsp":"binary","*cover":"power","clique":"binary"}})"}) {
        reward_rules const rules = read(text);
        std::string const written = to_json(rules, tasks());
        reward_rules const again = read(written);
        EXPECT_EQ(to_json(again, tasks()), written);
        for (std::size_t t = 0; t < tasks().size(); ++t) {
            EXPECT_EQ(to_json(again.of(std::int32_t(t))), to_json(rules.of(std::int32_t(t)))) << text;
        }
    }
}

TEST(reward_rules, says_what_is_wrong_and_where) {
    for (auto const& [text, words] : std::vector<std::pair<char const*, char const*>>{
             {R"({"tasks":{"tsp":{"shape":"power","exponent":0}}})", "reward.tasks.tsp.exponent: 0 is not"},
             {R"({"default":{"shape":"quality"}})", "reward.default.shape: \"quality\" is not one of"},
             {R"({"tasks":{"salesman":"forge"}})", "reward.tasks.salesman: expected a task or a pattern with *, of "},
             {R"({"tasks":{"zz*":"forge"}})", "reward.tasks.zz*: no task is 'zz*'"},
             {R"({"tasks":{"t*":"forge","*p":"binary"}})", "tsp has another spec by"},
             {R"({"tasks":{}})", "reward.tasks: expected an object"},
             {R"({"tasks":{"tsp":3}})", "reward.tasks.tsp: expected a shape's name"},
             {R"({"default":"forge","grid":0})", "reward.grid is not known beside default and tasks"},
             {R"({"shape":"recommended","grid":0})", "reward.grid: recommended specs have their own"}}) {
        EXPECT_NE(refusal_of_rules(text).find(words), std::string::npos) << text << ": " << refusal_of_rules(text);
    }
}

TEST(reward_rules, fingerprints_tell_them_apart) {
    auto const digits = [](std::string_view reward) {
        run_settings settings;
        settings.tasks.assign(tasks().begin(), tasks().end());
        settings.reward = read(reward);
        return run_fingerprint(run_record(settings));
    };
    EXPECT_EQ(digits("forge"), digits(R"({"default":"forge","tasks":{"tsp":"forge"}})"));
    EXPECT_EQ(differing_parts(digits("forge"), digits(R"({"tasks":{"futoshiki":"power"}})")), "reward");
}

/// The simple reference: each task's rows in a batch of their own, under its spec alone.
TEST(reward_rules, a_mixed_batch_rewards_each_row_by_its_task) {
    engine const& by = cpu_engine();
    reward_rules const rules = read(
        R"({"default":"binary","tasks":{"futoshiki":"power","tsp":{"shape":"normalized","from":"greedy"},"*cover":"forge"}})");
    instance_batch mixed;
    std::vector<std::string> texts;
    std::vector<std::int32_t> of;
    std::vector<finish> finished;
    for (std::int32_t t = 0; t < std::int32_t(tasks().size()); ++t) {
        instance_batch const some = instances_of(t, difficulty::easy(), 2);
        csr_words const greedy = by.greedy(some.view());
        for (std::int64_t r = 0; r < some.size(); ++r) {
            mixed.append(t, some.blocks.row(r));
            for (bool const broken : {false, true}) {
                texts.push_back("<think>1</think><answer>" + answer_text(greedy.row(r)) + (broken ? "" : "</answer>"));
                of.push_back(std::int32_t(mixed.size()) - 1);
                finished.push_back(broken ? finish::length : finish::stop);
            }
        }
    }
    std::vector<baseline> const baselines = by.solve(mixed.view()).rows;
    // Rows of tasks take turns, as in a trainer's batch.
    std::vector<std::size_t> order(texts.size());
    std::size_t step = 7;
    while (std::gcd(step, order.size()) != 1) {
        ++step;
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k * step % order.size();
    }
    std::vector<std::string_view> views;
    std::vector<std::int32_t> instance_of;
    std::vector<finish> how;
    for (std::size_t const k : order) {
        views.push_back(texts[k]);
        instance_of.push_back(of[k]);
        how.push_back(finished[k]);
    }
    grade_request const all{.instances = mixed.view(),
                            .baselines = baselines,
                            .texts = views,
                            .instance_of = instance_of,
                            .finished = how,
                            .reward = rules};
    grade_batch const found = by.grade(all);
    std::set<float> rewards;
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::int32_t const instance = instance_of[k];
        grade_request alone = all;
        alone.texts = {&views[k], 1};
        alone.instance_of = {&instance, 1};
        alone.finished = {&how[k], 1};
        alone.reward = rules.of(mixed.task[std::size_t(instance)]);
        EXPECT_EQ(found.rows[k], by.grade(alone).rows[0])
            << tasks()[std::size_t(mixed.task[std::size_t(instance)])].name;
        rewards.insert(found.rows[k].reward);
    }
    EXPECT_GE(rewards.size(), 5u) << "too few kinds of rows to tell rules apart";
}

TEST(reward_rules, lengths_are_asked_for_when_one_task_reads_them) {
    reward_rules const rules = read(R"({"tasks":{"tsp":{"length":{"limit":10,"buffer":5}}}})");
    EXPECT_TRUE(reads_lengths(rules));
    EXPECT_FALSE(reads_lengths(read("recommended")));
}

TEST(reward_rules, rules_of_another_build_are_refused) {
    instance_batch const one = instances_of(at("tsp"), difficulty::easy(), 1);
    std::vector<baseline> const known = cpu_engine().solve(one.view()).rows;
    std::string_view const text = "x";
    std::int32_t const first = 0;
    grade_request request{.instances = one.view(), .baselines = known, .texts = {&text, 1}, .instance_of = {&first, 1}};
    request.reward.of_task = {0};
    EXPECT_THROW(static_cast<void>(cpu_engine().grade(request)), error);
    request.reward.of_task.assign(tasks().size(), 5);
    EXPECT_THROW(static_cast<void>(cpu_engine().grade(request)), error);
}

}  // namespace
}  // namespace optgap::testing
