#include "tests/support/engine_verbs.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

std::vector<instance_spec> specs() {
    std::vector<instance_spec> all;
    for (std::size_t task = 0; task < cpu_engine().tasks().size(); ++task) {
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            all.push_back(
                {.task = std::int32_t(task), .level = difficulty::easy(), .part = split::train, .seed = seed});
        }
    }
    return all;
}

/// The batch and its greedy answers, made once by the CPU.
struct batch {
    instance_batch instances = cpu_engine().generate(specs());
    csr_words answers = cpu_engine().greedy(instances.view());
    std::vector<baseline> baselines = cpu_engine().solve(instances.view(), 0).rows;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<std::int32_t> instance_of;

    batch() {
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            texts.push_back("<think>greedy</think><answer>" + answer_text(answers.row(r)) + "</answer>");
            texts.push_back("<answer>[0, 1]</answer>");
            instance_of.insert(instance_of.end(), 2, std::int32_t(r));
        }
        views.assign(texts.begin(), texts.end());
        for (baseline& row : baselines) {
            row.floor = no_objective;  // so that `score` computes the anchor
        }
    }
    static batch const& get() {
        static batch const the_batch;
        return the_batch;
    }
};

// Assigned member by member: g++ 12 destroys a member twice when a later initialiser of its aggregate throws.

verb_outcome generate(engine const& by) {
    verb_outcome out;
    out.words = by.generate(specs()).blocks;
    return out;
}

verb_outcome verify(engine const& by) {
    batch const& all = batch::get();
    verb_outcome out;
    out.verdicts = by.verify(all.instances.view(), all.answers.view());
    return out;
}

verb_outcome greedy(engine const& by) {
    verb_outcome out;
    out.words = by.greedy(batch::get().instances.view());
    return out;
}

verb_outcome improve(engine const& by) {
    batch const& all = batch::get();
    improved_batch found = by.improve(all.instances.view(), all.answers.view(), 6, 3);
    verb_outcome out;
    out.words = std::move(found.answers);
    out.numbers = std::move(found.objective);
    out.numbers.insert(out.numbers.end(), found.moves.begin(), found.moves.end());
    out.numbers.push_back(found.evaluations);
    return out;
}

verb_outcome score(engine const& by) {
    batch const& all = batch::get();
    score_batch found = by.score({.instances = all.instances.view(),
                                  .baselines = all.baselines,
                                  .texts = all.views,
                                  .instance_of = all.instance_of});
    verb_outcome out;
    out.words = std::move(found.answers);
    out.verdicts = std::move(found.verdicts);
    out.numbers = std::move(found.beaten);
    out.reals = std::move(found.advantage);
    for (reward_row const& row : found.rows) {
        out.reals.push_back(row.reward);
    }
    return out;
}

verb_outcome advantages(engine const& by) {
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    for (std::int32_t r = 0; r < 96; ++r) {
        rewards.push_back(float(r * 37 % 11));
        group.push_back(r * 7 % 12);
    }
    verb_outcome out;
    out.reals = by.advantages(rewards, group);
    return out;
}

/// Shuffled groups of four to nine rows with three scores each, one form after another.
verb_outcome ranks(engine const& by) {
    std::vector<float> rewards;
    std::vector<std::int32_t> group;
    std::vector<double> scores;
    for (std::int32_t r = 0; r < 72; ++r) {
        rewards.push_back(r % 17 == 5 ? std::nanf("") : 1.0f);
        group.push_back(r * 5 % 72 % (r % 2 == 0 ? 6 : 12));
        for (std::int32_t m = 0; m < 3; ++m) {
            scores.push_back((r * 3 + m) % 13 == 4 ? std::nan("") : double((r * 7 + m * 31) % 11) / 3.0);
        }
    }
    verb_outcome out;
    for (char const* const form : {"river", "rank_uniform", "instance_norm", "raw", "raw_binary"}) {
        std::vector<float> const found = by.advantages(
            {.rewards = rewards, .group = group, .scores = scores, .columns_of_scores = 3}, parse_advantage_spec(form));
        out.reals.insert(out.reals.end(), found.begin(), found.end());
    }
    return out;
}

constexpr engine_verb verbs[] = {{"generate", generate}, {"verify", verify}, {"greedy", greedy},
                                 {"improve", improve},   {"score", score},   {"advantages", advantages},
                                 {"ranks", ranks}};

}  // namespace

std::span<engine_verb const> engine_verbs() { return verbs; }

}  // namespace optgap::testing
