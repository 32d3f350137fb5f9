#include "tools/cli/make/signal.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "tools/cli/make/benchmark_set.hpp"

namespace optgap::cli {
namespace {

constexpr std::int32_t scale_steps[] = {0, 5, 10, 15, 20, 30};
constexpr std::int32_t steps_beyond = 10;  ///< from the benchmark's size to the one more step that is measured
constexpr std::int32_t last_searched_step = 4096;

std::vector<instance_spec> specs_of(std::int32_t task, difficulty level, std::uint64_t seed, std::int64_t count) {
    std::vector<instance_spec> specs;
    for (std::int64_t i = 0; i < count; ++i) {
        specs.push_back({task, level, split::train, seed + std::uint64_t(i)});
    }
    return specs;
}

instance_batch draw(engine const& by, std::int32_t task, difficulty level, std::uint64_t seed, std::int64_t count) {
    return by.generate(specs_of(task, level, seed, count));
}

double median_words(instance_batch const& instances) {
    std::vector<double> sizes;
    for (std::int64_t r = 0; r < instances.size(); ++r) {
        sizes.push_back(double(instances.blocks.row(r).size()));
    }
    return bench::quantile(std::move(sizes), 0.5);
}

/// The first step of the difficulty scale whose median instance has as many words as the benchmark level's, or -1.
std::int32_t benchmark_step(engine const& by, std::int32_t task, std::uint64_t seed) {
    constexpr std::int64_t sample = 101;
    double const wanted = median_words(draw(by, task, difficulty::benchmark(), seed, sample));
    auto const large = [&](std::int32_t step) {
        return median_words(draw(by, task, difficulty::scale(step), seed, sample)) >= wanted;
    };
    std::int32_t high = 1;
    while (high <= last_searched_step && !large(high)) {
        high *= 2;
    }
    if (high > last_searched_step) {
        return -1;
    }
    std::int32_t low = 0;
    while (low < high) {
        std::int32_t const middle = low + (high - low) / 2;
        if (large(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

std::int64_t repeated_among(engine const& by, std::int32_t task, difficulty level, std::uint64_t seed,
                            std::int64_t draws) {
    constexpr std::int64_t piece = 1000;
    seen_instances seen;
    for (std::int64_t first = 0; first < draws; first += piece) {
        instance_batch const made = draw(by, task, level, seed + std::uint64_t(first), std::min(piece, draws - first));
        for (std::int64_t r = 0; r < made.size(); ++r) {
            seen.add(hash_words(made.blocks.row(r)));
        }
    }
    return draws - seen.size();
}

/// How many objectives each instance's group of noisy answers has.
std::vector<double> distinct_objectives(engine const& by, instance_batch const& instances, std::uint64_t seed) {
    csr_words const answers = by.noisy_greedy(instances.view(), signal_group, seed);
    std::vector<std::int32_t> instance_of(std::size_t(answers.rows()));
    for (std::size_t r = 0; r < instance_of.size(); ++r) {
        instance_of[r] = std::int32_t(r) / signal_group;
    }
    std::vector<verdict> const found = by.verify(instances.view(), answers.view(), instance_of);
    std::vector<std::set<std::int64_t>> groups(static_cast<std::size_t>(instances.size()));
    for (std::size_t r = 0; r < found.size(); ++r) {
        bool const feasible = !answers.row(std::int64_t(r)).empty() && found[r].feasible();
        groups[std::size_t(instance_of[r])].insert(feasible ? found[r].objective : no_objective);
    }
    std::vector<double> counts;
    for (auto const& group : groups) {
        counts.push_back(double(group.size()));
    }
    return counts;
}

double share_or_zero(std::int64_t part, std::int64_t all) { return all == 0 ? 0.0 : double(part) / double(all); }

signal_row measure_level(engine const& by, std::int32_t task, difficulty level, std::int64_t count, std::uint64_t seed,
                         std::function<void(std::int64_t)> const& step) {
    std::vector<instance_spec> const specs = specs_of(task, level, seed, count);
    instance_batch const instances = by.generate(specs);
    solved_batch const solved = solve_in_pieces(by, specs, instances, step);
    signal_row row;
    row.level = level;
    row.instances = count;
    row.words = median_words(instances);
    row.proven = std::count_if(solved.rows.begin(), solved.rows.end(), [](baseline const& b) { return b.proven(); });
    row.greedy_best = share_or_zero(
        std::count_if(solved.rows.begin(), solved.rows.end(),
                      [](baseline const& b) { return b.greedy != no_objective && b.greedy == b.objective; }),
        count);
    std::int32_t const styles = by.tasks()[std::size_t(task)].styles;
    std::vector<double> lengths;
    for (std::int64_t r = 0; r < count; ++r) {
        lengths.push_back(double(
            characters(by.prompt(task, instances.blocks.row(r), std::int32_t(r % styles), format_named("forge")))));
    }
    row.prompt_chars = bench::quantile(std::move(lengths), 0.5);
    std::vector<double> const distinct = distinct_objectives(by, instances, seed);
    row.distinct = bench::quantile(distinct, 0.5);
    row.rich = share_or_zero(
        std::count_if(distinct.begin(), distinct.end(), [](double n) { return n >= scale_rule::min_distinct; }), count);
    row.draws = draws_per_instance * count;
    row.repeated = repeated_among(by, task, level, seed, row.draws);
    return row;
}

/// Judges the measured steps from the benchmark's size on. Steps past the longest prompt are not judged, but for the
/// first.
scale_rule judge(std::vector<signal_row> const& rows, std::int32_t first) {
    scale_rule rule;
    rule.benchmark_step = first;
    if (first < 0) {
        rule.sentence =
            fmt::format("not met: no step up to d{} is as large as the benchmark level", last_searched_step);
        return rule;
    }
    double greedy_best = 0;
    double distinct = signal_group;
    std::int32_t last = first;
    for (signal_row const& row : rows) {
        bool const too_long = row.prompt_chars > scale_rule::max_prompt_chars;
        if (row.level.code < first || (too_long && row.level.code > first)) {
            continue;
        }
        last = std::max(last, row.level.code);
        greedy_best = std::max(greedy_best, row.greedy_best);
        distinct = std::min(distinct, row.distinct);
        rule.met =
            row.greedy_best <= scale_rule::max_greedy_best && row.distinct >= scale_rule::min_distinct && !too_long;
        if (!rule.met) {
            rule.sentence = fmt::format(
                "not met at d{}: greedy is optimal in {:.0f} % (rule: at most {:.0f} %), the median group has {:.0f} "
                "qualities (at least {:.0f}), the median prompt {:.0f} characters (at most {:.0f})",
                row.level.code, 100 * row.greedy_best, 100 * scale_rule::max_greedy_best, row.distinct,
                scale_rule::min_distinct, row.prompt_chars, scale_rule::max_prompt_chars);
            return rule;
        }
    }
    rule.sentence = fmt::format(
        "met from d{} (benchmark size) to d{}: greedy is optimal in at most {:.0f} %, the median group has at least "
        "{:.0f} qualities",
        first, last, 100 * greedy_best, distinct);
    return rule;
}

}  // namespace

std::int64_t signal_work(std::int64_t count) { return count * std::int64_t(4 + std::size(scale_steps) + 2); }

signal_report measure_signal(context& ctx, std::int32_t task, std::int64_t count, std::uint64_t seed,
                             std::function<void(std::int64_t)> const& step) {
    engine const& by = ctx.get_engine();
    std::int32_t const first = benchmark_step(by, task, seed);
    std::vector<difficulty> levels{difficulty::easy(), difficulty::medium(), difficulty::hard(),
                                   difficulty::benchmark()};
    std::set<std::int32_t> steps(std::begin(scale_steps), std::end(scale_steps));
    if (first >= 0) {
        steps.insert(first);
        steps.insert(first + steps_beyond);
    }
    for (std::int32_t const d : steps) {
        levels.push_back(difficulty::scale(d));
    }
    signal_report report;
    for (difficulty const level : levels) {
        report.rows.push_back(measure_level(by, task, level, count, seed, step));
    }
    report.rule = judge(report.rows, first);
    return report;
}

}  // namespace optgap::cli
