#pragma once
// Shared by the tests of subset_sum: instances, and one solo call of each of the task's functions.

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/tasks/subset_sum/subset_sum.hpp"
#include "kernels/tasks/subset_sum/subset_sum_reference.hpp"

namespace optgap::subset_sum_fixture {

using task = tasks::subset_sum::task;
using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// Scratch that is 64-byte aligned and filled with arbitrary values.
struct garbage {
    explicit garbage(std::int64_t count) : lines(std::size_t(count / 16 + 1)) {
        std::memset(static_cast<void*>(lines.data()), 0x5a, lines.size() * sizeof(line));
    }
    struct alignas(64) line {
        std::int32_t words[16];
    };
    std::int32_t* data() { return lines[0].words; }
    std::vector<line> lines;
};

inline block instance_of(std::int32_t target, std::vector<std::int32_t> const& values) {
    block words{std::int32_t(values.size()), target};
    words.insert(words.end(), values.begin(), values.end());
    return words;
}

inline block generated(std::uint64_t seed, difficulty level) {
    draw const source{seed, 7};
    block words(std::size_t(task::instance_words(source, level)));
    garbage scratch(task::generate_scratch_words(source, level));
    solo team;
    task::generate(team, source, level, words.data(), scratch.data());
    return words;
}

inline block flat(std::vector<std::int32_t> values) {
    values.insert(values.begin(), answer_flat);
    return values;
}

inline verdict verified(block const& instance, block const& answer) {
    garbage scratch(task::scratch_words(view(instance)));
    solo team;
    verdict const found = task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
    EXPECT_EQ(found, reference::subset_sum::verify(instance, answer));
    return found;
}

struct solved {
    solve_result result;
    block answer;
};

inline solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    garbage scratch(task::exact_scratch_words(view(instance)));
    solved out;
    out.answer.resize(std::size_t(task::answer_words(view(instance))));
    out.result = task::exact(view(instance), budget, out.answer.data(), scratch.data());
    out.answer.resize(std::size_t(out.result.answer_words));
    return out;
}

inline block greedy(block const& instance) {
    garbage scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    solo team;
    answer.resize(std::size_t(task::greedy(team, view(instance), answer.data(), scratch.data())));
    return answer;
}

inline block noisy(block const& instance, std::uint64_t seed, std::uint32_t k) {
    garbage scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::noisy_greedy(view(instance), {seed, k}, answer.data(), scratch.data())));
    return answer;
}

struct improved {
    improve_result result;
    block answer;
};

inline improved improve(block const& instance, block const& start, std::int64_t steps) {
    garbage scratch(task::scratch_words(view(instance)));
    improved found{{}, start};
    found.answer.resize(std::max(start.size(), std::size_t(task::answer_words(view(instance)))));
    solo team;
    found.result = task::improve(team, view(instance), found.answer.data(),
                                 {.answer_words = std::int64_t(start.size())}, {0, steps}, draw{3, 7}, scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

/// Checks that the answer is optimal with the reference's optimum, or proven not to exist.
inline void expect_proven(block const& instance) {
    solved const found = solve(instance);
    std::optional<std::int64_t> const optimum = reference::subset_sum::optimum(instance);
    if (optimum) {
        ASSERT_EQ(found.result.status, baseline_status::optimal);
        ASSERT_EQ(found.result.objective, *optimum);
        ASSERT_EQ(found.result.bound, *optimum);
        ASSERT_EQ(verified(instance, found.answer).code, code_ok);
        ASSERT_EQ(verified(instance, found.answer).objective, *optimum);
    } else {
        ASSERT_EQ(found.result.status, baseline_status::infeasible);
        ASSERT_EQ(found.result.objective, no_objective);
        ASSERT_EQ(found.result.bound, no_objective);
        ASSERT_EQ(found.result.answer_words, 0);
    }
}

/// Small instances of many shapes: zeros, repeats, common divisors, targets that cannot be reached.
inline block odd_instance(std::uint64_t seed, std::int32_t largest) {
    draw_stream stream(draw{seed, 99}, 0);
    std::int32_t const factor = largest < 1000 ? stream.uniform(1, 3) : 1;
    std::vector<std::int32_t> values(std::size_t(stream.uniform(1, 13)));
    std::int32_t target = 0;
    for (std::int32_t& value : values) {
        value = factor * stream.uniform(0, largest);
        target += stream.chance(500) ? value : 0;
    }
    return instance_of(stream.chance(250) ? stream.uniform(0, largest) : target, values);
}

inline block paper() { return instance_of(10, {2, 3, 7, 8, 5}); }

}  // namespace optgap::subset_sum_fixture
