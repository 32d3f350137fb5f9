// A local search may be cut after any number of steps. For every task of the registry, slices end where the whole
// search ends, to the byte, and every slice gives the result of a search of as many steps.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "tests/support/garbage_words.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/task_cases.hpp"

namespace optgap::testing {
namespace {

class slice_properties : public ::testing::TestWithParam<std::int32_t> {};
INSTANTIATE_TEST_SUITE_P(tasks, slice_properties, ::testing::ValuesIn(all_tasks()), task_name);

struct tally {
    std::int64_t resumed = 0;  ///< later slices that made a step
    std::int64_t lasting = 0;  ///< searches in which every slice took part
    std::int64_t evaluations = 0;
};

/// One search, whole or in slices.
struct search {
    task_kernels const& task;
    words_view instance;
    draw source{12345, 67};

    struct outcome {
        words answer;
        improve_result result;
    };

    [[nodiscard]] outcome whole(words const& start, std::int64_t steps) const {
        outcome out{start, {.answer_words = std::int64_t(start.size())}};
        garbage_words const scratch(task.improve_scratch_words(instance));
        out.answer.resize(std::max(start.size(), std::size_t(task.answer_words(instance))), -77);
        out.result = task.improve(instance, out.answer.data(), out.result, {0, steps}, source, scratch.get());
        return out;
    }

    /// Runs slices as an executor does. Each slice (of many only the last) is compared with a whole search of as many
    /// steps.
    void expect_slices(words const& start, std::vector<std::int64_t> const& cuts, tally& seen) const {
        outcome now{start, {.answer_words = std::int64_t(start.size())}};
        now.answer.resize(std::max(start.size(), std::size_t(task.answer_words(instance))), -77);
        garbage_words const scratch(task.improve_scratch_words(instance));
        garbage_words const state(task.improve_state_words(instance));
        std::int64_t begin = 0;
        for (std::int64_t const end : cuts) {
            if (begin == 0 || now.result.goes_on(begin)) {
                scratch.spoil();
                now.result = task.improve(instance, now.answer.data(), now.result, {begin, end, state.get()}, source,
                                          scratch.get());
                seen.resumed += begin > 0 && now.result.moves > begin ? 1 : 0;
            }
            begin = end;
            if (cuts.size() > 100 && end != cuts.back()) {
                continue;
            }
            outcome const expected = whole(start, end);
            ASSERT_EQ(now.result, expected.result) << "cut at step " << end;
            auto const used = std::ptrdiff_t(now.result.answer_words);
            ASSERT_TRUE(std::equal(now.answer.begin(), now.answer.begin() + used, expected.answer.begin()))
                << "cut at step " << end;
        }
        seen.lasting += now.result.goes_on(begin) ? 1 : 0;
        seen.evaluations += now.result.evaluations;
    }
};

std::vector<std::int64_t> random_cuts(std::mt19937_64& random, std::int64_t longest, int count) {
    std::vector<std::int64_t> cuts;
    std::int64_t at = 0;
    for (int k = 0; k < count; ++k) {
        at += 1 + std::int64_t(random() % std::uint64_t(longest));
        cuts.push_back(at);
    }
    return cuts;
}

/// The worst feasible answer of noisy policies, so that the search has far to go; else `start`.
words worst_noisy(instance_batch const& batch, std::int64_t r, std::span<std::int32_t const> start) {
    csr_words const noisy = cpu_engine().noisy_greedy(batch.view(), 8, 3);
    std::vector<std::int32_t> of;
    for (std::int64_t k = 0; k < noisy.rows(); ++k) {
        of.push_back(std::int32_t(k / 8));
    }
    std::vector<verdict> const found = cpu_engine().verify(batch.view(), noisy.view(), of);
    bool const most = cpu_engine().tasks()[std::size_t(batch.task[0])].objective_sense == sense::maximise;
    words worst(start.begin(), start.end());
    std::int64_t objective = no_objective;
    for (std::int64_t k = 8 * r; k < 8 * r + 8; ++k) {
        verdict const& own = found[std::size_t(k)];
        if (own.feasible() && (objective == no_objective || (own.objective < objective) == most)) {
            objective = own.objective;
            worst.assign(noisy.row(k).begin(), noisy.row(k).end());
        }
    }
    return worst;
}

TEST_P(slice_properties, slices_end_where_the_whole_search_ends) {
    task_kernels const& task = *registry()[std::size_t(GetParam())].builds[0];
    bool const searches = abilities_of(GetParam()).improves;  // else small instances show that nothing moves
    std::mt19937_64 random(2024);
    tally seen;
    for (difficulty const level :
         {difficulty::scale(0), difficulty::scale(8), difficulty::scale(100), difficulty::easy(), difficulty::hard()}) {
        if (!searches && level.code > 8) {
            continue;
        }
        instance_batch const batch = instances_of(GetParam(), level, repeats(4));
        csr_words const starts = feasible_starts(batch, cpu_engine().solve(batch.view(), 20));
        for (std::int64_t r = 0; r < batch.size(); ++r) {
            auto const row = batch.blocks.row(r);
            search const of{task, {row.data(), std::int64_t(row.size())}};
            words const start = worst_noisy(batch, r, starts.row(r));
            SCOPED_TRACE("level " + std::to_string(level.code) + ", row " + std::to_string(r));
            of.expect_slices(start, random_cuts(random, 3, repeats(30)), seen);
            of.expect_slices(start, random_cuts(random, 60, repeats(8)), seen);
            of.expect_slices(start, random_cuts(random, 300, 3), seen);
        }
    }
    // Longer searches in single steps, as many as are inexpensive.
    instance_batch const batch = instances_of(GetParam(), difficulty::scale(50), 12);
    csr_words const starts = feasible_starts(batch, cpu_engine().solve(batch.view(), 0));
    seen.evaluations = 0;
    for (std::int64_t r = 0; searches && r < batch.size() && seen.evaluations < repeats(1'000'000); ++r) {
        auto const row = batch.blocks.row(r);
        search const of{task, {row.data(), std::int64_t(row.size())}};
        SCOPED_TRACE("row " + std::to_string(r));
        of.expect_slices(worst_noisy(batch, r, starts.row(r)), random_cuts(random, 1, 300), seen);
    }
    if (searches) {
        EXPECT_GT(seen.resumed, 5) << "the searches end too soon to be cut";
    } else {
        EXPECT_EQ(seen.resumed, 0) << "a task without a search made a move";
    }
}

/// Large enough for what small instances do not have: lists of neighbours, rows of many words.
TEST_P(slice_properties, slices_of_large_searches_end_where_the_whole_search_ends) {
    if (!abilities_of(GetParam()).improves) {
        GTEST_SKIP() << "a task without a search";
    }
    task_kernels const& task = *registry()[std::size_t(GetParam())].builds[0];
    std::mt19937_64 random(7);
    instance_batch const batch = instances_of(GetParam(), difficulty::scale(352), 1);
    csr_words const starts = feasible_starts(batch, cpu_engine().solve(batch.view(), 0));
    auto const row = batch.blocks.row(0);
    search const of{task, {row.data(), std::int64_t(row.size())}};
    tally seen;
    of.expect_slices(worst_noisy(batch, 0, starts.row(0)), random_cuts(random, 5, 5), seen);
    EXPECT_EQ(seen.lasting, 1);
}

TEST_P(slice_properties, a_search_from_an_infeasible_answer_has_ended) {
    task_kernels const& task = *registry()[std::size_t(GetParam())].builds[0];
    instance_batch const batch = small_instances(GetParam(), 1);
    auto const row = batch.blocks.row(0);
    search const of{task, {row.data(), std::int64_t(row.size())}};
    words const start{answer_flat, -7, -7};
    tally seen;
    of.expect_slices(start, {1, 2, 10}, seen);
    EXPECT_EQ(seen.lasting, 0);
    EXPECT_FALSE(of.whole(start, 5).result.goes_on(5));
}

}  // namespace
}  // namespace optgap::testing
