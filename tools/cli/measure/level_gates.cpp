#include "tools/cli/measure/level_gates.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace optgap::cli {

namespace {

constexpr std::size_t max_constants = 20;  ///< of the optima, the most frequent ones
constexpr std::int64_t prompted = 20;      ///< instances whose prompts are measured

using proof_clock = std::chrono::steady_clock;

double seconds_since(proof_clock::time_point begin) {
    return std::chrono::duration<double>(proof_clock::now() - begin).count();
}

template <class Number>
Number nearest_quantile(std::vector<Number> sorted, double share) {
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::size_t(share * double(sorted.size() - 1) + 0.5)];
}

/// 1 for the optimum; 0 beside an optimum of 0.
double quality_of(std::int64_t objective, std::int64_t optimum, sense direction) {
    if (objective == optimum) {
        return 1;
    }
    auto const [part, whole] =
        direction == sense::minimise ? std::pair(optimum, objective) : std::pair(objective, optimum);
    return whole == 0 ? 0 : double(part) / double(whole);
}

class gates_run {
public:
    explicit gates_run(gates_setting const& at) : at_(at) {}

    level_gates run() {
        generate();
        prove();
        judge_greedy();
        judge_groups();
        judge_constants();
        read_prompts();
        return out_;
    }

private:
    void generate() {
        std::set<std::vector<std::int32_t>> different;
        for (std::int64_t i = 0; i < at_.count; ++i) {
            instance_spec const spec{at_.task, at_.level, at_.part, std::uint64_t(i)};
            proof_clock::time_point const begin = proof_clock::now();
            instance_batch const one = at_.by.generate({&spec, 1});
            out_.generate_seconds = std::max(out_.generate_seconds, seconds_since(begin));
            std::span<std::int32_t const> const words = one.blocks.row(0);
            batch_.append(at_.task, words);
            different.emplace(words.begin(), words.end());
        }
        out_.instances = at_.count;
        out_.distinct = double(different.size()) / double(at_.count);
    }

    [[nodiscard]] instance_batch alone(std::int64_t row) const {
        instance_batch one;
        one.append(at_.task, batch_.blocks.row(row));
        return one;
    }

    void prove() {
        std::vector<double> seconds;
        std::vector<std::int64_t> steps;
        for (std::int64_t i = 0; i < at_.count; ++i) {
            instance_batch const one = alone(i);
            proof_clock::time_point const begin = proof_clock::now();
            solved_batch const solved = at_.by.solve(one.view(), at_.budget);
            seconds.push_back(seconds_since(begin));
            baseline const& row = solved.rows[0];
            steps.push_back(row.steps);
            out_.proven += row.proven() ? 1 : 0;
            if (!row.proven() && row.objective != no_objective && row.bound != no_objective) {
                double const gap = std::abs(double(row.bound - row.objective));
                out_.worst_gap = std::max(out_.worst_gap, gap / std::max(1.0, std::abs(double(row.objective))));
            }
            baselines_.push_back(row);
            optima_.append(solved.answers.row(0));
        }
        out_.proven /= double(at_.count);
        out_.median_steps = nearest_quantile(steps, 0.5);
        out_.max_steps = nearest_quantile(steps, 1);
        out_.median_seconds = nearest_quantile(seconds, 0.5);
        out_.p99_seconds = nearest_quantile(seconds, 0.99);
        out_.max_seconds = nearest_quantile(seconds, 1);
        double all = 0;
        for (double const one : seconds) {
            all += one;
        }
        out_.labels_a_second = double(at_.count) / all;
    }

    [[nodiscard]] sense direction() const { return at_.by.tasks()[std::size_t(at_.task)].objective_sense; }
    [[nodiscard]] bool is_optimal(std::size_t row, verdict const& found) const {
        return found.feasible() && found.objective == baselines_[row].objective;
    }

    void judge_greedy() {
        csr_words const answers = at_.by.greedy(batch_.view());
        std::vector<verdict> const found = at_.by.verify(batch_.view(), answers.view());
        double feasible = 0;
        for (std::size_t r = 0; r < found.size(); ++r) {
            if (found[r].feasible() && baselines_[r].objective != no_objective) {
                ++feasible;
                out_.greedy_optimal += is_optimal(r, found[r]) ? 1 : 0;
                out_.greedy_quality += quality_of(found[r].objective, baselines_[r].objective, direction());
            }
        }
        out_.greedy_feasible = feasible / double(at_.count);
        out_.greedy_optimal /= double(at_.count);
        out_.greedy_quality = feasible > 0 ? out_.greedy_quality / feasible : 0;
    }

    void judge_groups() {
        csr_words const answers = at_.by.noisy_greedy(batch_.view(), at_.group, 1);
        std::vector<std::int32_t> instance_of;
        for (std::int64_t r = 0; r < answers.rows(); ++r) {
            instance_of.push_back(std::int32_t(r / at_.group));
        }
        std::vector<verdict> const found = at_.by.verify(batch_.view(), answers.view(), instance_of);
        std::vector<std::int64_t> worths;
        for (std::int64_t i = 0; i < at_.count; ++i) {
            std::set<std::optional<std::int64_t>> different;
            for (std::int64_t r = i * at_.group; r < (i + 1) * at_.group; ++r) {
                verdict const& one = found[std::size_t(r)];
                different.insert(one.feasible() ? std::optional(one.objective) : std::nullopt);
            }
            worths.push_back(std::int64_t(different.size()));
        }
        out_.spread = nearest_quantile(worths, 0.5);
    }

    void judge_constants() {
        std::map<std::vector<std::int32_t>, std::int64_t> often;
        for (std::int64_t r = 0; r < optima_.rows(); ++r) {
            std::span<std::int32_t const> const words = optima_.row(r);
            ++often[{words.begin(), words.end()}];
        }
        std::vector<std::pair<std::int64_t, std::vector<std::int32_t>>> ranked;
        for (auto const& [words, times] : often) {
            ranked.emplace_back(-times, words);
        }
        std::sort(ranked.begin(), ranked.end());
        ranked.resize(std::min(ranked.size(), max_constants));
        for (auto const& [times, words] : ranked) {
            csr_words answers;
            for (std::int64_t r = 0; r < at_.count; ++r) {
                answers.append(words);
            }
            std::vector<verdict> const found = at_.by.verify(batch_.view(), answers.view());
            double others = -1;  // its own instance tells nothing
            for (std::size_t r = 0; r < found.size(); ++r) {
                others += is_optimal(r, found[r]) ? 1 : 0;
            }
            out_.constant_optimal =
                std::max(out_.constant_optimal, others / double(std::max<std::int64_t>(1, at_.count - 1)));
        }
        double floors = 0;
        for (baseline const& row : baselines_) {
            floors += row.floor != no_objective && row.floor == row.objective ? 1 : 0;
        }
        out_.constant_optimal = std::max(out_.constant_optimal, floors / double(at_.count));
    }

    void read_prompts() {
        if (!at_.by.tasks()[std::size_t(at_.task)].direct) {
            return;
        }
        std::int32_t const styles = at_.by.tasks()[std::size_t(at_.task)].styles;
        for (std::int64_t r = 0; r < std::min(at_.count, prompted); ++r) {
            for (std::int32_t style = 0; style < styles; ++style) {
                std::string const text = at_.by.prompt(at_.task, batch_.blocks.row(r), style, known_formats().front());
                out_.prompt_chars = std::max(out_.prompt_chars, std::int64_t(text.size()));
            }
        }
    }

    gates_setting at_;
    level_gates out_;
    instance_batch batch_;
    std::vector<baseline> baselines_;
    csr_words optima_;
};

/// The difficulty scale's step that a level is as hard as, for declarative tasks; the paper's benchmark counts as d16.
std::int32_t step_of(difficulty level) {
    return level.on_scale() ? level.code : level.level() == 3 ? 16 : 2 + 4 * level.level();
}

}  // namespace

level_gates measure_gates(gates_setting const& at) { return gates_run(at).run(); }

std::vector<gate> judge_gates(std::vector<std::pair<difficulty, level_gates>> const& levels) {
    std::vector<gate> judged;
    auto const demand = [&](difficulty level, std::string const& rule, bool holds, std::string const& value) {
        judged.push_back({level_name(level) + ": " + rule, holds, value});
    };
    auto const percent = [](double share) { return fmt::format("{:.4g} %", 100 * share); };
    for (auto const& [level, found] : levels) {
        std::int32_t const d = step_of(level);
        bool const paper = !level.on_scale() && level.level() == 3;
        if (paper || d == 20) {
            double const least = paper ? 1.0 : 0.99;
            demand(level, "proven by the default budget, at least " + percent(least), found.proven >= least,
                   percent(found.proven));
        }
        if (d >= 16) {
            demand(level, "greedy optimal at most 30 %", found.greedy_optimal <= 0.3, percent(found.greedy_optimal));
            demand(level, "4 different worths in the median noisy group", found.spread >= 4,
                   std::to_string(found.spread));
        }
        if (d >= 4) {
            double const chance = 2 * std::sqrt(0.01 / double(found.instances));
            demand(level, "a constant answer optimal at most 1 %, but for chance",
                   found.constant_optimal <= 0.01 + chance, percent(found.constant_optimal));
        }
        if (paper || d == 40) {
            std::int64_t const most = paper ? 4'000 : 16'000;
            demand(level, fmt::format("prompts of at most {} characters", most), found.prompt_chars <= most,
                   std::to_string(found.prompt_chars));
        }
        if (d == 40) {
            demand(level, "generated in at most 10 ms", found.generate_seconds <= 10e-3,
                   fmt::format("{:.3g} ms", 1e3 * found.generate_seconds));
        }
    }
    return judged;
}

}  // namespace optgap::cli
