#pragma once
// Proofs of instances that no generator draws, against the task's slow twin: what is proven is the optimum, also where
// the search is cut and taken up again after every step.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/core/exact_call.hpp"
#include "kernels/core/team.hpp"
#include "optgap/verdict.hpp"

namespace optgap::testing {

using wide_block = std::vector<std::int32_t>;

inline words_view wide_view(wide_block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned and filled with rubbish.
class wide_memory {
public:
    explicit wide_memory(std::int64_t words) : memory_(std::size_t(words) + 16, 0x5a5a5a5a) {}
    std::int32_t* data() {
        auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
        return memory_.data() + (64 - address % 64) % 64 / 4;
    }

private:
    wide_block memory_;
};

struct wide_proof {
    solve_result result;
    wide_block answer;
};

/// In slices that end at each multiple of `slice` steps.
template <class Task>
wide_proof prove(wide_block const& words, std::int64_t slice) {
    words_view const instance = wide_view(words);
    wide_memory scratch(exact_call<Task>::scratch_words(instance));
    wide_memory state(exact_call<Task>::state_words(instance));
    wide_proof found{{}, wide_block(std::size_t(Task::answer_words(instance)))};
    no_proof unasked;
    auto const decided = [&] {
        return found.result.status == baseline_status::optimal || found.result.status == baseline_status::infeasible;
    };
    for (std::int64_t begin = 0; begin < Task::default_budget && !decided(); begin += slice) {
        found.result = exact_call<Task>::run(instance, found.result, {begin, begin + slice, state.data()},
                                             found.answer.data(), scratch.data(), unasked);
    }
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

/// `verify` and `optimum` are the slow twin's.
template <class Task, class Verify, class Optimum>
void expect_the_optimum(wide_block const& words, Verify const& verify, Optimum const& optimum) {
    words_view const instance = wide_view(words);
    ASSERT_EQ(Task::check(instance), nullptr) << Task::check(instance);
    std::optional<std::int64_t> const best = optimum(std::span<std::int32_t const>(words));
    wide_proof const whole = prove<Task>(words, Task::default_budget);
    if (best) {
        ASSERT_EQ(whole.result.status, baseline_status::optimal);
        EXPECT_EQ(whole.result.objective, *best);
        EXPECT_EQ(whole.result.bound, *best);
        wide_memory scratch(Task::scratch_words(instance));
        solo team;
        verdict const told = Task::verify(team, instance, view_answer(wide_view(whole.answer)), scratch.data());
        EXPECT_EQ(told.code, code_ok);
        EXPECT_EQ(told.objective, *best);
        EXPECT_EQ(told, verify(std::span<std::int32_t const>(words), std::span<std::int32_t const>(whole.answer)));
    } else {
        EXPECT_EQ(whole.result.status, baseline_status::infeasible);
        EXPECT_EQ(whole.result.answer_words, 0);
    }
    if constexpr (takes_starts<Task>) {
        wide_proof const cut = prove<Task>(words, 1);
        EXPECT_EQ(cut.result.objective, whole.result.objective);
        EXPECT_EQ(cut.result.status, whole.result.status);
        EXPECT_EQ(cut.answer, whole.answer);
    }
}

}  // namespace optgap::testing
