// What a scheduler keeps of rows of every kind: the bytes of a scorer that gets the same rows as one run, however they
// are submitted, and the same ends, whatever becomes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "host/rows/score_options.hpp"
#include "host/rows/scorer_pool.hpp"
#include "optgap/rows/scorer.hpp"
#include "optgap/scheduler.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {
namespace {

using rows::kind_entries;
using rows::kind_entry;
using rows::row_kind;

constexpr char const* row_rules = R"({"external": true, "isolation": "auto", "slots": 2})";

/// Holds up whoever grades rows of a kind while it is shut for it.
class gate {
public:
    void shut(std::string_view kind) {
        std::lock_guard const locked(lock_);
        shut_for_ = kind;
        entered_ = 0;
    }
    void open() {
        shut({});
        moved_.notify_all();
    }
    void pass(std::string_view kind, std::stop_token const& stop) {
        std::unique_lock locked(lock_);
        entered_ += kind == shut_for_ ? 1 : 0;
        moved_.notify_all();
        moved_.wait(locked, stop, [&] { return kind != shut_for_; });
    }
    void await_entered() {
        std::unique_lock locked(lock_);
        ASSERT_TRUE(moved_.wait_for(locked, soon, [&] { return entered_ > 0; }));
    }

private:
    std::mutex lock_;
    std::condition_variable_any moved_;
    std::string_view shut_for_;
    int entered_ = 0;
};

gate& the_gate() {
    static gate only;
    return only;
}

/// A kind of this build behind the gate. Rows with a field `throws` throw.
class watched_kind final : public row_kind {
public:
    explicit watched_kind(std::unique_ptr<row_kind> of) : of_(std::move(of)) {}

    rows::kind_info const& info() const override { return of_->info(); }
    rows::claim claims(json_row const& row) const override { return of_->claims(row); }
    bool alone() const override { return of_->alone(); }
    void read(rows::row_batch& batch) override { of_->read(batch); }
    std::vector<asked_row> asks(rows::row_batch& batch) override { return of_->asks(batch); }
    void answered(rows::row_batch& batch, std::span<asked_row> asked,
                  std::span<rows::graded_row const> graded) override {
        of_->answered(batch, asked, graded);
    }
    void wants(rows::row_batch& batch, rows::wanted_baselines& out) override { of_->wants(batch, out); }
    void grade(rows::row_batch& batch, std::span<sourced_baseline const> known,
               std::span<rows::graded_row> out) override {
        for (std::size_t const i : batch.mine) {
            if (batch.items[i].row.find("throws") != nullptr) {
                throw std::runtime_error("the kind threw");
            }
        }
        the_gate().pass(info().name, batch.stop);
        of_->grade(batch, known, out);
    }
    std::shared_ptr<void> take(rows::graded_row const& row) override { return of_->take(row); }
    void put(rows::graded_row& row, std::shared_ptr<void> const& kept) override { of_->put(row, kept); }
    void settle(std::span<rows::graded_row* const> rows) override { of_->settle(rows); }
    std::span<double const> scores(rows::graded_row const& row) const override { return of_->scores(row); }
    std::vector<std::string_view> added() const override { return of_->added(); }
    bool has_baselines() const override { return of_->has_baselines(); }
    void write(row_sink& out, rows::graded_row const& row) const override { of_->write(out, row); }
    void tell(rows::run_report& out) const override { of_->tell(out); }
    void forget() override { of_->forget(); }

private:
    std::unique_ptr<row_kind> of_;
};

template <std::size_t K>
std::unique_ptr<row_kind> watched(rows::run_services& run) {
    return std::make_unique<watched_kind>(kind_entries()[K].make(run));
}

std::span<kind_entry const> watched_kinds() {
    static std::vector<kind_entry> const all = []<std::size_t... K>(std::index_sequence<K...>) {
        std::vector<kind_entry> made{kind_entry{nullptr, watched<K>}...};
        made.resize(kind_entries().size());
        for (std::size_t k = 0; k < made.size(); ++k) {
            made[k].info = kind_entries()[k].info;
        }
        return made;
    }
    (std::make_index_sequence<16>());
    return all;
}

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
                             for (kind_entry const& kind : kind_entries()) {
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
