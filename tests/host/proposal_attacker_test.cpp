// A random search that changes numbers and lists of a proposal to maximise the reward that needs no solver. What it
// finds is printed (docs/coevolution.md has the table) and cannot be rewarded a second time. OPTGAP_LONG=1: 10^5 tries
// per task (OPTGAP_TRIES: number of tries; OPTGAP_TASK: one task).

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "optgap/proposals/proposal.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

using json = nlohmann::ordered_json;

constexpr std::int32_t stand_ins = 16;  ///< noisy greedy answers, in place of a solver's group
constexpr std::int32_t scale_step = 4;

/// A proposal's reward as far as it is known without a model: a third each for signal (of the stand-ins), novelty (1,
/// since known problems are duplicates) and hardness (greedy's gap compared with its mean on the difficulty scale).
struct reward {
    double total = 0, signal = 0, hardness = 0;
};

double quality(baseline const& base, std::int64_t objective) {
    if (base.floor == no_objective || base.floor == base.objective) {
        return objective == base.objective ? 1 : 0;
    }
    return std::clamp(double(objective - base.floor) / double(base.objective - base.floor), 0.0, 1.0);
}

class scorer {
public:
    scorer() : checker_(cpu_engine(), options()) {}

    /// Never NaN: a proposal that fails a gate gets the gate's reward.
    reward of(std::string const& text) {
        proposal_text const view{text};
        checked_proposal const found = checker_.check({&view, 1})[0];
        if (!found.sound() || found.base.status != baseline_status::optimal) {
            return {double(gate_reward(found.code)), 0, 0};
        }
        instance_batch one;
        one.append(found.task, found.words);
        csr_words const answers = cpu_engine().noisy_greedy(one.view(), stand_ins, 5);
        std::vector<std::int32_t> const same(std::size_t(stand_ins), 0);
        double sum = 0;
        double squares = 0;
        for (verdict const& answer : cpu_engine().verify(one.view(), answers.view(), same)) {
            double const x = answer.feasible() ? quality(found.base, answer.objective) : 0;
            sum += x;
            squares += x * x;
        }
        reward out;
        out.signal = std::min(1.0, 4 * (squares - sum * sum / stand_ins) / (stand_ins - 1));
        double const gap = found.base.greedy == no_objective ? 1 : 1 - quality(found.base, found.base.greedy);
        out.hardness = reference_gap <= 0 ? gap : std::min(1.0, gap / reference_gap);
        out.total = (out.signal + 1 + out.hardness) / 3;
        gap_ = gap;
        return out;
    }
    double reference_gap = 0;
    [[nodiscard]] double last_gap() const { return gap_; }

private:
    static proposal_options options() {
        proposal_options out;
        out.budget = 20'000;
        out.infeasible_permille = 0;
        return out;
    }
    proposal_checker checker_;
    double gap_ = 0;
};

/// Collects the numbers and lists of an instance, in its order.
void collect(json& value, std::vector<json*>& numbers, std::vector<json*>& lists) {
    if (value.is_number_integer()) {
        numbers.push_back(&value);
    } else if (value.is_structured()) {
        if (value.is_array() && !value.empty()) {
            lists.push_back(&value);
        }
        for (json& inner : value) {
            collect(inner, numbers, lists);
        }
    }
}

json changed(json instance, std::mt19937& draw) {
    for (std::size_t changes = 1 + draw() % 3; changes > 0; --changes) {
        std::vector<json*> numbers;
        std::vector<json*> lists;
        collect(instance, numbers, lists);
        if (numbers.empty()) {
            return instance;
        }
        json& number = *numbers[draw() % numbers.size()];
        std::int64_t const old = number.get<std::int64_t>();
        switch (draw() % (lists.empty() ? 4 : 6)) {
            case 0: number = old + 1; break;
            case 1: number = old - 1; break;
            case 2: number = std::int64_t(draw() % 100); break;
            case 3: number = json(*numbers[draw() % numbers.size()]); break;
            case 4: {
                json& list = *lists[draw() % lists.size()];
                list.erase(list.begin() + std::ptrdiff_t(draw() % list.size()));
                break;
            }
            default: {
                json& list = *lists[draw() % lists.size()];
                list.push_back(json(list[draw() % list.size()]));
                break;
            }
        }
    }
    // A matrix that must be symmetric stays symmetric.
    if (instance.contains("distances")) {
        json& rows = instance["distances"];
        for (std::size_t i = 0; rows.is_array() && i < rows.size(); ++i) {
            for (std::size_t j = 0; rows[i].is_array() && j < i && j < rows[i].size(); ++j) {
                if (rows[j].is_array() && i < rows[j].size()) {
                    rows[j][i] = rows[i][j];
                }
            }
        }
    }
    return instance;
}

class proposal_attacker : public ::testing::TestWithParam<std::int32_t> {};

TEST_P(proposal_attacker, sells_what_it_finds_once) {
    engine const& by = cpu_engine();
    std::string const name(by.tasks()[std::size_t(GetParam())].name);
    if (char const* const only = std::getenv("OPTGAP_TASK"); only != nullptr && name != only) {
        GTEST_SKIP() << "another task is asked for";
    }
    if (!abilities_of(GetParam()).proves || !by.tasks()[std::size_t(GetParam())].direct) {
        GTEST_SKIP() << "a task without proofs or prompts";
    }
    char const* const said = std::getenv("OPTGAP_TRIES");
    std::int64_t const tries = said != nullptr ? std::atoll(said) : long_form() ? 100'000 : repeats(60);
    std::int64_t const honest_rows = long_form() ? 200 : repeats(24);
    auto const text_of = [&](json const& instance) { return json{{"task", name}, {"instance", instance}}.dump(); };

    // Greedy's gap on the difficulty scale defines hardness. Then the reward of an honest generator is computed.
    scorer measure;
    std::vector<json> scale;
    double gaps = 0;
    std::int64_t sound = 0;
    instance_batch const made = instances_of(GetParam(), difficulty::scale(scale_step), honest_rows);
    for (std::int64_t i = 0; i < honest_rows; ++i) {
        scale.push_back(json::parse(by.instance_json(GetParam(), made.blocks.row(i))));
        if (measure.of(text_of(scale.back())).total > 0) {
            gaps += measure.last_gap();
            ++sound;
        }
    }
    scorer honest;
    honest.reference_gap = sound == 0 ? 0 : gaps / double(sound);
    double honest_sum = 0;
    double honest_best = -1;
    for (json const& one : scale) {
        double const earned = honest.of(text_of(one)).total;
        honest_sum += earned;
        honest_best = std::max(honest_best, earned);
    }
    double const honest_mean = honest_sum / double(honest_rows);

    scorer attacked;
    attacked.reference_gap = honest.reference_gap;
    std::mt19937 draw(7);
    reward best{-1, 0, 0};
    json best_instance = scale[0];
    reward here = best;
    json at = scale[0];
    for (std::int64_t i = 0; i < tries; ++i) {
        bool const anew = i % 500 == 0;
        json next = anew ? scale[draw() % scale.size()] : changed(at, draw);
        reward const found = attacked.of(text_of(next));
        if (anew || found.total >= here.total) {
            here = found;
            at = std::move(next);
        }
        if (here.total > best.total) {
            best = here;
            best_instance = at;
        }
    }
    std::printf("%-20s tries %lld difficulty scale %.3f best %.3f found %.3f signal %.3f hardness %.3f bytes %zu %s\n",
                name.c_str(), static_cast<long long>(tries), honest_mean, honest_best, best.total, best.signal,
                best.hardness, text_of(best_instance).size(), text_of(best_instance).substr(0, 300).c_str());
    EXPECT_LE(best.total, 1);
    if (best.total > 0) {  // else every try failed at a gate
        instance_batch one;
        one.append(GetParam(), by.instance_words(GetParam(), best_instance.dump()));
        EXPECT_EQ(attacked.of(text_of(best_instance)).total, double(gate_reward(code_duplicate)));
        if (!by.tasks()[std::size_t(GetParam())].axes.empty()) {
            relabelled_batch const twin = by.relabel(one.view(), 3);
            std::string const renamed = by.instance_json(GetParam(), twin.instances.blocks.row(0));
            EXPECT_EQ(attacked.of(text_of(json::parse(renamed))).total, double(gate_reward(code_duplicate))) << renamed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(tasks, proposal_attacker, ::testing::ValuesIn(all_tasks()), task_name);

}  // namespace
}  // namespace optgap::testing
