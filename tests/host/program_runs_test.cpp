// Programs run on hidden instances, over a simulated sandbox: what is compiled, run, copied, left out, masked and
// rewarded.

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "host/program_runs/program_rewards.hpp"
#include "host/programs/run_batch.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::programs {
namespace {

engine const& one_engine() {
    static engine const one({.where = device::cpu, .threads = 1, .server = "off"});
    return one;
}

/// "Programs" are words: the output of a run, or how it ends. The first word of the input's line is not read.
class pretended_sandbox : public sandbox {
public:
    bool is_deterministic = false;
    std::vector<std::string> compiled;
    std::vector<std::pair<std::string, std::string>> ran;  ///< source, input
    /// How a run of a source ends. By default it prints the identity tour.
    std::function<run_result(std::string const& source, std::string_view input, std::size_t nth)> ending;

    std::vector<compile_result> compile_all(std::span<compile_request const> requests) override {
        std::vector<compile_result> out;
        for (compile_request const& one : requests) {
            compiled.emplace_back(one.source);
            compile_result made;
            made.code = one.source == "broken" ? run_code::compile_error : run_code::ok;
            made.first_line = made.code == run_code::ok ? "" : "line 1: no";
            auto const source = std::make_shared<std::string>(one.source);
            made.program = program_handle(source, reinterpret_cast<ready_program const*>(source.get()));
            out.push_back(std::move(made));
        }
        return out;
    }
    std::vector<run_result> run_all(std::span<run_request const> requests) override {
        std::vector<run_result> out;
        for (run_request const& one : requests) {
            auto const& source = *reinterpret_cast<std::string const*>(one.program.get());
            std::size_t const nth = times_[source]++;
            ran.emplace_back(source, one.input);
            out.push_back(ending(source, one.input, nth));
        }
        return out;
    }
    std::string isolation(program_language) const override { return "pretended"; }
    bool deterministic(program_language) const override { return is_deterministic; }
    std::int32_t slots() const override { return 1; }
    std::int32_t slots_busy() const override { return 0; }

private:
    std::map<std::string, std::size_t> times_;
};

run_result printed(std::string const& output) {
    run_result out;
    out.code = output.empty() ? run_code::run_no_output : run_code::ok;
    out.output = output;
    return out;
}
run_result ended(run_code code, std::int32_t where = -1) {
    run_result out;
    out.code = code;
    out.where = where;
    return out;
}

std::string tour(std::string_view input, bool backwards) {
    int n = 0;
    std::from_chars(input.data(), input.data() + input.size(), n);
    std::string out;
    for (int i = 0; i < n; ++i) {
        out += std::to_string(backwards ? n - 1 - i : i) + " ";
    }
    return out;
}

std::string fenced(std::string const& source) { return "```cpp\n" + source + "\n```"; }

struct posed {
    instance_batch instances;
    std::vector<problem_rows> problems;
    std::vector<std::string> texts;
    std::vector<program_row> rows;

    explicit posed(std::int32_t count) {
        std::vector<instance_spec> specs;
        for (std::int32_t k = 0; k < count; ++k) {
            specs.push_back({one_engine().task_index("tsp"), difficulty::easy(), split::train, std::uint64_t(k)});
        }
        instances = one_engine().generate(specs);
        problems.push_back({0, count});
        texts.reserve(64);
    }
    void add(std::string const& source, bool as_text = false) {
        texts.push_back(as_text ? source : fenced(source));
        program_row row;
        row.completion = texts.back();
        row.format = program_formats().data();
        row.language = program_language::cpp;
        row.input = input_form::plain;
        rows.push_back(row);
    }
    program_matrix run(sandbox& in, batch_options const& options = {}) {
        return run_programs(one_engine(), in, instances.view(), problems, rows, options);
    }
};

std::vector<std::int32_t> codes(program_matrix const& made, std::int64_t row) {
    std::vector<std::int32_t> out;
    for (run_cell const& cell : made.of_row(row)) {
        out.push_back(cell.found.code);
    }
    return out;
}

TEST(program_runs, every_row_has_a_verdict_for_each_of_its_instances) {
    posed given(3);
    for (char const* source : {"forward", "broken", "crash", "exit", "loop", "silent", "short", "wordy"}) {
        given.add(source);
    }
    given.add("I have no program.", true);
    pretended_sandbox in;
    in.ending = [](std::string const& source, std::string_view input, std::size_t) {
        return source == "crash"    ? ended(run_code::run_crash, 11)
               : source == "exit"   ? ended(run_code::run_exit, 3)
               : source == "loop"   ? ended(run_code::run_time)
               : source == "silent" ? printed("\n")
               : source == "short"  ? printed("0 1")
               : source == "wordy"  ? printed(tour(input, false) + "done")
                                    : printed(tour(input, false));
    };
    program_matrix const made = given.run(in);
    using all = std::vector<std::int32_t>;
    EXPECT_EQ(codes(made, 0), all(3, code_ok));
    EXPECT_EQ(codes(made, 1), all(3, code_compile_error));
    EXPECT_EQ(made.rows[1].compile_line, "line 1: no");
    EXPECT_EQ(codes(made, 2), all(3, code_run_crash));
    EXPECT_EQ(made.of_row(2)[0].found.where, 11);
    EXPECT_EQ(codes(made, 3), all(3, code_run_exit));
    EXPECT_EQ(codes(made, 4), all(3, code_run_time));
    EXPECT_EQ(codes(made, 5), all(3, code_run_no_output));
    EXPECT_EQ(codes(made, 6), all(3, code_wrong_length));
    EXPECT_EQ(codes(made, 7), all(3, code_unparsable));
    EXPECT_EQ(codes(made, 8), all(3, code_program_missing));
    EXPECT_EQ(made.counts.programs, 8);
    EXPECT_EQ(made.counts.runs, 7 * 3);
    EXPECT_EQ(made.timings.size(), 7u * 3u);
    for (program_fate const& fate : made.rows) {
        EXPECT_FALSE(fate.masked);
    }
    // The identity tour is the floor policy's answer.
    solved_batch const solved = one_engine().solve(given.instances.view());
    for (std::int64_t k = 0; k < 3; ++k) {
        EXPECT_EQ(made.of_row(0)[std::size_t(k)].found.objective, solved.rows[std::size_t(k)].floor);
    }
}

TEST(program_runs, a_row_alone_is_the_row_in_a_batch_in_any_order) {
    posed together(4);
    std::vector<std::string> const sources{"forward", "backward", "exit", "forward", "broken", "short"};
    for (std::string const& source : sources) {
        together.add(source);
    }
    auto const ending = [](std::string const& source, std::string_view input, std::size_t) {
        return source == "exit"    ? ended(run_code::run_exit, 1)
               : source == "short" ? printed("1")
                                   : printed(tour(input, source == "backward"));
    };
    pretended_sandbox in;
    in.ending = ending;
    program_matrix const made = together.run(in);
    for (std::size_t r = 0; r < sources.size(); ++r) {
        posed alone(4);
        alone.add(sources[r]);
        pretended_sandbox other;
        other.ending = ending;
        program_matrix const one = alone.run(other);
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(one.of_row(0)[k].found, made.of_row(std::int64_t(r))[k].found);
        }
    }
}

TEST(program_runs, equal_sources_are_compiled_once_and_run_once_where_that_is_the_same) {
    for (bool const shared : {false, true}) {
        posed given(2);
        for (char const* source : {"forward", "backward", "forward", "forward  \n\n"}) {
            given.add(source);
        }
        pretended_sandbox in;
        in.is_deterministic = shared;
        in.ending = [](std::string const& source, std::string_view input, std::size_t) {
            return printed(tour(input, source == "backward"));
        };
        program_matrix const made = given.run(in);
        EXPECT_EQ(in.compiled.size(), 2u);
        EXPECT_EQ(made.counts.runs, shared ? 4 : 8);
        EXPECT_EQ(made.counts.copied, shared ? 4 : 0);
        EXPECT_EQ(codes(made, 3), (std::vector<std::int32_t>{code_ok, code_ok}));
        EXPECT_EQ(made.rows[0].hash, made.rows[3].hash);
        EXPECT_NE(made.rows[0].hash, made.rows[1].hash);
    }
    posed given(2);
    given.add("forward");
    given.add("forward");
    given.rows[1].limits.run.cpu_ms = 7;  // another limit is another run
    pretended_sandbox in;
    in.ending = [](std::string const&, std::string_view input, std::size_t) { return printed(tour(input, false)); };
    EXPECT_EQ(given.run(in, {.dedupe = dedupe_rule::always}).counts.runs, 4);
}

TEST(program_runs, fail_fast_leaves_out_programs_without_a_valid_answer_on_the_first_three) {
    posed given(5);
    for (char const* source : {"never", "late", "third", "lost"}) {
        given.add(source);
    }
    pretended_sandbox in;
    in.ending = [](std::string const& source, std::string_view input, std::size_t nth) {
        bool const good = (source == "late" && nth >= 3) || (source == "third" && nth == 2);
        return source == "lost" && nth == 0 ? ended(run_code::infrastructure)
               : good                       ? printed(tour(input, false))
                                            : ended(run_code::run_exit, 1);
    };
    program_matrix const made = given.run(in, {.fail_fast = true});
    using all = std::vector<std::int32_t>;
    EXPECT_EQ(codes(made, 0), (all{code_run_exit, code_run_exit, code_run_exit, code_not_run, code_not_run}));
    EXPECT_EQ(codes(made, 1), (all{code_run_exit, code_run_exit, code_run_exit, code_not_run, code_not_run}));
    EXPECT_EQ(codes(made, 2), (all{code_run_exit, code_run_exit, code_ok, code_run_exit, code_run_exit}));
    EXPECT_EQ(codes(made, 3)[4], code_run_exit);  // a cell that the machine lost counts for nothing
    EXPECT_EQ(made.counts.left_out, 4);
    posed again(5);
    again.add("never");
    pretended_sandbox patient;
    patient.ending = in.ending;
    EXPECT_EQ(again.run(patient).counts.left_out, 0);
}

TEST(program_runs, what_the_machine_lost_masks_the_row_alone) {
    posed given(3);
    for (char const* source : {"forward", "lost", "backward", "short"}) {
        given.add(source);
    }
    pretended_sandbox in;
    in.ending = [](std::string const& source, std::string_view input, std::size_t nth) {
        return source == "lost" && nth == 1 ? ended(run_code::infrastructure)
               : source == "short"          ? printed("0")
                                            : printed(tour(input, source == "backward"));
    };
    program_matrix const made = given.run(in);
    EXPECT_EQ(made.counts.masked, 1);
    std::vector<baseline> const known = one_engine().solve(given.instances.view()).rows;
    std::vector<program_runs::program_reward> const rewarded = program_runs::reward_programs(
        one_engine(), made, {given.instances.view(), known, given.problems, given.rows, {}}, {});
    EXPECT_TRUE(std::isnan(rewarded[1].value.reward));
    EXPECT_EQ(rewarded[1].value.code, code_infrastructure);
    EXPECT_DOUBLE_EQ(rewarded[0].valid, 1.0);
    EXPECT_DOUBLE_EQ(rewarded[3].valid, 0.0);
    EXPECT_FLOAT_EQ(rewarded[3].value.reward, 1.0f - 1.5f);  // well formed, no valid answer
    EXPECT_EQ(rewarded[3].value.code, code_wrong_length);
    // The reward is the mean of the answers' own rewards: 1 + the mean quality, on the reward's grid.
    EXPECT_NEAR(rewarded[0].value.reward, 1.0f + rewarded[0].value.quality, 1.0 / 4096);
    EXPECT_TRUE(rewarded[0].proven);

    std::vector<float> rewards;
    std::vector<double> scores;
    for (std::size_t r = 0; r < rewarded.size(); ++r) {
        rewards.push_back(rewarded[r].value.reward);
        std::vector<double> const own = program_runs::scores_of(made.of_row(std::int64_t(r)), rewarded[r].codes);
        scores.insert(scores.end(), own.begin(), own.end());
    }
    EXPECT_TRUE(std::isnan(scores[3 * 3]));
    std::vector<std::int32_t> const group(4, 0);
    std::vector<sense> const direction(4, sense::minimise);
    advantage_inputs const ranked{
        .rewards = rewards, .group = group, .scores = scores, .columns_of_scores = 3, .direction = direction};
    EXPECT_EQ(one_engine().advantages(ranked, parse_advantage_spec("river")), std::vector<float>(4, 0.0f));
    EXPECT_EQ(count_small_groups(rewards, group), 1);
    std::vector<float> const uniform =
        one_engine().advantages(ranked, parse_advantage_spec(R"({"estimator": "river", "of_small": "rank_uniform"})"));
    EXPECT_EQ(uniform[1], 0.0f);
    EXPECT_EQ(uniform[3], -1.0f);  // invalid everywhere
    EXPECT_THROW(
        one_engine().advantages(ranked, parse_advantage_spec(R"({"estimator": "river", "of_small": "refuse"})")),
        error);
}

TEST(program_runs, a_group_that_is_small_by_configuration_is_refused_whatever_of_small_says) {
    std::vector<float> const rewards{1, 2, 3};
    std::vector<std::int32_t> const group(3, 0);
    for (char const* rule : {"zero", "rank_uniform", "refuse"}) {
        std::string const spec = std::string(R"({"estimator": "river", "of_small": ")") + rule + "\"}";
        EXPECT_THROW(one_engine().advantages(rewards, group, parse_advantage_spec(spec)), error) << rule;
        EXPECT_EQ(to_json(parse_advantage_spec(to_json(parse_advantage_spec(spec)))),
                  to_json(parse_advantage_spec(spec)));
    }
    EXPECT_THROW(parse_advantage_spec(R"({"estimator": "grpo", "of_small": "zero"})"), error);
    EXPECT_EQ(count_small_groups(rewards, group), 0);
}

TEST(program_runs, repeats_tell_how_many_verdicts_and_ranks_are_noise) {
    posed given(2);
    for (char const* source : {"forward", "wavering"}) {
        given.add(source);
    }
    pretended_sandbox in;
    in.ending = [](std::string const& source, std::string_view input, std::size_t nth) {
        return source == "wavering" && nth >= 2 ? ended(run_code::run_time) : printed(tour(input, false));
    };
    program_matrix const made = given.run(in, {.repeats = 2});
    EXPECT_EQ(codes(made, 1), (std::vector<std::int32_t>{code_ok, code_ok}));  // the first run counts
    EXPECT_EQ(made.counts.changed, 2);
    EXPECT_EQ(made.counts.runs, 8);
    std::vector<std::int32_t> const group(2, 0);
    // Of two that tied, one fails, and the other's rank improves.
    EXPECT_DOUBLE_EQ(program_runs::rank_changes(one_engine(), made,
                                                {given.instances.view(), {}, given.problems, given.rows, {}}, group),
                     1.0);
}

TEST(program_runs, misuse_is_named) {
    posed given(2);
    given.add("forward");
    pretended_sandbox in;
    given.rows[0].problem = 1;
    EXPECT_THROW(given.run(in), error);
    given.rows[0].problem = 0;
    given.rows[0].format = formats().data();
    EXPECT_THROW(given.run(in), error);
    given.rows[0].format = program_formats().data();
    given.rows[0].limits.run.cpu_ms = 0;
    EXPECT_THROW(given.run(in), error);
    given.rows[0].limits.run.cpu_ms = 1;
    given.problems[0].count = 3;
    EXPECT_THROW(given.run(in), error);
}

TEST(program_codes, lie_between_the_others) {
    EXPECT_LE(program_code_end, first_task_code);
    EXPECT_EQ(program_code_name(code_program_missing), "program_missing");
    EXPECT_EQ(program_code_name(code_infrastructure), "infrastructure");
    EXPECT_EQ(program_code_name(code_ok), "");
    EXPECT_EQ(code_of(run_code::run_forbidden), code_run_forbidden);
}

}  // namespace
}  // namespace optgap::programs
