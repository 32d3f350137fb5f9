// parse, score, rewards, advantages: the reward step on rollouts of all tasks.

#include <chrono>
#include <cmath>
#include <string>

#include "bench/bench.hpp"
#include "bench/rollouts.hpp"
#include "optgap/statistics.hpp"

namespace optgap::bench {

namespace {

measurement start(setting const& at, char const* workload, char const* unit, std::int64_t batch, double items) {
    measurement made;
    made.workload = workload;
    made.task = name_of_tasks(at, "mixed");
    made.level = level_name(at.level);
    made.unit = unit;
    made.batch = batch;
    made.items = items;
    return made;
}

}  // namespace

measurement bench_parse(setting const& at) {
    step const made = make_step(at.by, at.level, at.batch > 0 ? at.batch / group_size : 64, at.text_bytes, at.tasks);
    answer_batch const parsed = at.by.parse(made.views, made.task_of, formats().first(1));
    expect(parsed.words == made.answers.words && parsed.offsets == made.answers.offsets,
           "parsed answers differ from what was written");
    measurement result = start(at, "parse", "bytes", std::int64_t(made.views.size()), made.bytes);
    result.seconds =
        sample(at.seconds, [&] { static_cast<void>(at.by.parse(made.views, made.task_of, formats().first(1))); });
    result.needs = {{"read", made.bytes}};
    return result;
}

measurement bench_score(setting const& at) {
    step const made =
        make_step(at.by, at.level, at.batch > 0 ? at.batch / group_size : step_groups, at.text_bytes, at.tasks);
    grade_request const request = made.request();
    score_batch const scored = at.by.score(request);
    for (std::size_t r = 0; r < scored.rows.size(); r += group_size) {
        expect(scored.rows[r].reward == 2.0f, "the optimum of row " + std::to_string(r) + " does not earn 2");
    }
    measurement result = start(at, "score", "rollouts", std::int64_t(made.views.size()), double(made.views.size()));
    std::vector<double> parse, verify, reward, advantage;
    result.seconds = sample(at.seconds, [&] {
        score_batch const again = at.by.score(request);
        parse.push_back(again.seconds.parse);
        verify.push_back(again.seconds.verify);
        reward.push_back(again.seconds.reward);
        advantage.push_back(again.seconds.advantage);
    });
    result.stages = {{"parse", quantile(parse, 0.5)},
                     {"verify", quantile(verify, 0.5)},
                     {"reward", quantile(reward, 0.5)},
                     {"advantage", quantile(advantage, 0.5)}};
    result.needs = {{"read", made.bytes}};
    return result;
}

/// The work after parsing and verifying a million rollouts: rewards, advantages and the keep-mask.
measurement bench_rewards(setting const& at) {
    step const made = make_step(at.by, at.level, step_groups, 0, at.tasks);
    std::size_t const rows = std::size_t(at.batch > 0 ? at.batch : 1 << 20);
    std::vector<std::string_view> texts(rows);
    std::vector<std::int32_t> instance_of(rows), group(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        texts[r] = made.views[r % made.views.size()];
        instance_of[r] = made.instance_of[r % made.views.size()];
        group[r] = std::int32_t(r / group_size);
    }
    grade_request request = made.request();
    request.texts = texts;
    request.instance_of = instance_of;

    measurement result = start(at, "rewards", "rows", std::int64_t(rows), double(rows));
    std::vector<float> reward(rows);
    std::vector<double> rewarded, advantage, filter;
    score_batch scored;
    sample(at.seconds, [&] {
        at.by.score(request, {.group = group}, scored);
        for (std::size_t r = 0; r < rows; ++r) {
            reward[r] = scored.rows[r].reward;
        }
        auto const begin = std::chrono::steady_clock::now();
        group_filter const kept = filter_groups(reward, group);
        filter.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        for (std::size_t r = 0; r < rows; ++r) {
            expect(kept.keep[r] == 1 || scored.advantage[r] == 0.0f,
                   "row " + std::to_string(r) + " of a zero-variance group");
        }
        rewarded.push_back(scored.seconds.reward);
        advantage.push_back(scored.seconds.advantage);
        result.seconds.push_back(rewarded.back() + advantage.back() + filter.back());
    });
    result.stages = {{"reward", quantile(rewarded, 0.5)},
                     {"advantage", quantile(advantage, 0.5)},
                     {"filter", quantile(filter, 0.5)}};
    // Input: a verdict, a format code, instance and group. Output: the reward's row, the advantage and the mask.
    double const in = double(rows) * (sizeof(verdict) + 3 * sizeof(std::int32_t));
    double const out = double(rows) * (sizeof(reward_row) + sizeof(float) + 1);
    result.needs = {{"copy", in + out}, {"upload", in}, {"download", out}};
    return result;
}

namespace {

/// A million rows in groups of sixteen, rewards on the grid.
struct rewards {
    std::vector<float> reward;
    std::vector<std::int32_t> group;

    explicit rewards(std::size_t rows) : reward(rows), group(rows) {
        std::mt19937_64 random(5);
        for (std::size_t r = 0; r < rows; ++r) {
            reward[r] = float(random() % 18432) / 4096.0f - 2.5f;
            group[r] = std::int32_t(r / group_size);
        }
    }
};

measurement advantages_of(setting const& at, char const* name, advantage_inputs const& in, advantage_spec const& spec,
                          double min_sum, double max_sum) {
    std::size_t const rows = in.rewards.size();
    std::vector<float> const found = at.by.advantages(in, spec);
    for (std::size_t g = 0; g + group_size <= rows; g += group_size) {
        double sum = 0;
        for (std::size_t k = 0; k < group_size; ++k) {
            sum += double(found[g + k]);
        }
        expect(min_sum <= sum && sum <= max_sum, "the sum of group " + std::to_string(g / group_size));
    }
    measurement result = start(at, name, "rows", std::int64_t(rows), double(rows));
    result.level = std::string("-");  // a literal makes g++ 12 warn about its own library
    result.seconds = sample(at.seconds, [&] { static_cast<void>(at.by.advantages(in, spec)); });
    double const read = double(rows) * (sizeof(float) + sizeof(std::int32_t)) + double(in.scores.size_bytes());
    double const written = double(rows) * sizeof(float);
    result.needs = {{"copy", read + written}, {"upload", read}, {"download", written}};
    return result;
}

}  // namespace

measurement bench_advantages(setting const& at) {
    rewards const all(std::size_t(at.batch > 0 ? at.batch : 1 << 20));
    return advantages_of(at, "advantages", {.rewards = all.reward, .group = all.group}, {}, -1e-4, 1e-4);
}

/// Sixteen distinct scores sum to 1/2: the winner gets 1 instead of the 1/2 from the line of ranks. Ties change it a
/// little.
measurement bench_river(setting const& at) {
    rewards const all(std::size_t(at.batch > 0 ? at.batch : 1 << 20));
    return advantages_of(at, "river", {.rewards = all.reward, .group = all.group}, parse_advantage_spec("river"), -0.01,
                         0.51);
}

/// Sixteen candidates on four instances; ranks spread over [-1, 1] sum to zero.
measurement bench_ranks(setting const& at) {
    constexpr std::int32_t columns = 4;
    std::size_t const rows = std::size_t(at.batch > 0 ? at.batch : 1 << 20);
    rewards const all(rows);
    std::mt19937_64 random(6);
    std::vector<double> scores(rows * columns);
    for (double& score : scores) {
        score = double(random() % 1000);
    }
    advantage_inputs const in{
        .rewards = all.reward, .group = all.group, .scores = scores, .columns_of_scores = columns};
    return advantages_of(at, "ranks", in, parse_advantage_spec("rank_uniform"), -1e-5, 1e-5);
}

}  // namespace optgap::bench
