// Daemons and clients that are killed, stopped or forked at any moment: no row is lost, doubled or wrong.
// OPTGAP_STRESS_SECONDS (default 3) makes it long:
//
//   OPTGAP_STRESS_SECONDS=120 optgap_unit_tests --gtest_filter='serve_crash.*'

#include <dirent.h>

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/child.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/serve_process.hpp"

namespace optgap::testing {
namespace {

int stress_seconds() {
    char const* const text = std::getenv("OPTGAP_STRESS_SECONDS");
    return text != nullptr ? std::max(1, std::atoi(text)) : 3;
}

test_process start_client(std::string const& path, int seed, int seconds) {
    return {"serve_child.DISABLED_client",
            {"OPTGAP_TEST_SOCKET=" + path, "OPTGAP_TEST_SEED=" + std::to_string(seed),
             "OPTGAP_TEST_SECONDS=" + std::to_string(seconds)}};
}

/// The number of open descriptors of a process.
int descriptors_of(pid_t process) {
    DIR* const folder = opendir(("/proc/" + std::to_string(process) + "/fd").c_str());
    int count = -2;  // . and ..
    while (folder != nullptr && readdir(folder) != nullptr) {
        ++count;
    }
    if (folder != nullptr) {
        closedir(folder);
    }
    return count;
}

nlohmann::json said_at(std::string const& path) { return nlohmann::json::parse(daemon_statistics(path)); }

/// Clients leave when their process has died; only the asking one is left.
bool is_alone(std::string const& path) {
    return eventually([&] { return said_at(path)["connections"] == 1; });
}

TEST(serve_crash, rows_survive_the_death_of_daemons_and_clients) {
    socket_folder const folder;
    int const seconds = stress_seconds();
    auto daemon = std::make_unique<daemon_process>(folder.path());
    std::vector<test_process> steady, doomed;
    for (int c = 0; c < 8; ++c) {
        steady.push_back(start_client(folder.path(), c, seconds));
    }
    std::mt19937_64 random(5);
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    int kills = 0;
    while (std::chrono::steady_clock::now() < end) {
        doomed.push_back(start_client(folder.path(), 100 + kills, 60));
        std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 600));
        doomed.back().signal(SIGKILL);
        EXPECT_EQ(doomed.back().wait(), 1000 + SIGKILL);
        if (kills++ % 2 == 1) {
            daemon->process().signal(SIGKILL);
            EXPECT_EQ(daemon->process().wait(), 1000 + SIGKILL);
            daemon = std::make_unique<daemon_process>(folder.path());
        }
    }
    for (test_process& client : steady) {
        EXPECT_EQ(client.wait(), 0);
    }
    EXPECT_TRUE(is_alone(folder.path())) << said_at(folder.path());
    EXPECT_EQ(said_at(folder.path())["requests_mapped"], 0);
    daemon->process().signal(SIGTERM);
    EXPECT_EQ(daemon->process().wait(), 0);
    RecordProperty("daemons_killed", kills / 2);
    RecordProperty("clients_killed", kills);
}

TEST(serve_crash, a_daemon_keeps_nothing_of_clients_that_died) {
    socket_folder const folder;
    daemon_process daemon(folder.path());
    pid_t const process = daemon.process().id();
    EXPECT_TRUE(is_alone(folder.path()));
    int const idle = descriptors_of(process);
    EXPECT_GT(idle, 3);
    for (int round = 0; round < 4; ++round) {
        {
            engine const client = client_of(folder.path());
            rollout_step const step(20, 3, std::uint64_t(round) + 1);
            static_cast<void>(client.score(step.request()));
            test_process killed = start_client(folder.path(), round, 60);
            EXPECT_TRUE(eventually([&] { return said_at(folder.path())["connections"] >= 4; }));
            killed.signal(SIGKILL);
            static_cast<void>(killed.wait());
        }
        EXPECT_TRUE(is_alone(folder.path()));
        EXPECT_EQ(said_at(folder.path())["requests_mapped"], 0);
        // Those that asked for statistics may be about to leave.
        EXPECT_TRUE(eventually([&] { return descriptors_of(process) <= idle; }))
            << descriptors_of(process) << " open descriptors, " << idle << " before there were clients";
    }
}

TEST(serve_crash, a_stopped_daemon_is_given_up_within_its_limit) {
    socket_folder const folder;
    daemon_process daemon(folder.path());
    engine const client = client_of(folder.path());
    rollout_step const step(10, 2);
    score_batch const expected = cpu_engine().score(step.request());
    expect_same_bytes(client.score(step.request()), expected);
    daemon.process().stop();
    auto const seconds_of = [&](auto const& call) {
        auto const begin = std::chrono::steady_clock::now();
        call();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    double const first = seconds_of([&] { expect_same_bytes(client.score(step.request()), expected); });
    EXPECT_GT(first, 1.5);
    EXPECT_LT(first, 10);
    EXPECT_NE(client.server_status().last_reason.find("no pulse"), std::string::npos);
    // Later calls spend almost no time on it.
    double const next = seconds_of([&] {
        for (int k = 0; k < 20; ++k) {
            expect_same_bytes(client.score(step.request()), expected);
        }
    });
    EXPECT_LT(next, 8);
    std::int64_t const before = client.server_status().calls;
    EXPECT_EQ(before, 1);
    daemon.process().signal(SIGCONT);
    EXPECT_TRUE(eventually([&] {
        expect_same_bytes(client.score(step.request()), expected);
        return client.server_status().calls > before;
    }));
    EXPECT_GE(client.server_status().reconnects, 1);
}

TEST(serve_crash, a_forked_child_has_connections_of_its_own) {
    if (!child_can_start_threads) {
        GTEST_SKIP() << "ThreadSanitizer cannot start threads after a fork";
    }
    socket_folder const folder;
    daemon_process daemon(folder.path());
    rollout_step const step(10, 2);
    engine const client = client_of(folder.path());
    score_batch const expected = client.score(step.request());
    std::atomic<bool> over = false;
    std::thread busy([&] {
        while (!over && child_of_busy_parent_can_allocate) {
            static_cast<void>(client.score(step.request()));
        }
    });
    for (int round = 0; round < 10; ++round) {
        EXPECT_EQ(exit_code_of_child([&] {
                      std::int64_t const before = client.server_status().calls;
                      for (int k = 0; k < 5; ++k) {
                          child_expects(client.score(step.request()).rows == expected.rows);
                      }
                      child_expects(client.server_status().calls == before + 5);
                  }),
                  0);
    }
    over = true;
    busy.join();
    EXPECT_EQ(client.server_status().fallbacks, 0) << to_json(client.server_status());
    EXPECT_EQ(client.score(step.request()).rows, expected.rows);
}

TEST(serve_crash, stop_finishes_calls_under_way) {
    socket_folder const folder;
    rollout_step const step(200, 4);
    score_batch const expected = cpu_engine().score(step.request());
    for (int round = 0; round < 10; ++round) {
        engine const client = client_of(folder.path());
        std::atomic<bool> over = false;
        {
            own_server daemon(cpu_server(folder.path()));
            std::thread busy([&] {
                while (!over) {
                    expect_same_bytes(client.score(step.request()), expected);
                }
            });
            EXPECT_TRUE(eventually([&] { return client.server_status().calls > 0; }));
            EXPECT_TRUE(stop_daemon(folder.path(), 20));
            over = true;
            busy.join();
        }
        // A call that had reached the daemon returned from it. Later ones were refused at once.
        EXPECT_EQ(client.server_status().refused, 0) << to_json(client.server_status());
    }
}

}  // namespace
}  // namespace optgap::testing
