// The same bytes through a daemon or without one; and which daemon a client finds.

#include <sys/resource.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "optgap/reward_rules.hpp"
#include "tests/support/engine_verbs.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/serve_process.hpp"

namespace optgap::testing {
namespace {

nlohmann::json said_by(server const& one) { return nlohmann::json::parse(one.statistics()); }

TEST(serve, every_verb_gives_the_bytes_of_a_call_at_home) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    std::int64_t calls = 0;
    for (int round = 0; round < 3; ++round) {
        for (engine_verb const& verb : engine_verbs()) {
            EXPECT_EQ(verb.run(client), verb.run(cpu_engine())) << verb.name;
            bool const stays = std::string_view(verb.name) == "advantages" || std::string_view(verb.name) == "ranks";
            calls += stays ? 0 : 1;
        }
    }
    rollout_step const step(40, 6);
    for (int round = 0; round < 2; ++round) {
        solved_batch const found = client.solve(step.instances.view());
        EXPECT_EQ(found.rows, step.solved.rows);
        EXPECT_EQ(found.answers, step.solved.answers);
        EXPECT_EQ(client.solve(step.instances.view(), 0).rows, cpu_engine().solve(step.instances.view(), 0).rows);
    }
    expect_same_bytes(client.score(step.request()), cpu_engine().score(step.request()));
    server_statistics const status = client.server_status();
    EXPECT_EQ(status.calls, calls + 5) << to_json(status);
    EXPECT_EQ(status.fallbacks, 0) << to_json(status);
    EXPECT_EQ(status.state, server_state::connected);
    nlohmann::json const said = said_by(*daemon);
    EXPECT_EQ(said["verbs"]["solve"]["rows"], 160);
    EXPECT_EQ(said["baselines"]["misses"], 80);
    EXPECT_EQ(said["baselines"]["hits"], 80);
    EXPECT_EQ(said["verbs"]["grade"]["rows"].get<std::int64_t>(),
              3 * 6 * std::int64_t(cpu_engine().tasks().size()) + 240);
}

/// Score requests with every column, spec and odd text.
TEST(serve, odd_batches_give_the_same_bytes_too) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    instance_batch const none;
    EXPECT_EQ(client.generate({}).size(), 0);
    EXPECT_TRUE(client.verify(none.view(), csr_words().view()).empty());
    EXPECT_TRUE(client.solve(none.view()).rows.empty());
    EXPECT_EQ(client.greedy(none.view()).rows(), 0);
    EXPECT_TRUE(client.score({}).rows.empty());
    EXPECT_EQ(client.server_status().calls, 5) << to_json(client.server_status());

    rollout_step step(20, 4);
    using namespace std::string_view_literals;
    std::string const nested =
        "<think>x</think><answer>" + std::string(5000, '[') + "1" + std::string(5000, ']') + "</answer>";
    std::string const lists = "<think>x</think><answer>[" + [] {
        std::string rows;
        for (int k = 0; k < 3000; ++k) {
            rows += "[1,2],";
        }
        return rows;
    }() + "[3]]</answer>";
    for (std::size_t r = 0; r < step.views.size(); r += 3) {
        std::string_view const odd[] = {""sv,         "\0\0\0"sv,  "\xff\xfe\x80<think>\xc3"sv,
                                        nested,       lists,       "\\"sv,
                                        "\\boxed{"sv, "Answer:"sv, "<answer>[1"sv};
        step.views[r] = odd[r / 3 % std::size(odd)];
    }
    std::vector<std::int32_t> group, cohort, format_of;
    for (std::size_t r = 0; r < step.views.size(); ++r) {
        group.push_back(std::int32_t(r * 7 % 9) - 4);
        cohort.push_back(std::int32_t(r % 3));
        format_of.push_back(std::int32_t(r % formats().size()));
    }
    grade_request what = step.request();
    grouping among{.group = group, .cohort = cohort};
    what.formats = formats();
    what.format_of = format_of;
    for (char const* const reward : {"forge", "binary", "normalized", R"({"shape": "power", "exponent": 7})"}) {
        for (char const* const advantage : {"grpo", "task_reinforce_pp", "gdpo", "river", "opo"}) {
            what.reward = parse_reward_spec(reward);
            among.advantage = parse_advantage_spec(advantage);
            expect_same_bytes(client.score(what, among), cpu_engine().score(what, among));
        }
    }
    what.reward =
        parse_reward_rules(R"({"default": "binary", "tasks": {"*s*": "forge", "tsp": "power"}})", cpu_engine().tasks());
    expect_same_bytes(client.score(what, among), cpu_engine().score(what, among));
    // A view into the middle of a larger batch.
    csr_view tail = step.instances.blocks.view();
    tail.offsets += 5;
    tail.rows -= 5;
    instance_view const some{step.instances.task.data() + 5, tail};
    EXPECT_EQ(client.greedy(some), cpu_engine().greedy(some));
    EXPECT_EQ(client.server_status().fallbacks, 0) << to_json(client.server_status());
}

TEST(serve, misuse_is_said_as_it_is_at_home_and_costs_the_daemon_nothing) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    instance_batch const one = instances_of(0, difficulty::easy(), 1);
    auto const complaint_of = [&](engine const& by) {
        grade_request what{.instances = one.view(), .formats = formats()};
        std::string_view const text = "x";
        std::int32_t const first = 0, beyond = 99;
        baseline const base;
        what.format_of = std::span(&beyond, 1);
        what.baselines = std::span(&base, 1);
        what.texts = std::span(&text, 1);
        what.instance_of = std::span(&first, 1);
        try {
            static_cast<void>(by.score(what));
        } catch (error const& problem) {
            return std::string(problem.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(complaint_of(client), complaint_of(cpu_engine()));
    EXPECT_NE(complaint_of(client), "accepted");
    EXPECT_EQ(client.server_status().refused, 2);
    EXPECT_EQ(said_by(*daemon)["refused"]["failed"], 2);
    EXPECT_EQ(client.greedy(one.view()), cpu_engine().greedy(one.view()));
}

TEST(serve, identical_baselines_are_proven_once_also_at_the_same_time) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    rollout_step const step(60, 1);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int c = 0; c < 6; ++c) {
        threads.emplace_back([&] {
            engine const client = client_of(folder.path());
            solved_batch const found = client.solve(step.instances.view());
            wrong += found.rows == step.solved.rows && found.answers == step.solved.answers ? 0 : 1;
            wrong += client.server_status().calls == 1 ? 0 : 1;
        });
    }
    std::ranges::for_each(threads, &std::thread::join);
    EXPECT_EQ(wrong, 0);
    nlohmann::json const cache = said_by(*daemon)["baselines"];
    EXPECT_EQ(cache["misses"], 60) << cache;
    EXPECT_EQ(cache["hits"].get<int>() + cache["joins"].get<int>(), 300) << cache;
}

/// Another start is another request, and an infeasible one does not spoil others.
TEST(serve, proofs_with_starts_are_proofs_of_their_own) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    engine const client = client_of(folder.path());
    rollout_step const step(24, 4);
    instance_view const view = step.instances.view();
    for (int round = 0; round < 2; ++round) {
        solved_batch const with = client.solve(view, 0, step.solved.answers.view());
        solved_batch const at_home = cpu_engine().solve(view, 0, step.solved.answers.view());
        EXPECT_EQ(with.rows, at_home.rows);
        EXPECT_EQ(with.answers, at_home.answers);
        EXPECT_EQ(client.solve(view, 0).rows, cpu_engine().solve(view, 0).rows);
    }
    nlohmann::json const cache = said_by(*daemon)["baselines"];
    EXPECT_EQ(cache["misses"], 48) << cache;
    EXPECT_EQ(cache["hits"], 48) << cache;
    csr_words wrong;
    for (std::int64_t r = 0; r < step.instances.size(); ++r) {
        wrong.append(r == 5 ? words{answer_flat, -7, -7} : words{});
    }
    try {
        static_cast<void>(client.solve(view, 7, wrong.view()));
        ADD_FAILURE() << "believed";
    } catch (error const& refused) {
        EXPECT_EQ(refused.code(), status::invalid_argument);
        EXPECT_NE(std::string(refused.what()).find("starts: row 5 is no feasible answer"), std::string::npos);
    }
    EXPECT_NE(client.server_status().last_reason.find("starts: row 5 is not feasible"), std::string::npos);
    EXPECT_EQ(client.solve(view, 7).rows, cpu_engine().solve(view, 7).rows);
}

TEST(serve, the_cache_keeps_its_limit) {
    socket_folder const folder;
    server_options options = cpu_server(folder.path());
    options.baseline_bytes = 8'000;
    own_server daemon(options);
    engine const client = client_of(folder.path());
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
        rollout_step const step(40, 1, seed);
        EXPECT_EQ(client.solve(step.instances.view()).rows, step.solved.rows);
    }
    nlohmann::json const cache = said_by(*daemon)["baselines"];
    EXPECT_LE(cache["bytes"], 8'000);
    EXPECT_GT(cache["evictions"], 100);
    EXPECT_EQ(cache["entries"].get<int>() + cache["evictions"].get<int>(), cache["misses"].get<int>());
}

TEST(serve, a_cpu_daemon_is_sent_proofs_alone) {
    socket_folder const folder;
    server_options options = cpu_server(folder.path());
    options.take_all = false;
    own_server daemon(options);
    engine const client = client_of(folder.path());
    rollout_step const step(10, 3);
    expect_same_bytes(client.score(step.request()), cpu_engine().score(step.request()));
    EXPECT_EQ(client.solve(step.instances.view()).rows, step.solved.rows);
    server_statistics const status = client.server_status();
    EXPECT_EQ(status.calls, 1);
    EXPECT_EQ(status.small, 1);
    EXPECT_EQ(status.fallbacks, 0);
}

TEST(serve, a_second_daemon_is_refused_and_a_dead_ones_socket_replaced) {
    socket_folder const folder;
    {
        own_server daemon(cpu_server(folder.path()));
        try {
            server const second(cpu_server(folder.path()));
            ADD_FAILURE() << "two daemons at one path";
        } catch (error const& problem) {
            EXPECT_NE(std::string(problem.what()).find("another daemon listens"), std::string::npos) << problem.what();
        }
        EXPECT_EQ(daemon->path(), folder.path());
    }
    EXPECT_NE(access(folder.path().c_str(), F_OK), 0) << "the socket outlives its daemon";
    daemon_process killed(folder.path());
    killed.process().signal(SIGKILL);
    EXPECT_EQ(killed.process().wait(), 1000 + SIGKILL);
    ASSERT_EQ(access(folder.path().c_str(), F_OK), 0);
    own_server daemon(cpu_server(folder.path()));
    EXPECT_EQ(client_of(folder.path()).generate({}).size(), 0);
    EXPECT_EQ(said_by(*daemon)["verbs"]["generate"]["calls"], 1);
}

TEST(serve, a_file_in_the_sockets_place_is_left_alone) {
    socket_folder const folder;
    std::ofstream(folder.path()) << "precious";
    EXPECT_THROW(server const refused(cpu_server(folder.path())), error);
    EXPECT_EQ(access(folder.path().c_str(), F_OK), 0);
    EXPECT_THROW(server const refused(cpu_server(folder.name() + "/" + std::string(200, 'x'))), error);
}

TEST(serve, what_a_caller_demands_is_not_computed_at_home) {
    socket_folder const folder;
    engine const client({.where = device::cpu, .threads = 1, .on_fallback = fallback::error, .server = folder.path()});
    instance_batch const one = instances_of(0, difficulty::easy(), 1);
    try {
        static_cast<void>(client.solve(one.view()));
        ADD_FAILURE() << "solved without a daemon";
    } catch (error const& problem) {
        EXPECT_EQ(problem.code(), status::device_unavailable);
    }
    engine const relaxed = client_of(folder.path());
    EXPECT_EQ(relaxed.solve(one.view()).rows, cpu_engine().solve(one.view()).rows);
    EXPECT_EQ(relaxed.server_status().state, server_state::unreachable);
    EXPECT_EQ(relaxed.server_status().fallbacks, 1);
}

/// Sets an environment variable for a while.
class setting {
public:
    setting(char const* name, char const* value) : name_(name), old_(std::getenv(name) ? std::getenv(name) : "") {
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    ~setting() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
    setting(setting const&) = delete;
    setting& operator=(setting const&) = delete;

private:
    char const* name_;
    std::string old_;
};

TEST(serve, an_automatic_engine_finds_its_daemon_by_the_rules) {
    socket_folder const folder;
    own_server daemon(cpu_server(folder.path()));
    instance_batch const one = instances_of(0, difficulty::easy(), 1);
    auto const calls_of = [&](engine_options const& options) {
        engine const by(options);
        static_cast<void>(by.solve(one.view()));
        return by.server_status().calls;
    };
    engine_options const automatic{.threads = 1};
    setting const runtime("XDG_RUNTIME_DIR", folder.name().c_str());
    setting const unset("OPTGAP_SERVER", nullptr);
    EXPECT_EQ(calls_of(automatic), 0) << "nothing listens at the default path";
    {
        setting const named("OPTGAP_SERVER", folder.path().c_str());
        EXPECT_EQ(calls_of(automatic), 1);
        EXPECT_EQ(calls_of({.where = device::cpu, .threads = 1}), 0) << "a device was asked for";
        EXPECT_EQ(calls_of({.threads = 1, .server = "off"}), 0);
    }
    ASSERT_EQ(mkdir((folder.name() + "/optgap").c_str(), 0700), 0);
    own_server by_default(cpu_server(""));
    EXPECT_EQ(by_default->path(), folder.name() + "/optgap/serve.sock");
    EXPECT_EQ(calls_of(automatic), 1);
    {
        setting const off("OPTGAP_SERVER", "off");
        EXPECT_EQ(calls_of(automatic), 0);
        EXPECT_EQ(calls_of({.where = device::cpu, .threads = 1, .server = folder.path()}), 1);
    }
    ASSERT_EQ(chmod((folder.name() + "/optgap").c_str(), 0755), 0);
    EXPECT_EQ(calls_of(automatic), 0) << "others may enter the folder";
    EXPECT_THROW(server const refused(cpu_server("")), error);
}

}  // namespace
}  // namespace optgap::testing
