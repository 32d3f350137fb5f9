// Users' kinds from packages of Python (host/rows/packages), by the C++ scorer, a daemon and a stop token; the command
// line and Python have theirs in tests/python/kinds_test.py.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "host/rows/packages/package.hpp"
#include "host/rows/score_options.hpp"
#include "host/rows/scorer.hpp"
#include "host/rows/scorer_pool.hpp"
#include "optgap/rows/scorer.hpp"
#include "optgap/run_record.hpp"
#include "optgap/scheduler.hpp"
#include "tests/support/serve_process.hpp"
#include "tests/support/serve_requests.hpp"

namespace optgap::testing {
namespace {

constexpr char const* with_toy = R"({"kinds": "toy_kind", "toy_sums_bonus": 1})";

std::vector<std::string> const& sums() {
    static std::vector<std::string> const lines{
        R"({"addends": [1, 2, 3], "completion": "6"})",
        R"({"addends": [1, 2, 3], "completion": "6"})",
        R"({"addends": [1, 2, 3], "completion": "7"})",
        R"({"addends": [4], "completion": "4", "beside": {"addends": [1], "completion": "1"}})",
        R"({"addends": [5], "completion": "die"})",
        R"({"addends": [5], "completion": "raise"})",
        R"({"addends": "five", "completion": "5"})",
        R"({"addends": [5]})"};
    return lines;
}

/// This tree's package of Python and the toy's, for a plain python3.
class row_packages : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        std::string const here = std::filesystem::current_path().string();
        setenv("PYTHONPATH", (here + "/python:" + here + "/tests/extension/packages").c_str(), 1);
        unsetenv("OPTGAP_PYTHON");
    }
    void SetUp() override {
        try {
            static_cast<void>(python_with_package());
        } catch (error const& none) {
            GTEST_SKIP() << none.what();
        }
    }
};

TEST_F(row_packages, are_graded_and_cost_one_row_an_error) {
    row_scorer by(cpu_engine(), with_toy);
    std::vector<std::string> const found = by.score(sums());
    ASSERT_EQ(found.size(), sums().size());
    EXPECT_NE(found[0].find(R"("reward":1.0)"), std::string::npos) << found[0];
    EXPECT_NE(found[0].find(R"("sum":6,"sharers":2)"), std::string::npos) << found[0];
    EXPECT_NE(found[2].find(R"("code":"wrong_sum")"), std::string::npos) << found[2];
    EXPECT_NE(found[3].find(R"("reward":0.0)"), std::string::npos) << found[3];
    EXPECT_NE(found[4].find("the worker ended with exit status 7"), std::string::npos) << found[4];
    EXPECT_NE(found[5].find("RuntimeError: no sum today"), std::string::npos) << found[5];
    EXPECT_NE(found[6].find(R"("field":"addends","rule":"must be a list of integers")"), std::string::npos) << found[6];
    EXPECT_NE(found[7].find(R"("field":"completion","rule":"missing)"), std::string::npos) << found[7];
    EXPECT_EQ(by.score(sums()), found);
    EXPECT_NE(by.explain(sums()[2]).find("1 + 2 + 3 = 6, and the completion says 7"), std::string::npos);
    EXPECT_EQ(by.feedback(sums()[2], feedback_level::rule),
              "The form is right. The answer breaks a rule. The integer is not the sum of the addends.");
    EXPECT_NE(by.fingerprint(), row_scorer(cpu_engine()).fingerprint());
}

TEST_F(row_packages, earn_the_same_however_rows_are_cut_into_calls) {
    rows::scorer by(cpu_engine(), rows::parse_score_options(with_toy));
    auto const rewards = [&](std::size_t piece) {
        by.forget();
        std::vector<rows::row_item> items(sums().size());
        std::vector<rows::graded_row> graded;
        for (std::size_t i = 0; i < items.size(); ++i) {
            items[i].take(sums()[i], std::int64_t(i) + 1);
        }
        for (std::size_t begin = 0; begin < items.size(); begin += piece) {
            auto const some = by.score(std::span(items).subspan(begin, std::min(piece, items.size() - begin)));
            graded.insert(graded.end(), some.begin(), some.end());
        }
        std::vector<float> out;
        for (rows::graded_row const& row : by.close(graded).rows) {
            out.push_back(row.value.reward);
        }
        return out;
    };
    EXPECT_EQ(rewards(1), rewards(8));
    EXPECT_EQ(rewards(3), rewards(8));
}

TEST_F(row_packages, are_tickets_with_the_bytes_of_a_scorer) {
    auto const source = std::make_shared<baseline_source>(cpu_engine());
    scheduler_options options;
    options.row_scorers =
        std::make_shared<rows::scorer_pool>(cpu_engine(), rows::parse_score_options(with_toy), "", source);
    scheduler by(cpu_engine(), options);
    std::vector<ticket> tickets;
    for (std::string const& line : sums()) {
        tickets.push_back(by.submit_row(line));
    }
    std::optional<collected_rows> const found = by.collect_rows(tickets, std::chrono::seconds(60));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rows, row_scorer(cpu_engine(), with_toy).score(sums()));
}

TEST_F(row_packages, are_served_by_a_daemon_that_was_started_with_them) {
    std::vector<std::string> const home = row_scorer(cpu_engine(), with_toy).score(sums());
    for (bool const named : {true, false}) {
        socket_folder const folder;
        server_options options = cpu_server(folder.path());
        options.kinds = named ? std::vector<std::string>{"toy_kind"} : std::vector<std::string>();
        own_server const daemon(options);
        engine const client = client_of(folder.path());
        EXPECT_EQ(row_scorer(client, with_toy).score(sums()), home);
        EXPECT_EQ(client.server_status().calls, named ? 1 : 0) << to_json(client.server_status());
        bool const refused = client.server_status().last_reason.find("not started with --kinds") != std::string::npos;
        EXPECT_EQ(refused, !named) << to_json(client.server_status());
    }
}

TEST_F(row_packages, hold_estimators_and_shapes_that_a_daemon_computes_to_the_same_bytes) {
    constexpr char const* with_rules = R"({"kinds": "toy_rules", "advantage": {"estimator": "toy_softened"},
        "reward": {"shape": "toy_knee", "at": 1.0, "grid": 0}})";
    std::vector<std::string> lines;
    for (char const* const tour : {"0,4,2,15,5,9,12,8,7,1,10,3,6,13,11,14", "0,2,4,15,5,9,12,8,7,1,10,3,6,13,11,14"}) {
        lines.push_back(std::string(R"({"key":"tsp@1:train:easy:1","completion":"<think>hm</think><answer>[)") + tour +
                        R"(]</answer>"})");
    }
    std::vector<std::string> home;
    try {
        home = row_scorer(cpu_engine(), with_rules).score(lines);
    } catch (field_error const& none) {
        if (std::string(none.what()).find("numpy") == std::string::npos) {
            throw;
        }
        GTEST_SKIP() << none.what();
    }
    EXPECT_NE(home[0].find(R"("reward":1.0)"), std::string::npos) << home[0];
    EXPECT_NE(home[1].find(R"("advantage":-0.)"), std::string::npos) << home[1];
    engine const& here = cpu_engine();
    float const rewards[] = {1, 3};
    std::int32_t const group[] = {7, 7};
    advantage_spec const soft = parse_advantage_spec(R"({"estimator": "toy_softened", "softness": 1})");
    EXPECT_FLOAT_EQ(here.advantages(rewards, group, soft)[1], 1 / (std::sqrt(2.0f) + 1));
    EXPECT_FALSE(is_known(parse_reward_spec("toy_knee").shape)) << "another process has another number for it";
    EXPECT_EQ(describe_listed_shapes().find("toy_knee"), std::string::npos);
    for (bool const named : {true, false}) {
        socket_folder const folder;
        server_options options = cpu_server(folder.path());
        options.kinds = named ? std::vector<std::string>{"toy_rules"} : std::vector<std::string>();
        own_server const daemon(options);
        engine const client = client_of(folder.path());
        EXPECT_EQ(row_scorer(client, with_rules).score(lines), home);
        bool const refused = client.server_status().last_reason.find("not started with --kinds") != std::string::npos;
        EXPECT_EQ(refused, !named) << to_json(client.server_status());
    }
}

TEST_F(row_packages, are_stopped_with_their_worker) {
    rows::scorer by(cpu_engine(), rows::parse_score_options(with_toy));
    rows::ahead_row row(R"({"addends": [5], "completion": "hang"})");
    rows::ahead_row* const all[] = {&row};
    std::stop_source stop;
    std::thread stopping([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        stop.request_stop();
    });
    EXPECT_TRUE(by.grade_ahead(all, true, stop.get_token()));
    stopping.join();
    EXPECT_EQ(row.item.rule, "was stopped before this row was graded");
    EXPECT_EQ(row.item.field, "worker");
}

TEST_F(row_packages, of_wrong_names_are_answered_with_the_nearest) {
    try {
        row_scorer const by(cpu_engine(), R"({"kinds": "toy_knd"})");
        ADD_FAILURE();
    } catch (field_error const& broken) {
        EXPECT_EQ(broken.field(), "kinds");
        EXPECT_NE(broken.rule().find("did you mean toy_kind?"), std::string::npos) << broken.rule();
    }
    for (char const* const options :
         {R"({"kinds": 3})", R"({"kinds": ""})", R"({"kinds": "toy_kind,toy_kind"})", R"({"kinds": ["toy_kind", 4]})",
          R"({"toy_sums_bonus": 1})", R"({"kinds": "toy_kind", "toy_sums_bonus": 10})"}) {
        EXPECT_THROW(row_scorer(cpu_engine(), options), field_error) << options;
    }
}

}  // namespace
}  // namespace optgap::testing
