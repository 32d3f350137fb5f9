// One problem, two completions, their rewards and advantages. Prints
//
//   knapsack@1:train:easy:7#a56f2aaf, a prompt of 1062 bytes, optimum 434 (proven)
//   ok            objective 434  quality 1.000  reward +2.000  advantage +0.707
//   over_capacity objective   0  quality 0.000  reward -0.500  advantage -0.707
//
// A trainer that decodes for longer than this takes issues its problems to optgap::scheduler (docs/scheduler.md), which
// proves their optima meanwhile.

#include <optgap/optgap.hpp>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Stands for the model: what it may have written to this prompt.
std::vector<std::string_view> complete([[maybe_unused]] std::string const& prompt) {
    return {"<think>Items 7 and 8 fill 181 of 181.</think><answer>[7, 8]</answer>",
            "<think>The two most valuable ones.</think><answer>[8, 15]</answer>"};
}

void run() {
    optgap::engine const engine({.where = optgap::device::cpu});
    std::int32_t const task = engine.task_index("knapsack");
    optgap::instance_spec const spec{task, optgap::difficulty::easy(), optgap::split::train, 7};
    optgap::instance_batch const instances = engine.generate({&spec, 1});
    auto const words = instances.blocks.row(0);

    // The key goes into the data set in the instance's place: it rebuilds it anywhere, and proves it by its hash.
    std::string const key = to_string(key_of(engine.tasks()[std::size_t(task)], spec, optgap::hash_words(words)));
    std::string const prompt = engine.prompt(task, words, 0, optgap::format_named("forge"));
    std::vector<std::string_view> const completions = complete(prompt);

    optgap::solved_batch const solved = engine.solve(instances.view());
    std::printf("%s, a prompt of %zu bytes, optimum %lld (%s)\n", key.c_str(), prompt.size(),
                static_cast<long long>(solved.rows[0].objective), solved.rows[0].proven() ? "proven" : "a bound");

    std::vector<std::int32_t> const instance_of(completions.size(), 0);
    optgap::score_batch const scored = engine.score(
        {.instances = instances.view(), .baselines = solved.rows, .texts = completions, .instance_of = instance_of},
        {.advantage = optgap::parse_advantage_spec("grpo")});
    for (std::size_t row = 0; row < completions.size(); ++row) {
        optgap::reward_row const& rewarded = scored.rows[row];
        std::printf("%-13s objective %3lld  quality %.3f  reward %+.3f  advantage %+.3f\n",
                    std::string(engine.code_name(task, rewarded.code)).c_str(),
                    static_cast<long long>(scored.verdicts[row].objective), double(rewarded.quality),
                    double(rewarded.reward), double(scored.advantage[row]));
    }
}

}  // namespace

int main() {
    try {
        run();
    } catch (optgap::error const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
