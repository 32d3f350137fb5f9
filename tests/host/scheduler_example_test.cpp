// The example of docs/scheduler.md, compiled and run. The page contains this block between `// begin` and `// end`.

#include "tests/support/source_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

// begin
#include <optgap/optgap.hpp>
#include <optgap/scheduler.hpp>

#include <iostream>

/// One training step: prompts out, completions in, rewards and advantages back.
float train_step(optgap::scheduler& by, optgap::engine const& engine, std::uint64_t first_seed) {
    using namespace std::chrono_literals;
    std::vector<optgap::instance_spec> specs;
    for (std::uint64_t k = 0; k < 8; ++k) {
        std::int32_t const task = engine.task_index(k % 2 == 0 ? "tsp" : "knapsack");
        specs.push_back({task, optgap::difficulty::easy(), optgap::split::train, first_seed + k});
    }
    // Prompts come at once; the baselines are being proven while the model decodes.
    optgap::issued_batch const issued = by.issue(specs);

    for (std::size_t i = 0; i < issued.tickets.size(); ++i) {
        // Stands for a model that is asked issued.prompts[i].
        std::vector<std::string_view> const completions{"<think>hm</think><answer>[0, 1, 2]</answer>",
                                                        "<think>never closed"};
        optgap::submission what;
        what.texts = completions;
        what.deadline = std::chrono::steady_clock::now() + 30s;
        if (!by.submit(issued.tickets[i], what)) {
            throw std::runtime_error("the queue is full");
        }
    }

    auto const step = by.collect(issued.tickets, 60s, {.advantage = optgap::parse_advantage_spec("grpo")});
    if (!step) {
        throw std::runtime_error("no rewards after a minute");
    }
    float sum = 0;
    for (std::size_t t = 0; t < issued.tickets.size(); ++t) {
        if (step->outcomes[t] != optgap::outcome::scored) {
            std::cerr << issued.keys[t] << ": " << optgap::outcome_name(step->outcomes[t]) << " " << step->reasons[t]
                      << "\n";
            continue;
        }
        for (std::int64_t r = step->offsets[t]; r < step->offsets[t + 1]; ++r) {
            sum += step->scores.rows[std::size_t(r)].reward;
        }
    }
    return sum;
}

/// One sample, as an event loop asks for it: the callback runs when the reward is there.
void one_sample(optgap::scheduler& by, optgap::instance_key const& key, optgap::engine const& engine,
                std::string_view completion, std::function<void(float)> then) {
    optgap::submission what;
    what.texts = std::span(&completion, 1);
    what.on_done = [then](optgap::ticket, optgap::ticket_result&& found) { then(found.rows()[0].reward); };
    if (by.submit({.spec = engine.spec_of(key)}, what) == optgap::ticket::none) {
        throw std::runtime_error("the queue is full");
    }
}
// end

namespace optgap::testing {
namespace {

std::string between_marks(std::string const& path) {
    std::ifstream file(source_folder() / path);
    std::stringstream all;
    all << file.rdbuf();
    std::string const text = all.str();
    std::size_t const begin = text.find("// begin\n");
    std::size_t const end = text.find("// end\n", begin);
    return begin == std::string::npos || end == std::string::npos ? "" : text.substr(begin, end - begin);
}

TEST(scheduler_example, runs_as_the_page_says) {
    engine const engine({.where = device::cpu, .threads = 2});
    scheduler by(engine, {.queue_rows = 10'000});
    // Rewards of a broken format are -2.5, of a wrong answer -0.5.
    EXPECT_LT(train_step(by, engine, 1), 0);
    std::promise<float> reward;
    instance_key key;
    key.task = engine.tasks()[0].name;
    key.level = difficulty::easy();
    key.seed = 1;
    one_sample(by, key, engine, "no answer", [&](float found) { reward.set_value(found); });
    EXPECT_EQ(reward.get_future().get(), -2.5f);
}

TEST(scheduler_example, is_the_pages) {
    std::string const here = between_marks("tests/host/scheduler_example_test.cpp");
    EXPECT_GT(here.size(), 1000u);
    EXPECT_EQ(here, between_marks("docs/scheduler.md"));
}

}  // namespace
}  // namespace optgap::testing
