#pragma once
// Programs for the scheduler's tests, and a runner with a simulated sandbox.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/sandbox_of_words.hpp"
#include "tests/support/scheduler_cases.hpp"

namespace optgap::testing {

using problem_ptr = std::shared_ptr<program_problem const>;

inline problem_ptr problem_from(std::string const& record) {
    return std::make_shared<program_problem const>(read_program_problem(cpu_engine(), record));
}

/// A runner over a simulated sandbox, and a scheduler that shares it.
struct bench_of_words {
    std::shared_ptr<sandbox_of_words> in = std::make_shared<sandbox_of_words>();
    std::shared_ptr<program_runner> runner =
        std::make_shared<program_runner>(cpu_engine(), program_runner_options{.languages = {}});

    bench_of_words() { runner->internals().sandboxes->hold_by(in); }
    [[nodiscard]] scheduler_options options() const {
        scheduler_options out;
        out.runner = runner;
        return out;
    }
};

/// Four completions of each of four problems, one of them a user's own with its own baseline.
struct program_step {
    std::vector<problem_ptr> problems;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<finish> finished;
    std::vector<std::int32_t> length;

    program_step() {
        std::string const keyed[] = {
            R"({"key": "tsp@1:train:easy:4*3", "language": "cpp"})",
            R"({"key": "tsp@1:train:easy:5*3", "language": "cpp"})",  // shares two instances with the first
            R"({"key": "tsp@1:train:easy:40*3", "language": "cpp", "baselines": [null, {"objective": 9999}, null]})",
            R"({"task": "tsp", "language": "cpp", "instances": [{"distances":
                [[0, 3, 4, 9], [3, 0, 5, 1], [4, 5, 0, 2], [9, 1, 2, 0]]}]})"};
        std::string const sources[] = {"identity", "swapped", "broken", "lost",     "swapped",  "identity",
                                       "exits",    "lost",    "lost",   "identity", "identity", "swapped"};
        std::size_t next = 0;
        for (std::string const& record : keyed) {
            problem_ptr const one = problem_from(record);
            for (int k = 0; k < 5; ++k) {
                problems.push_back(one);
                texts.push_back(k == 4 ? "no program" : fenced(sources[next++ % std::size(sources)]));
                finished.push_back(k == 2 ? finish::length : finish::stop);
                length.push_back(std::int32_t(7 * (k + 1)));
            }
        }
        views.assign(texts.begin(), texts.end());
    }
    [[nodiscard]] submission of_row(std::size_t row) const {
        submission what;
        what.texts = std::span(views).subspan(row, 1);
        what.finished = std::span(finished).subspan(row, 1);
        what.length = std::span(length).subspan(row, 1);
        return what;
    }
    [[nodiscard]] program_batch at_once(program_runner& by, advantage_spec const& advantage,
                                        std::span<std::int32_t const> group = {}) const {
        return by.run({.problems = problems,
                       .texts = views,
                       .group = group,
                       .finished = finished,
                       .length = length,
                       .advantage = advantage});
    }
};

/// A submission whose program does not end by itself.
inline submission endless() {
    static std::string const text = fenced("waits");
    static std::string_view const view = text;
    submission what;
    what.texts = {&view, 1};
    return what;
}

}  // namespace optgap::testing
