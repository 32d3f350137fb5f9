// Equal runs of several calls: one runs, the others wait or copy, and none is harmed by another's end.

#include "host/programs/sharing_sandbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "optgap/status.hpp"
#include "tests/support/sandbox_of_words.hpp"

namespace optgap::testing {
namespace {

using namespace programs;

run_request run_of(sandbox& in, std::string_view word, std::string_view input = "4", std::stop_token stop = {}) {
    return {.program = in.compile({.language = program_language::cpp, .source = word, .limits = {}}).program,
            .input = input,
            .limits = {},
            .stop = std::move(stop)};
}

struct shared_words {
    std::shared_ptr<sandbox_of_words> words = std::make_shared<sandbox_of_words>();
    sharing_sandbox in{words, dedupe_rule::always};
};

TEST(sharing_sandbox, runs_once_what_many_calls_ask_for_at_once_or_later) {
    shared_words here;
    std::vector<run_result> found(8);
    std::vector<std::thread> calls;
    for (run_result& mine : found) {
        calls.emplace_back([&] { mine = here.in.run(run_of(here.in, "waits")); });
    }
    here.words->until_waiting(1);
    here.words->go_on();
    for (std::thread& one : calls) {
        one.join();
    }
    found.push_back(here.in.run(run_of(here.in, "waits")));
    EXPECT_EQ(here.words->ran, 1);
    double spent = 0;
    for (run_result const& one : found) {
        EXPECT_EQ(one.code, run_code::ok);
        EXPECT_EQ(one.output, "0 1 2 3 ");
        spent += one.cpu_ms;
    }
    EXPECT_EQ(std::ranges::count(found, 0, &run_result::tries), 8);
    EXPECT_EQ(spent, 5);
}

TEST(sharing_sandbox, tells_sources_inputs_and_limits_apart_and_shares_within_a_call) {
    shared_words here;
    std::vector<run_request> asked{run_of(here.in, "identity"), run_of(here.in, "swapped"),
                                   run_of(here.in, "identity", "5"), run_of(here.in, "identity"),
                                   run_of(here.in, "identity")};
    asked[4].limits.cpu_ms = 700;
    std::vector<run_result> const found = here.in.run_all(asked);
    EXPECT_EQ(here.words->ran, 4);
    EXPECT_EQ(found[1].output, "1 0 2 3 ");
    EXPECT_EQ(found[2].output, "0 1 2 3 4 ");
    EXPECT_EQ(found[3].tries, 0);
    EXPECT_EQ(found[3].output, found[0].output);
    EXPECT_EQ(found[4].tries, 1);
}

TEST(sharing_sandbox, lets_who_waits_run_it_where_the_first_is_stopped_and_ends_who_is_stopped_while_it_waits) {
    shared_words here;
    std::stop_source first, third;
    run_result ended, other, left;
    std::thread one([&] { ended = here.in.run(run_of(here.in, "waits", "4", first.get_token())); });
    here.words->until_waiting(1);
    std::thread two([&] { other = here.in.run(run_of(here.in, "waits")); });
    std::thread three([&] { left = here.in.run(run_of(here.in, "waits", "4", third.get_token())); });
    third.request_stop();
    three.join();
    EXPECT_EQ(left.code, run_code::infrastructure);
    EXPECT_FALSE(left.trouble.empty());
    first.request_stop();
    one.join();
    EXPECT_EQ(ended.code, run_code::infrastructure);
    here.words->until_waiting(1);
    here.words->go_on();
    two.join();
    EXPECT_EQ(other.code, run_code::ok);
    EXPECT_EQ(other.tries, 1);
}

TEST(sharing_sandbox, keeps_nothing_of_lost_runs_and_no_more_than_it_may) {
    shared_words here;
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(here.in.run(run_of(here.in, "lost")).code, run_code::infrastructure);
    }
    EXPECT_EQ(here.words->ran, 2);
    sharing_sandbox small(here.words, dedupe_rule::always, 1);
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(small.run(run_of(small, "identity")).tries, 1);
    }
    EXPECT_EQ(here.words->ran, 4);
}

TEST(sharing_sandbox,
     shares_nothing_at_an_isolation_level_that_is_not_deterministic_unless_told_and_takes_its_own_programs_alone) {
    auto const words = std::make_shared<sandbox_of_words>();
    sharing_sandbox in(words, dedupe_rule::deterministic);
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(in.run(run_of(in, "identity")).tries, 1);
    }
    EXPECT_EQ(words->ran, 2);
    struct foreign final : ready_program {
        foreign() : ready_program(program_language::cpp) {}
    };
    EXPECT_THROW(static_cast<void>(in.run({.program = std::make_shared<foreign const>(), .input = "", .limits = {}})),
                 error);
}

}  // namespace
}  // namespace optgap::testing
