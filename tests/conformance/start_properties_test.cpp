// Property tests of proofs that begin with an answer or are cut, for every task of the registry. No start is trusted,
// and none is lost.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "tests/support/garbage_words.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class start_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, start_properties, ::testing::ValuesIn(all_tasks()), task_name);

task_kernels const& kernels(std::int32_t task) { return *registry()[std::size_t(task)].builds[0]; }

/// Whether `a` is at least as good as `b`. Any answer is as good as none.
bool as_good(std::int64_t a, std::int64_t b, std::int32_t task) {
    bool const most = kernels(task).objective_sense == sense::maximise;
    return b == no_objective || (a != no_objective && (most ? a >= b : a <= b));
}

std::vector<instance_spec> specs_of(std::int32_t task, difficulty level, std::int64_t count) {
    std::vector<instance_spec> specs;
    for (std::int64_t i = 0; i < count; ++i) {
        specs.push_back({task, level, split::test, std::uint64_t(i)});
    }
    return specs;
}

/// The first feasible noisy answer of each instance; an empty row where none of four is feasible.
csr_words noisy_starts(instance_batch const& batch) {
    constexpr std::int32_t group = 4;
    csr_words const noisy = cpu_engine().noisy_greedy(batch.view(), group, 5);
    std::vector<std::int32_t> of;
    for (std::int64_t k = 0; k < noisy.rows(); ++k) {
        of.push_back(std::int32_t(k / group));
    }
    std::vector<verdict> const found = cpu_engine().verify(batch.view(), noisy.view(), of);
    csr_words starts;
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        std::int64_t k = r * group;
        while (k < (r + 1) * group && !(found[std::size_t(k)].feasible() && !noisy.row(k).empty())) {
            ++k;
        }
        starts.append(k < (r + 1) * group ? noisy.row(k) : std::span<std::int32_t const>());
    }
    return starts;
}

void expect_kept(instance_batch const& batch, csr_words const& starts, std::int64_t budget, std::int32_t task) {
    std::vector<verdict> const worth = cpu_engine().verify(batch.view(), starts.view());
    solved_batch const without = cpu_engine().solve(batch.view(), budget);
    solved_batch const with = cpu_engine().solve(batch.view(), budget, starts.view());
    std::vector<verdict> const found = cpu_engine().verify(batch.view(), with.answers.view());
    for (std::int64_t r = 0; r < batch.size(); ++r) {
        SCOPED_TRACE("budget " + std::to_string(budget) + ", row " + std::to_string(r));
        baseline const& row = with.rows[std::size_t(r)];
        if (starts.row(r).empty()) {
            EXPECT_EQ(row, without.rows[std::size_t(r)]);
            continue;
        }
        EXPECT_TRUE(as_good(row.objective, worth[std::size_t(r)].objective, task));
        EXPECT_EQ(found[std::size_t(r)].objective, row.objective);
        EXPECT_EQ(row.proven(), row.objective == row.bound);
        if (without.rows[std::size_t(r)].proven()) {
            EXPECT_TRUE(as_good(without.rows[std::size_t(r)].objective, row.objective, task));
            EXPECT_TRUE(as_good(row.bound, without.rows[std::size_t(r)].objective, task));
        }
    }
}

TEST_P(start_properties, a_start_is_never_lost) {
    std::int32_t const task = GetParam();
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(57)}) {
        bool const large = level.code > 16;
        instance_batch const batch = instances_of(task, level, large ? 1 : repeats(3));
        solved_batch const unsearched = cpu_engine().solve(batch.view(), 0);
        for (csr_words const& starts : {unsearched.answers, noisy_starts(batch)}) {
            for (std::int64_t const budget : {0, 1, 10, 300}) {
                expect_kept(batch, starts, budget, task);
            }
            if (!large) {
                expect_kept(batch, starts, -1, task);
            }
        }
    }
}

TEST_P(start_properties, an_optimum_stays_one_and_bounds_no_worse) {
    std::int32_t const task = GetParam();
    instance_batch const batch = instances_of(task, difficulty::benchmark(), repeats(4));
    solved_batch const best = cpu_engine().solve(batch.view());
    for (std::int64_t const budget : {0, 1, 10, 300, -1}) {
        solved_batch const without = cpu_engine().solve(batch.view(), budget);
        solved_batch const with = cpu_engine().solve(batch.view(), budget, best.answers.view());
        for (std::size_t r = 0; r < with.rows.size(); ++r) {
            if (best.answers.row(std::int64_t(r)).empty()) {
                continue;
            }
            SCOPED_TRACE("budget " + std::to_string(budget) + ", row " + std::to_string(r));
            EXPECT_EQ(with.rows[r].objective, best.rows[r].objective);
            EXPECT_TRUE(as_good(without.rows[r].bound, with.rows[r].bound, task)) << "a worse bound";
            if (without.rows[r].proven()) {
                EXPECT_TRUE(with.rows[r].proven());
            }
        }
    }
}

TEST_P(start_properties, starts_that_are_none_are_refused_by_row) {
    instance_batch const batch = instances_of(GetParam(), difficulty::easy(), 3);
    csr_words const good = cpu_engine().solve(batch.view()).answers;
    auto const said_of = [&](csr_words const& starts) -> std::string {
        try {
            static_cast<void>(cpu_engine().solve(batch.view(), 10, starts.view()));
        } catch (error const& refused) {
            EXPECT_EQ(refused.code(), status::invalid_argument) << refused.what();
            return refused.what();
        }
        return "";
    };
    auto const with_second = [&](words const& second) {
        csr_words starts;
        starts.append(good.row(0));
        starts.append(second);
        starts.append(good.row(2));
        return starts;
    };
    EXPECT_EQ(said_of(good), "");
    EXPECT_EQ(said_of(with_second({})), "");
    EXPECT_NE(said_of(with_second({answer_flat, -7, -7})).find("starts: row 1 is no feasible answer"),
              std::string::npos);
    words many(100'000, -7);
    many[0] = answer_flat;
    EXPECT_NE(said_of(with_second(many)).find("starts: row 1 is no feasible answer"), std::string::npos);
    for (words const& block : {words{5, 1}, words{1, 100'000, 0}, words{1, -1}, words{INT32_MAX}, words{INT32_MIN},
                               words{answer_word}, words{answer_word, 1000}, words{answer_word, -1}}) {
        std::string const said = said_of(with_second(block));
        EXPECT_TRUE(said.find("starts: row 1 is no answer block") != std::string::npos || block[0] == INT32_MIN)
            << said;
        EXPECT_NE(said, "");
    }
    csr_words two;
    two.append(good.row(0));
    two.append(good.row(1));
    EXPECT_NE(said_of(two).find("starts: expected one row per instance (3), or none, got 2"), std::string::npos);
}

/// One proof of the table's, whole or cut. Only a proof ends it before its last slice. A search of the short form may
/// leave steps of a slice and make them when the next slice gives it room.
struct proof {
    task_kernels const& task;
    words_view instance;
    words start;
    std::int64_t start_objective;

    struct outcome {
        baseline row;
        words answer;
        friend bool operator==(outcome const&, outcome const&) = default;
    };

    [[nodiscard]] outcome cut_at(std::vector<std::int64_t> const& ends) const {
        words answer(std::max(start.size(), std::size_t(task.answer_words(instance))), -77);
        std::copy(start.begin(), start.end(), answer.begin());
        solve_result now{.objective = start_objective, .answer_words = std::int64_t(start.size())};
        garbage_words const scratch(task.exact_scratch_words(instance));
        garbage_words const state(task.exact_state_words(instance));
        std::int64_t begin = 0;
        for (std::int64_t const end : ends) {
            if (begin == 0 || (now.status != baseline_status::optimal && now.status != baseline_status::infeasible)) {
                scratch.spoil();
                now = task.exact(instance, now, {begin, end, ends.size() == 1 ? nullptr : state.get()}, answer.data(),
                                 scratch.get());
            }
            begin = end;
        }
        answer.resize(std::size_t(now.answer_words));
        return {{.objective = now.objective,
                 .bound = now.bound,
                 .steps = now.steps,
                 .status = now.status,
                 .bound_kind = now.bound_kind},
                answer};
    }
};

/// Expects the same bytes, with one exception. A search of the short form sees neither its start nor its cuts
/// (kernels/core/exact_call.hpp). Where a slice's bound meets the start, or was enough, it ends there, with the same
/// optimum after fewer steps.
void expect_same_end(proof::outcome const& cut, proof::outcome const& whole) {
    bool const sooner = cut.row.proven() && cut.row.steps < whole.row.steps;
    EXPECT_EQ(cut.row.status, whole.row.status);
    EXPECT_EQ(cut.row.objective, whole.row.objective);
    EXPECT_EQ(cut.row.bound, whole.row.bound);
    EXPECT_TRUE(sooner || cut == whole) << cut.row.steps << " steps, whole " << whole.row.steps;
}

TEST_P(start_properties, a_proof_that_is_cut_ends_where_the_whole_one_ends) {
    task_kernels const& task = kernels(GetParam());
    std::mt19937_64 random(11);
    for (difficulty const level : {difficulty::benchmark(), difficulty::scale(57)}) {
        std::int64_t const full = level.code > 16 ? 60 : 300;
        instance_batch const batch = instances_of(GetParam(), level, level.code > 16 ? 1 : 2);
        csr_words const starts = noisy_starts(batch);
        std::vector<verdict> const worth = cpu_engine().verify(batch.view(), starts.view());
        for (std::int64_t r = 0; r < batch.size(); ++r) {
            auto const row = batch.blocks.row(r);
            for (bool const started : {false, true}) {
                if (started && starts.row(r).empty()) {
                    continue;
                }
                SCOPED_TRACE("level " + std::to_string(level.code) + ", row " + std::to_string(r) +
                             (started ? ", with a start" : ""));
                proof const of{task,
                               {row.data(), std::int64_t(row.size())},
                               started ? words(starts.row(r).begin(), starts.row(r).end()) : words(),
                               started ? worth[std::size_t(r)].objective : no_objective};
                proof::outcome const whole = of.cut_at({full});
                std::int64_t const any = 1 + std::int64_t(random() % std::uint64_t(full - 1));
                expect_same_end(of.cut_at({any, full}), whole);
                expect_same_end(of.cut_at({1, 2, 3, 7, full / 2, full - 1, full}), whole);
                expect_same_end(of.cut_at({1, 2, 3, 7}), of.cut_at({7}));
            }
        }
    }
}

std::vector<std::int32_t> planting_tasks() {
    std::vector<std::int32_t> tasks = all_tasks();
    std::erase_if(tasks, [](std::int32_t task) { return kernels(task).planted == nullptr; });
    return tasks;
}

class plant_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, plant_properties, ::testing::ValuesIn(planting_tasks()), task_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(plant_properties);

TEST_P(plant_properties, a_plant_is_proven_without_a_step_at_any_level) {
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark(), difficulty::scale(0),
                                   difficulty::scale(7), difficulty::scale(57), difficulty::scale(200)}) {
        std::vector<instance_spec> const specs = specs_of(GetParam(), level, level.code > 16 ? 2 : 8);
        csr_words const plants = cpu_engine().planted(specs);
        instance_batch const batch = cpu_engine().generate(specs);
        for (std::int64_t const budget : {0, -1}) {
            for (baseline const& row : cpu_engine().solve(batch.view(), budget, plants.view()).rows) {
                EXPECT_EQ(row.status, baseline_status::optimal) << "level " << level.code;
                EXPECT_EQ(row.steps, 0) << "level " << level.code;
            }
        }
        for (std::int64_t r = 0; r < plants.rows(); ++r) {
            EXPECT_FALSE(plants.row(r).empty()) << "level " << level.code << ", row " << r;
        }
    }
}

TEST_P(plant_properties, a_planted_proof_agrees_with_a_search) {
    for (difficulty const level : {difficulty::easy(), difficulty::benchmark()}) {
        std::vector<instance_spec> const specs = specs_of(GetParam(), level, 10);
        instance_batch const batch = cpu_engine().generate(specs);
        solved_batch const planted = cpu_engine().solve(batch.view(), -1, cpu_engine().planted(specs).view());
        solved_batch const searched = cpu_engine().solve(batch.view());
        for (std::size_t r = 0; r < specs.size(); ++r) {
            if (searched.rows[r].proven()) {
                EXPECT_EQ(planted.rows[r].objective, searched.rows[r].objective);
            }
        }
    }
}

TEST_P(plant_properties, plants_do_not_depend_on_their_batch) {
    std::vector<instance_spec> specs = specs_of(GetParam(), difficulty::benchmark(), 6);
    csr_words const alone = cpu_engine().planted(specs);
    specs.insert(specs.begin() + 2, {-1, {}, split::train, 0});
    engine const threaded({.where = device::cpu, .threads = 4});
    csr_words const mixed = threaded.planted(specs);
    ASSERT_EQ(mixed.rows(), 7);
    EXPECT_TRUE(mixed.row(2).empty());
    for (std::int64_t r = 0; r < 6; ++r) {
        EXPECT_TRUE(std::ranges::equal(alone.row(r), mixed.row(r < 2 ? r : r + 1))) << r;
    }
}

}  // namespace
}  // namespace optgap::testing
