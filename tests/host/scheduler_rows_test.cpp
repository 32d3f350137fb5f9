// What a scheduler keeps of rows of every kind: the bytes of a scorer that gets the same rows as one run, however they
// are submitted, and the same ends, whatever becomes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "host/rows/score_options.hpp"
#include "host/rows/scorer_pool.hpp"
#include "optgap/rows/scorer.hpp"
#include "optgap/scheduler.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/scheduler_cases.hpp"
#include "tests/support/watched_kinds.hpp"

namespace optgap::testing {
namespace {

using rows::kind_entries;
using rows::row_kind;

constexpr char const* row_rules = R"({"external": true, "isolation": "auto", "slots": 2})";

std::shared_ptr<rows::scorer_pool> watched_scorers() {
    auto const source = std::make_shared<baseline_source>(cpu_engine());
    return std::make_shared<rows::scorer_pool>(cpu_engine(), rows::parse_score_options(row_rules), "", source,
                                               watched_kinds());
}

scheduler_options watched_rows(std::int64_t queue_rows = 1 << 16) {
    return {.row_scorers = watched_scorers(), .queue_rows = queue_rows, .when_full = full_queue::refuse};
}

/// The lines of tests/rows/rows.jsonl, by the kind that claims them.
std::map<std::string_view, std::vector<std::string>> const& lines_by_kind() {
    static auto const all = [] {
        rows::scorer const by(cpu_engine(), rows::parse_score_options(row_rules));
        std::map<std::string_view, std::vector<std::string>> out;
        std::ifstream file("tests/rows/rows.jsonl");
        for (std::string line; std::getline(file, line);) {
            rows::row_item item;
            item.take(line, 1);
            row_kind const* const kind = item.sound() ? by.claimed_by(item.row) : nullptr;
            if (kind != nullptr) {
                out[kind->info().name].push_back(line);
            }
        }
        return out;
    }();
    return all;
}

/// What a scorer makes of the lines as one run.
std::vector<std::string> by_a_scorer(std::vector<std::string> const& lines) {
    row_scorer by(cpu_engine(), row_rules);
    return by.score(lines);
}

std::vector<ticket> submitted(scheduler& by, std::vector<std::string> const& lines, std::uint64_t shuffle = 0) {
    std::vector<std::size_t> order(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    if (shuffle != 0) {
        std::mt19937_64 random(shuffle);
        std::shuffle(order.begin(), order.end(), random);
    }
    std::vector<ticket> out(lines.size());
    for (std::size_t const i : order) {
        out[i] = by.submit_row(lines[i]);
        EXPECT_NE(out[i], ticket::none);
    }
    return out;
}

collected_rows collected(scheduler& by, std::vector<ticket> const& tickets) {
    std::optional<collected_rows> found = by.collect_rows(tickets, soon);
    EXPECT_TRUE(found);
    return found ? std::move(*found) : collected_rows();
}

/// The run of `lines` in which row `lost` was not graded: its reason stands in it, its neighbours are as they were.
void expect_lost(collected_rows const& found, std::vector<std::string> lines, std::size_t lost, outcome how,
                 std::string const& rule) {
    ASSERT_EQ(found.rows.size(), lines.size());
    EXPECT_EQ(found.outcomes[lost], how);
    EXPECT_NE(
        found.rows[lost].find(R"("error":{"row":)" + std::to_string(lost + 1) + R"(,"field":"ticket","rule":")" + rule),
        std::string::npos)
        << found.rows[lost];
    lines[lost] = "[";
    std::vector<std::string> const expected = by_a_scorer(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_TRUE(i == lost || found.rows[i] == expected[i]) << found.rows[i] << "\n" << expected[i];
    }
}

class scheduler_rows : public ::testing::TestWithParam<std::string_view> {
protected:
    void SetUp() override {
        ASSERT_TRUE(lines_by_kind().contains(GetParam())) << "rows.jsonl has none";
        if (some().size() < 3) {  // a sanitizer's build has no broker: its runtime cannot be in a static program
            std::string const required = std::getenv("OPTGAP_REQUIRE") != nullptr ? std::getenv("OPTGAP_REQUIRE") : "";
            ASSERT_TRUE(sanitized || required.find("sandbox") == std::string::npos) << by_a_scorer(all())[0];
            GTEST_SKIP() << by_a_scorer(all())[0];
        }
    }
    void TearDown() override { the_gate().open(); }

    [[nodiscard]] static std::vector<std::string> const& all() { return lines_by_kind().at(GetParam()); }
    /// A few of them that are scored.
    [[nodiscard]] static std::vector<std::string> const& some() {
        static std::map<std::string_view, std::vector<std::string>> known;
        std::vector<std::string>& out = known[GetParam()];
        for (std::size_t i = 0; out.size() < 3 && i < all().size(); ++i) {
            if (by_a_scorer({all()[i]})[0].find(R"("error":{)") == std::string::npos) {
                out.push_back(all()[i]);
            }
        }
        return out;
    }
};

TEST_P(scheduler_rows, are_those_of_a_scorer) {
    std::vector<std::string> const expected = by_a_scorer(all());
    scheduler by(cpu_engine(), {.row_options = row_rules});
    for (std::uint64_t const shuffle : {0u, 1u}) {
        collected_rows const found = collected(by, submitted(by, all(), shuffle));
        EXPECT_EQ(found.rows, expected);
        EXPECT_EQ(found.outcomes, std::vector(all().size(), outcome::scored));
    }
}

TEST_P(scheduler_rows, end_once_when_cancelled) {
    scheduler by(cpu_engine(), watched_rows());
    the_gate().shut(GetParam());
    std::vector<ticket> const tickets = submitted(by, some());
    the_gate().await_entered();
    EXPECT_TRUE(by.cancel(tickets[1]));
    EXPECT_FALSE(by.cancel(tickets[1]));
    the_gate().open();
    expect_lost(collected(by, tickets), some(), 1, outcome::cancelled, "was cancelled");

    ticket const later = submitted(by, {some()[0]})[0];
    while (!by.has_ended(later)) {
        std::this_thread::sleep_for(1ms);
    }
    EXPECT_FALSE(by.cancel(later));
    EXPECT_EQ(collected(by, {later}).rows, by_a_scorer({some()[0]}));
}

TEST_P(scheduler_rows, end_once_when_cancelled_while_they_are_graded) {
    scheduler by(cpu_engine(), watched_rows());
    the_gate().shut(GetParam());
    std::vector<ticket> const tickets = submitted(by, {some()[0]});
    the_gate().await_entered();
    EXPECT_TRUE(by.cancel(tickets[0]));
    EXPECT_EQ(collected(by, tickets).outcomes, std::vector{outcome::cancelled});
    by.shutdown(scheduler::ending::drain);  // what was cancelled is asked to stop: the gate is still shut
}

TEST_P(scheduler_rows, end_at_their_deadline) {
    scheduler by(cpu_engine(), watched_rows());
    the_gate().shut(GetParam());
    std::vector<ticket> tickets = submitted(by, {some()[0], some()[1]});
    submission late;
    late.deadline = std::chrono::steady_clock::now() + 5ms;
    tickets.push_back(by.submit_row(some()[2], late));
    while (!by.has_ended(tickets[2])) {
        std::this_thread::sleep_for(1ms);
    }
    the_gate().open();
    expect_lost(collected(by, tickets), some(), 2, outcome::expired, "its deadline passed");
}

TEST_P(scheduler_rows, leave_nothing_when_forgotten) {
    scheduler by(cpu_engine(), watched_rows());
    the_gate().shut(GetParam());
    std::vector<ticket> const tickets = submitted(by, some());
    for (ticket const one : tickets) {
        by.forget(one);
    }
    EXPECT_THROW(static_cast<void>(by.collect_rows(tickets, soon)), error);
    EXPECT_NE(by.statistics().find(R"("tickets":{"open":0)"), std::string::npos);
    the_gate().open();
    EXPECT_EQ(collected(by, submitted(by, some())).rows, by_a_scorer(some()));
}

TEST_P(scheduler_rows, are_refused_when_the_queue_is_full) {
    scheduler by(cpu_engine(), watched_rows(2));
    the_gate().shut(GetParam());
    std::vector<ticket> const tickets = submitted(by, {some()[0], some()[1]});
    EXPECT_EQ(by.submit_row(some()[2]), ticket::none);
    EXPECT_TRUE(by.cancel(tickets[0]));
    ticket const next = by.submit_row(some()[2]);
    EXPECT_NE(next, ticket::none);
    the_gate().open();
    EXPECT_EQ(collected(by, {tickets[1], next}).rows, by_a_scorer({some()[1], some()[2]}));
}

TEST_P(scheduler_rows, are_graded_or_cancelled_by_a_shutdown) {
    for (bool const drains : {true, false}) {
        scheduler by(cpu_engine(), watched_rows());
        the_gate().shut(GetParam());
        std::vector<ticket> const tickets = submitted(by, some());
        the_gate().await_entered();
        std::thread opener([] {
            std::this_thread::sleep_for(5ms);
            the_gate().open();
        });
        by.shutdown(drains ? scheduler::ending::drain : scheduler::ending::cancel);
        opener.join();
        EXPECT_THROW(static_cast<void>(by.submit_row(some()[0])), error);
        collected_rows const found = collected(by, tickets);
        outcome const how = drains ? outcome::scored : outcome::cancelled;
        EXPECT_TRUE(std::ranges::all_of(found.outcomes, [&](outcome one) { return one == how; }));
        EXPECT_EQ(found.rows == by_a_scorer(some()), drains);
    }
}

TEST_P(scheduler_rows, fail_alone_when_their_kind_throws) {
    std::vector<std::string> lines = some();
    lines[1] = R"({"throws": true, )" + lines[1].substr(1);
    scheduler by(cpu_engine(), watched_rows());
    std::vector<ticket> const tickets = submitted(by, lines);
    collected_rows const found = collected(by, tickets);
    EXPECT_EQ(found.reasons[1], "the kind threw");
    expect_lost(found, lines, 1, outcome::failed, "the kind threw");
}

TEST_P(scheduler_rows, hold_up_no_other_kind) {
    scheduler by(cpu_engine(), watched_rows());
    the_gate().shut(GetParam());
    ticket const held = by.submit_row(some()[0]);
    the_gate().await_entered();
    for (auto const& [kind, lines] : lines_by_kind()) {
        bool const asks_for_it = GetParam() == "answer" && lines[0].find("judged") != std::string::npos;
        if (kind != GetParam() && !asks_for_it) {
            EXPECT_EQ(collected(by, submitted(by, {lines[0]})).outcomes, std::vector{outcome::scored}) << kind;
        }
    }
    EXPECT_FALSE(by.has_ended(held));
    the_gate().open();
    EXPECT_EQ(collected(by, {held}).rows, by_a_scorer({some()[0]}));
}

INSTANTIATE_TEST_SUITE_P(kinds, scheduler_rows, ::testing::ValuesIn([] {
                             std::vector<std::string_view> names;
                             for (rows::kind_entry const& kind : kind_entries()) {
                                 names.push_back(kind.info->name);
                             }
                             return names;
                         }()),
                         [](auto const& kind) { return std::string(kind.param); });

TEST(mixed_scheduler_rows, are_those_of_a_scorer_however_they_are_cut_and_ordered) {
    std::vector<std::string> lines;
    std::ifstream file("tests/rows/rows.jsonl");
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    for (std::string const& rules :
         {std::string(row_rules),
          std::string(R"({"external": true, "isolation": "auto", "slots": 2, "advantage": "river"})")}) {
        row_scorer alone(cpu_engine(), rules);
        std::vector<std::string> const expected = alone.score(lines);
        scheduler by(cpu_engine(), {.row_options = rules});
        for (std::uint64_t const shuffle : {3u, 4u}) {
            collected_rows const found = collected(by, submitted(by, lines, shuffle));
            EXPECT_EQ(found.rows, expected);
            EXPECT_EQ(found.remarks, alone.remarks());
        }
    }
}

TEST(mixed_scheduler_rows, may_be_several_of_a_ticket) {
    std::string const row = R"({"id": 1, "key": "tsp@1:train:easy:1", "completion": "old"})";
    std::vector<std::string_view> const texts{"<think>x</think><answer>[0]</answer>", "\"no\"\n"};
    scheduler by(cpu_engine());
    submission what;
    what.texts = texts;
    ticket const both = by.submit_row(row, what), broken = by.submit_row("[1", what);
    collected_rows const found = collected(by, {both, broken});
    EXPECT_EQ(found.offsets, (std::vector<std::int64_t>{0, 2, 4}));
    EXPECT_EQ(found.rows,
              row_scorer(cpu_engine())
                  .score(std::vector<std::string>{
                      R"({"id":1,"key":"tsp@1:train:easy:1","completion":"<think>x</think><answer>[0]</answer>"})",
                      R"({"id":1,"key":"tsp@1:train:easy:1","completion":"\"no\"\n"})", "[1", "[1"}));
}

TEST(mixed_scheduler_rows, are_collected_by_their_own_verb) {
    scheduler by(cpu_engine());
    ticket const row = by.submit_row(R"({"key": "tsp@1:train:easy:1", "completion": "x"})");
    EXPECT_THROW(static_cast<void>(by.collect(std::span(&row, 1), soon)), error);
    std::string_view const text = "x";
    submission what;
    what.texts = std::span(&text, 1);
    ticket const answer =
        by.submit({.spec = {cpu_engine().task_index("tsp"), difficulty::easy(), split::train, 1}}, what);
    EXPECT_THROW(static_cast<void>(by.collect_rows(std::span(&answer, 1), soon)), error);
    what.on_done = [](ticket, ticket_result&&) {};
    EXPECT_THROW(static_cast<void>(by.submit_row("{}", what)), error);
    EXPECT_THROW(scheduler(cpu_engine(), {.row_options = R"({"reward": 7})"}), field_error);
}

}  // namespace
}  // namespace optgap::testing
