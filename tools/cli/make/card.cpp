#include "tools/cli/make/card.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "kernels/reward/reward.hpp"

namespace optgap::cli {
namespace {

std::string whole_percent(double share) { return fmt::format("{:.0f}", 100 * share); }

/// Whole numbers as they are, others with three decimals.
std::string number(double value) {
    return value == double(std::int64_t(value)) ? fmt::format("{}", std::int64_t(value)) : fmt::format("{:.3f}", value);
}

double mean(std::vector<double> const& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double share_of_ones(std::vector<double> const& qualities) {
    auto const ones = std::count(qualities.begin(), qualities.end(), 1.0);
    return qualities.empty() ? 0 : double(ones) / double(qualities.size());
}

template <class Value>
std::vector<double> per_row(card_task const& of, Value value) {
    std::vector<double> out;
    for (std::size_t r = 0; r < of.set.rows.size(); ++r) {
        out.push_back(value(r));
    }
    return out;
}

std::vector<double> quality(card_task const& of, std::int64_t baseline::*anchor) {
    return per_row(of, [&](std::size_t r) {
        baseline const& row = of.set.solved.rows[r];
        bool const known = row.objective != no_objective && row.*anchor != no_objective;
        return known ? clip(ratio_to(row.*anchor, row.objective, of.info->objective_sense), 0, 1) : 0.0;
    });
}

std::int64_t proven(card_task const& of) {
    auto const& rows = of.set.solved.rows;
    return std::count_if(rows.begin(), rows.end(), [](baseline const& row) { return row.proven(); });
}

}  // namespace

char const* const signal_legend =
    "Per level: instances from the train split and how many have a proven optimum; the median instance in words and "
    "the "
    "median prompt in characters (styles in turn); the share of instances where the greedy anchor is optimal, or equal "
    "to "
    "the best known answer where there is no proof; the median number of different qualities among sixteen answers of "
    "the noisy greedy policy and the share of such groups with at least four; how many of the drawn instances repeat "
    "one "
    "of an earlier seed. The difficulty scale's rule holds from benchmark size on: greedy optimal in at most 30 %, at "
    "least 4 "
    "qualities in the median group, at prompts of up to 16,000 characters.";

std::vector<double> floor_quality(card_task const& of) { return quality(of, &baseline::floor); }
std::vector<double> greedy_quality(card_task const& of) { return quality(of, &baseline::greedy); }

std::vector<double> instance_sizes(card_task const& of) {
    return per_row(of, [&](std::size_t r) { return double(of.set.instances.blocks.row(std::int64_t(r)).size()); });
}

std::vector<double> prompt_lengths(card_task const& of) {
    return per_row(of, [&](std::size_t r) { return double(of.set.rows[r].prompt_chars); });
}

std::vector<double> proof_steps(card_task const& of) {
    return per_row(of, [&](std::size_t r) { return double(of.set.solved.rows[r].steps); });
}

std::vector<double> best_objectives(card_task const& of) {
    std::vector<double> out;
    for (baseline const& row : of.set.solved.rows) {
        if (row.objective != no_objective) {
            out.push_back(double(row.objective));
        }
    }
    return out;
}

card_table overview(card const& made) {
    card_table table{
        {"task", "category", "instances", "proven", "repeated seeds", "relabelled", "prompt chars", "optimum",
         "greedy optimal %", "greedy quality", "floor quality", "steps p50", "p99", "max", "difficulty scale rule"},
        {},
        2};
    for (card_task const& of : made.tasks) {
        std::vector<double> const greedy = greedy_quality(of);
        std::vector<double> const steps = proof_steps(of);
        table.rows.push_back({std::string(of.info->name), std::string(of.info->category),
                              std::to_string(of.set.rows.size()), std::to_string(proven(of)),
                              std::to_string(of.set.repeated), std::to_string(of.set.relabelled),
                              number(bench::quantile(prompt_lengths(of), 0.5)),
                              number(bench::quantile(best_objectives(of), 0.5)), whole_percent(share_of_ones(greedy)),
                              fmt::format("{:.3f}", mean(greedy)), fmt::format("{:.3f}", mean(floor_quality(of))),
                              number(bench::quantile(steps, 0.5)), number(bench::quantile(steps, 0.99)),
                              number(bench::quantile(steps, 1)), of.signal.rule.met ? "met" : "not met"});
    }
    return table;
}

card_table distributions(card_task const& of) {
    card_table table{{"", "min", "p10", "median", "p90", "p99", "max", "mean"}, {}};
    auto const add = [&](std::string const& label, std::vector<double> const& values) {
        table.rows.push_back({label});
        for (double const p : {0.0, 0.1, 0.5, 0.9, 0.99, 1.0}) {
            table.rows.back().push_back(number(bench::quantile(values, p)));
        }
        table.rows.back().push_back(fmt::format("{:.4g}", mean(values)));
    };
    add("instance words", instance_sizes(of));
    add("prompt characters", prompt_lengths(of));
    add("steps to the proof", proof_steps(of));
    add(fmt::format("optimum ({})", of.info->objective), best_objectives(of));
    add("greedy quality", greedy_quality(of));
    add("floor quality", floor_quality(of));
    return table;
}

card_table signal_table(card_task const& of) {
    card_table table{{"level", "instances", "proven", "words", "prompt chars", "greedy optimal %", "qualities of 16",
                      "groups ≥ 4 %", "repeated"},
                     {}};
    for (signal_row const& row : of.signal.rows) {
        bool const marked = row.level.on_scale() && row.level.code == of.signal.rule.benchmark_step;
        table.rows.push_back({level_name(row.level) + (marked ? " (benchmark size)" : ""),
                              std::to_string(row.instances), std::to_string(row.proven), number(row.words),
                              number(row.prompt_chars), whole_percent(row.greedy_best), number(row.distinct),
                              whole_percent(row.rich), fmt::format("{} of {}", row.repeated, row.draws)});
    }
    return table;
}

card_table unproven_rows(card_task const& of) {
    card_table table{{"key", "best known", "bound", "gap"}, {}};
    for (std::size_t r = 0; r < of.set.rows.size(); ++r) {
        baseline const& row = of.set.solved.rows[r];
        if (!row.proven()) {
            bool const has_answer = row.objective != no_objective;
            benchmark_row const& it = of.set.rows[r];
            table.rows.push_back({to_string(key_of(*of.info, it.spec, it.hash, it.style)),
                                  has_answer ? std::to_string(row.objective) : "none", std::to_string(row.bound),
                                  has_answer ? std::to_string(std::abs(row.bound - row.objective)) : "-"});
        }
    }
    return table;
}

std::string picture_caption(card_task const& of) {
    benchmark_row const& first = of.set.rows.front();
    baseline const& row = of.set.solved.rows.front();
    return fmt::format("{}: {} {}{}, greedy {}", to_string(key_of(*of.info, first.spec, first.hash, first.style)),
                       of.info->objective, row.objective == no_objective ? "none" : std::to_string(row.objective),
                       row.status == baseline_status::optimal ? " (optimal)" : "",
                       row.greedy == no_objective ? "none" : std::to_string(row.greedy));
}

}  // namespace optgap::cli
