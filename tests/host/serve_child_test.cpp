// Programs of the daemon's tests in processes of their own (tests/support/serve_process.hpp). They are disabled, so
// that only those tests run them.

#include <cstdio>

#include "tests/support/scheduler_cases.hpp"
#include "tests/support/serve_process.hpp"

namespace optgap::testing {
namespace {

std::string socket_named() {
    char const* const path = std::getenv("OPTGAP_TEST_SOCKET");
    return path != nullptr ? path : "";
}

server* running = nullptr;

TEST(serve_child, DISABLED_daemon) {
    ASSERT_NE(socket_named(), "");
    server daemon(cpu_server(socket_named()));
    running = &daemon;
    std::signal(SIGTERM, [](int) { running->stop(); });
    EXPECT_TRUE(daemon.run());
}

/// Scores, solves and verifies until the time is over and a daemon has answered. Compares each reply with its expected
/// value. Fails when a row is wrong or missing.
TEST(serve_child, DISABLED_client) {
    ASSERT_NE(socket_named(), "");
    auto const end =
        std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(std::getenv("OPTGAP_TEST_SECONDS")));
    std::uint64_t const seed = std::strtoull(std::getenv("OPTGAP_TEST_SEED"), nullptr, 10);
    rollout_step const step(30, 4, 1 + seed % 3);
    score_batch const expected = cpu_engine().score(step.request());
    csr_words const greedy = cpu_engine().greedy(step.instances.view());
    engine const client = client_of(socket_named());
    std::atomic<std::int64_t> wrong = 0, rows = 0, asked = 0;
    auto const work = [&](std::uint64_t own) {
        std::mt19937_64 random(own);
        // A client looks for a daemon once a second. On a slow machine it may find none while daemons die.
        auto const under_way = [&] {
            auto const now = std::chrono::steady_clock::now();
            return now < end || (client.server_status().calls == 0 && now < end + std::chrono::seconds(30));
        };
        while (under_way()) {
            bool good = true;
            switch (random() % 3) {
                case 0: {
                    score_batch const found = client.score(step.request());
                    good = found.rows == expected.rows && found.verdicts == expected.verdicts &&
                           found.advantage == expected.advantage && found.answers == expected.answers;
                    rows += std::int64_t(found.rows.size());
                    asked += step.rows();
                    break;
                }
                case 1: {
                    solved_batch const found = client.solve(step.instances.view());
                    good = found.rows == step.solved.rows && found.answers == step.solved.answers;
                    rows += std::int64_t(found.rows.size());
                    asked += 30;
                    break;
                }
                default: {
                    csr_words const found = client.greedy(step.instances.view());
                    good = found == greedy;
                    rows += found.rows();
                    asked += 30;
                }
            }
            wrong += good ? 0 : 1;
        }
    };
    std::thread second(work, seed * 2 + 1);
    work(seed * 2);
    second.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(rows, asked);
    server_statistics const status = client.server_status();
    std::printf("client %llu: %lld rows, %s\n", static_cast<unsigned long long>(seed),
                static_cast<long long>(rows.load()), to_json(status).c_str());
    // A client that never reached a daemon must not pass.
    EXPECT_GT(status.calls, 0);
}

}  // namespace
}  // namespace optgap::testing
