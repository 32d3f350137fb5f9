// The report of a process that runs a module, and the runs that its own end is charged to.

#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "host/programs/native/wasm.hpp"
#include "host/programs/wire/module_wire.hpp"

namespace optgap::programs {
namespace {

using wire::ending;
using wire::frame;
using wire::module_end;
using wire::module_ending;

constexpr run_limits module_limits{.cpu_ms = 100, .memory_mb = 64, .output_kb = 16};

std::string framed(frame what, std::string_view bytes) {
    wire::frame_head const head{what, std::uint32_t(bytes.size())};
    return std::string(reinterpret_cast<char const*>(&head), sizeof head) + std::string(bytes);
}

std::string ended(module_ending how, std::int32_t where = 0, std::int64_t cpu_ns = 1'000'000) {
    module_end const end{how, where, 7, cpu_ns, 2'000'000};
    return framed(frame::end, {reinterpret_cast<char const*>(&end), sizeof end});
}

std::string const good_run = framed(frame::output, "1\n") + ended(module_ending::exit);

broker_reply reply_of(std::string told, int wait_status = 0, ending how = ending::ended) {
    broker_reply out;
    out.head.ending = how;
    out.head.wait_status = wait_status;
    out.head.cpu_ns = 10'000'000;
    out.head.wall_ns = 12'000'000;
    out.output = std::move(told);
    return out;
}

std::vector<std::string> codes_of(judged_module_runs const& told) {
    std::vector<std::string> out;
    for (run_result const& each : told.ended) {
        out.emplace_back(name_of(each.code));
    }
    if (told.under_way) {
        out.push_back("under way: " + std::string(name_of(told.under_way->result.code)));
    }
    return out;
}

using code_names = std::vector<std::string>;

TEST(module_verdict, each_run_has_its_own_end) {
    std::string const told = good_run + ended(module_ending::exit) + ended(module_ending::exit, 3) +
                             framed(frame::output, "half") + ended(module_ending::steps, -1) +
                             ended(module_ending::output, -1) + ended(module_ending::memory, 9) +
                             framed(frame::errors, "why\n") + ended(module_ending::crash, 1);
    judged_module_runs const all = judge_module_runs(module_limits, 7, reply_of(told));
    EXPECT_EQ(codes_of(all),
              (code_names{"ok", "run_no_output", "run_exit", "run_steps", "run_output", "run_memory", "run_crash"}));
    EXPECT_EQ(all.ended[0].output, "1\n");
    EXPECT_EQ(all.ended[0].steps, 7);
    EXPECT_EQ(all.ended[0].where, -1);
    EXPECT_EQ(all.ended[2].where, 3);
    EXPECT_EQ(all.ended[3].output, "half");
    EXPECT_EQ(all.ended[6].where, SIGSEGV);
    EXPECT_EQ(all.ended[6].error_head, "why\n");
    EXPECT_EQ(all.ended[1].error_head, "");
}

TEST(module_verdict, what_the_process_took_is_the_sum_of_what_its_runs_took) {
    judged_module_runs const all = judge_module_runs(
        module_limits, 2, reply_of(good_run + framed(frame::output, "2") + ended(module_ending::exit, 0, 3'000'000)));
    EXPECT_DOUBLE_EQ(all.ended[0].cpu_ms + all.ended[1].cpu_ms, 10);
    EXPECT_DOUBLE_EQ(all.ended[1].cpu_ms - all.ended[0].cpu_ms, 2);
    EXPECT_DOUBLE_EQ(all.ended[0].wall_ms + all.ended[1].wall_ms, 12);
    judged_module_runs const cut = judge_module_runs(module_limits, 2, reply_of(good_run, SIGKILL));
    EXPECT_DOUBLE_EQ(cut.ended[0].cpu_ms, 1);
    EXPECT_DOUBLE_EQ(cut.under_way->result.cpu_ms, 9);
}

TEST(module_verdict, a_process_that_crashes_does_so_in_the_run_behind_those_that_ended) {
    judged_module_runs told =
        judge_module_runs(module_limits, 3, reply_of(good_run + framed(frame::output, "some"), SIGSEGV));
    EXPECT_EQ(codes_of(told), (code_names{"ok", "under way: run_crash"}));
    EXPECT_EQ(told.under_way->result.where, SIGSEGV);
    EXPECT_EQ(told.under_way->result.output, "some");
    EXPECT_FALSE(told.own_end);
    told = judge_module_runs(module_limits, 3, reply_of(good_run, SIGKILL));
    EXPECT_EQ(codes_of(told), (code_names{"ok", "under way: infrastructure"}));
    EXPECT_TRUE(told.under_way->again);
    told = judge_module_runs(module_limits, 3, reply_of(good_run, SIGKILL, ending::cpu_limit));
    EXPECT_EQ(codes_of(told), (code_names{"ok", "under way: run_time"}));
    EXPECT_FALSE(told.own_end);
    broker_reply lost;
    lost.lost = true;
    lost.trouble = "the broker is gone";
    told = judge_module_runs(module_limits, 3, std::move(lost));
    EXPECT_EQ(codes_of(told), (code_names{"under way: infrastructure"}));
    EXPECT_EQ(told.under_way->result.trouble, "the broker is gone");
}

TEST(module_verdict, a_run_out_of_its_time_says_so_itself) {
    judged_module_runs const told =
        judge_module_runs(module_limits, 3, reply_of(good_run, wire::module_time_status << 8));
    EXPECT_EQ(codes_of(told), (code_names{"ok", "under way: run_time"}));
    EXPECT_TRUE(told.own_end);
    EXPECT_FALSE(told.under_way->again);
}

TEST(module_verdict, the_last_word_of_a_process_that_did_not_end_well_is_not_believed) {
    EXPECT_EQ(codes_of(judge_module_runs(module_limits, 1, reply_of(good_run, SIGABRT))),
              (code_names{"under way: run_crash"}));
    EXPECT_EQ(codes_of(judge_module_runs(module_limits, 2, reply_of(good_run + good_run, SIGKILL))),
              (code_names{"ok", "under way: infrastructure"}));
}

TEST(module_verdict, what_is_not_understood_is_the_machines_fault) {
    for (std::string const& told :
         {std::string(), std::string("abc"), framed(frame::end, "short"), framed(frame::output, "1\n"),
          framed(frame::output, "1\n").substr(0, 9), good_run.substr(0, good_run.size() - 1), ended(module_ending(99)),
          ended(module_ending(-1))}) {
        judged_module_runs const made = judge_module_runs(module_limits, 1, reply_of(told));
        EXPECT_EQ(codes_of(made), (code_names{"under way: infrastructure"})) << told;
        EXPECT_TRUE(made.under_way->again);
    }
    broker_reply said = reply_of("", wire::module_lost_status << 8);
    said.errors = "no such engine\n";
    judged_module_runs const made = judge_module_runs(module_limits, 1, std::move(said));
    EXPECT_EQ(made.under_way->result.trouble, "optgap-wasm: no such engine\n");
    // Reports beyond the requested number belong to no run.
    EXPECT_EQ(codes_of(judge_module_runs(module_limits, 1, reply_of(good_run + good_run))), (code_names{"ok"}));
}

TEST(module_verdict, what_a_process_may_print_is_that_of_its_runs) {
    wire::request asked;
    ask_module_runs(module_limits, 3, asked);
    EXPECT_GE(asked.output_kb, 3 * module_limits.output_kb);
    EXPECT_EQ(max_module_runs({.output_kb = 16'384}), 1u);
    EXPECT_EQ(max_module_runs({.output_kb = 1}), 16u);
    std::string_view const inputs[] = {"3 1 2\n", "", "7"};
    EXPECT_EQ(module_input({.cpu_ms = 1, .memory_mb = 64, .output_kb = 16}, inputs),
              "runs 5000000 64 16 10010 6 0 1\n3 1 2\n7");
}

}  // namespace
}  // namespace optgap::programs
