#pragma once
// Proofs of instances that no generator draws, against the task's slow reference: the proven value is the optimum, also
// where the search is cut and resumed after every step.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/core/exact_call.hpp"
#include "kernels/core/team.hpp"
#include "kernels/core/thread_team.hpp"
#include "optgap/verdict.hpp"

namespace optgap::testing {

using wide_block = std::vector<std::int32_t>;

inline words_view wide_view(wide_block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned and filled with garbage.
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

/// Proves in slices that end at each multiple of `slice` steps.
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

/// `verify` and `optimum` are the slow reference's.
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

/// The results of floor, greedy, a walk from its answer and the verifier, for a team with a given number of lanes.
struct wide_verbs {
    wide_block floor, greedy, improved;
    std::int64_t objective = 0;
    verdict found;
    friend bool operator==(wide_verbs const&, wide_verbs const&) = default;
};
template <class Task>
struct wide_run {
    wide_block const& words;
    wide_verbs out;
    wide_memory memory;

    explicit wide_run(wide_block const& of)
        : words(of), memory(std::max(Task::scratch_words(wide_view(of)), improve_scratch_words<Task>(wide_view(of)))) {
        std::size_t const room = std::size_t(Task::answer_words(wide_view(of)));
        out.floor.resize(room);
        out.greedy.resize(room);
    }
    template <class Team>
    void operator()(Team& team) {
        words_view const instance = wide_view(words);
        std::int64_t const floor = Task::floor(team, instance, out.floor.data(), memory.data());
        team.sync();
        std::int64_t const greedy = Task::greedy(team, instance, out.greedy.data(), memory.data());
        team.sync();
        if (team.rank() == 0) {
            out.floor.resize(std::size_t(floor));
            out.improved = out.greedy;
            out.greedy.resize(std::size_t(greedy));
        }
        team.sync();
        if (greedy == 0) {
            return;
        }
        improve_result const walked = Task::improve(team, instance, out.improved.data(), {.answer_words = greedy},
                                                    {0, 20, nullptr}, {3, 7}, memory.data());
        team.sync();
        words_view const answer{out.improved.data(), walked.answer_words};
        verdict const found = Task::verify(team, instance, view_answer(answer), memory.data());
        if (team.rank() == 0) {
            out.improved.resize(std::size_t(walked.answer_words));
            out.objective = walked.objective;
            out.found = found;
        }
    }
};

template <class Task>
void expect_teams_agree(wide_block const& words) {
    wide_run<Task> by_one(words);
    solo team;
    by_one(team);
    wide_run<Task> by_three(words);
    run_as_team<3>([&](auto& lanes) { by_three(lanes); });
    EXPECT_EQ(by_one.out, by_three.out);
    if (!by_one.out.greedy.empty()) {
        EXPECT_TRUE(by_one.out.found.feasible()) << "a search from a feasible answer";
        EXPECT_EQ(by_one.out.found.objective, by_one.out.objective);
    }
}

/// A search from an answer in any spelling leaves it unchanged without steps, and is never worse with many. The
/// objective that it reports is checked and returned.
template <class Task>
std::int64_t searched(wide_block const& words, wide_block const& start, std::int64_t steps) {
    words_view const instance = wide_view(words);
    wide_memory scratch(improve_scratch_words<Task>(instance));
    solo team;
    std::int64_t objective = no_objective;
    for (std::int64_t const taken : {std::int64_t(0), steps}) {
        wide_block answer = start;
        answer.resize(std::max(start.size(), std::size_t(Task::answer_words(instance))));
        improve_result const found =
            Task::improve(team, instance, answer.data(), {.answer_words = std::int64_t(start.size())},
                          {0, taken, nullptr}, {3, 7}, scratch.data());
        answer.resize(std::size_t(found.answer_words));
        verdict const of = Task::verify(team, instance, view_answer(wide_view(answer)), scratch.data());
        EXPECT_TRUE(of.feasible());
        EXPECT_EQ(of.objective, found.objective);
        EXPECT_TRUE(found.objective == found.start_objective ||
                    (found.objective > found.start_objective) == (Task::objective_sense == sense::maximise));
        EXPECT_TRUE(taken > 0 || answer == start);
        objective = found.objective;
    }
    return objective;
}

}  // namespace optgap::testing
