// The verdict on a program from its child's end, and who is charged for a fault.

#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "host/programs/native/self_tests.hpp"
#include "host/programs/native/verdicts.hpp"
#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

using wire::ending;

constexpr run_limits limits{.cpu_ms = 100, .memory_mb = 64};
constexpr int exited(int status) { return status << 8; }

broker_reply reply_of(ending how, int wait_status, std::string output = "1\n", std::string errors = {}) {
    broker_reply out;
    out.head.ending = how;
    out.head.wait_status = wait_status;
    out.head.cpu_ns = 5'000'000;
    out.head.wall_ns = 6'000'000;
    out.output = std::move(output);
    out.errors = std::move(errors);
    return out;
}

std::string code_of(broker_reply reply) {
    return std::string(name_of(judge_run(limits, std::move(reply)).result.code));
}

TEST(program_verdict, an_end_has_one_name) {
    EXPECT_EQ(code_of(reply_of(ending::ended, exited(0))), "ok");
    EXPECT_EQ(code_of(reply_of(ending::ended, exited(0), "")), "run_no_output");
    EXPECT_EQ(code_of(reply_of(ending::ended, exited(3))), "run_exit");
    EXPECT_EQ(code_of(reply_of(ending::ended, exited(1), "", "MemoryError")), "run_memory");
    EXPECT_EQ(code_of(reply_of(ending::ended, SIGSEGV)), "run_crash");
    EXPECT_EQ(code_of(reply_of(ending::ended, SIGABRT, "1\n", "what(): std::bad_alloc")), "run_memory");
    EXPECT_EQ(code_of(reply_of(ending::ended, SIGSYS)), "run_forbidden");
    EXPECT_EQ(code_of(reply_of(ending::ended, SIGXCPU)), "run_time");
    EXPECT_EQ(code_of(reply_of(ending::cpu_limit, SIGKILL)), "run_time");
    EXPECT_EQ(code_of(reply_of(ending::wall_limit, SIGKILL)), "run_time");
    EXPECT_EQ(code_of(reply_of(ending::output_limit, SIGKILL)), "run_output");
    EXPECT_EQ(code_of(reply_of(ending::ended, SIGKILL)), "infrastructure");
    EXPECT_EQ(code_of(reply_of(ending::starved, SIGKILL)), "infrastructure");
    EXPECT_EQ(code_of(reply_of(ending::setup_failed, 0)), "infrastructure");
}

TEST(program_verdict, a_recursion_that_fills_the_memory_is_a_crash) {
    broker_reply full = reply_of(ending::ended, SIGSEGV);
    full.head.peak_kb = limits.memory_mb << 10;
    EXPECT_EQ(code_of(std::move(full)), "run_crash");
    broker_reply aborted = reply_of(ending::ended, SIGABRT);
    aborted.head.peak_kb = limits.memory_mb << 10;
    EXPECT_EQ(code_of(std::move(aborted)), "run_memory");
}

TEST(program_verdict, an_answer_after_the_limit_comes_too_late) {
    broker_reply late = reply_of(ending::ended, exited(0));
    late.head.cpu_ns = limits.cpu_ms * 1'000'000;
    EXPECT_EQ(code_of(std::move(late)), "run_time");
}

TEST(program_verdict, signals_and_statuses_are_told) {
    EXPECT_EQ(judge_run(limits, reply_of(ending::ended, SIGFPE)).result.where, SIGFPE);
    EXPECT_EQ(judge_run(limits, reply_of(ending::ended, exited(42))).result.where, 42);
    EXPECT_EQ(judge_run(limits, reply_of(ending::ended, exited(0))).result.where, -1);
}

TEST(program_verdict, only_faults_of_the_machine_are_tried_again) {
    EXPECT_FALSE(judge_run(limits, reply_of(ending::ended, SIGSEGV)).again);
    EXPECT_TRUE(judge_run(limits, reply_of(ending::ended, SIGTERM)).again);
    EXPECT_TRUE(judge_run(limits, reply_of(ending::starved, SIGKILL)).starved);
    broker_reply stopped = reply_of(ending::cpu_limit, SIGKILL);
    stopped.head.cpu_ns = 101'000'000;
    stopped.head.wall_ns = 150'000'000;
    stopped.head.wait_ns = 40'000'000;
    EXPECT_FALSE(judge_run(limits, std::move(stopped)).again);
    stopped = reply_of(ending::cpu_limit, SIGKILL);
    stopped.head.cpu_ns = 101'000'000;
    stopped.head.wall_ns = 500'000'000;
    stopped.head.wait_ns = 390'000'000;
    EXPECT_TRUE(judge_run(limits, std::move(stopped)).again);
}

TEST(program_verdict, a_lost_broker_is_named) {
    broker_reply lost;
    lost.lost = true;
    lost.trouble = "the broker is gone";
    EXPECT_EQ(judge_run(limits, std::move(lost)).result.trouble, "the broker is gone");
}

TEST(program_verdict, compilers_stopped_by_a_limit_refuse_no_source) {
    auto const code = [](int status, std::string log) {
        return std::string(name_of(judge_compilation(reply_of(ending::ended, status, "", std::move(log))).result.code));
    };
    EXPECT_EQ(code(exited(1), "<stdin>:3:5: error: 'y' was not declared"), "compile_error");
    EXPECT_EQ(code(exited(1), "g++: fatal error: Killed signal terminated program cc1plus"), "compile_limit");
    EXPECT_EQ(code(exited(1), "cc1plus: out of memory allocating 65536 bytes"), "compile_limit");
    EXPECT_EQ(code(SIGXCPU, ""), "compile_limit");
    EXPECT_EQ(code(SIGKILL, ""), "infrastructure");
}

TEST(program_verdict, the_first_error_is_told_by_its_line) {
    EXPECT_EQ(first_complaint("<stdin>: In function 'int main()':\n<stdin>:12:5: error: 'y' was not declared\nmore"),
              "line 12: 'y' was not declared");
    EXPECT_EQ(first_complaint("cc1plus: fatal error: /etc/passwd: Permission denied\ncompilation terminated.\n"),
              "cc1plus: fatal error: /etc/passwd: Permission denied");
    EXPECT_EQ(first_complaint(""), "");
}

TEST(program_verdict, a_self_test_with_one_way_out_is_not_believed) {
    std::string good = "read input\n";
    for (int k = 0; k < 11; ++k) {
        good += "refused a way\n";
    }
    EXPECT_TRUE(all_refused(good));
    EXPECT_FALSE(all_refused(good + "refused a way\n"));
    std::string bad = good;
    bad.replace(bad.rfind("refused"), 7, "ALLOWED");
    EXPECT_FALSE(all_refused(bad));
    EXPECT_FALSE(all_refused("LOST input\n" + good.substr(11)));
    EXPECT_FALSE(all_refused(""));
}

TEST(program_verdict, limits_out_of_range_are_named) {
    for (run_limits const& wrong : {run_limits{.cpu_ms = 0}, run_limits{.cpu_ms = 600'001}, run_limits{.steps = -1},
                                    run_limits{.memory_mb = 15}, run_limits{.output_kb = 16'385}}) {
        EXPECT_THROW(check_limits(wrong), error);
    }
    EXPECT_NO_THROW(check_limits(run_limits{}));
    EXPECT_THROW(static_cast<void>(language_named("rust")), error);
    EXPECT_EQ(language_named("cpp"), program_language::cpp);
}

}  // namespace
}  // namespace optgap::programs
