#pragma once
// Shared by the tests of bisection: instances, and one solo call of each of the task's functions.

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/tasks/bisection/bisection.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

extern optgap::task_text const optgap_text_bisection;

namespace optgap::bisection_fixture {

using optgap::tasks::bisection::task;
using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned, and filled with arbitrary values: scratch is never zero.
class scratch_memory {
public:
    explicit scratch_memory(std::int64_t words) : memory_(std::size_t(words) + 16, 0x5a5a5a5a) {}
    std::int32_t* data() {
        auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
        return memory_.data() + (64 - address % 64) % 64 / 4;
    }

private:
    block memory_;
};

inline block graph(char const* text) { return optgap::testing::read_instance(optgap_text_bisection, text); }

/// Each pair is an edge with probability permille / 1000, of weight 1 … heaviest.
inline block random_graph(std::mt19937& random, std::int32_t n, std::int32_t permille, std::int32_t heaviest) {
    block words(std::size_t(1 + n * n));
    words[0] = n;
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            bool const edge = std::int32_t(random() % 1000) < permille;
            std::int32_t const weight = edge ? std::int32_t(random() % std::uint32_t(heaviest)) + 1 : 0;
            words[std::size_t(1 + u * n + v)] = weight;
            words[std::size_t(1 + v * n + u)] = weight;
        }
    }
    return words;
}

inline block parts(block const& first, block const& second) {
    block answer{2, std::int32_t(first.size()), std::int32_t(second.size())};
    answer.insert(answer.end(), first.begin(), first.end());
    answer.insert(answer.end(), second.begin(), second.end());
    return answer;
}

inline verdict verify(block const& instance, block const& answer) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
}

inline block generate(std::uint64_t seed, difficulty level) {
    solo team;
    draw const source{seed, 0xb15};
    block words(std::size_t(task::instance_words(source, level)));
    scratch_memory scratch(task::generate_scratch_words(source, level));
    task::generate(team, source, level, words.data(), scratch.data());
    return words;
}

struct solved {
    solve_result result;
    block answer;
};
inline solved solve(block const& instance, std::int64_t budget = task::default_budget) {
    scratch_memory scratch(task::exact_scratch_words(view(instance)));
    solved found{{}, block(std::size_t(task::answer_words(view(instance))))};
    found.result = task::exact(view(instance), budget, found.answer.data(), scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

inline block greedy(block const& instance) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::greedy(team, view(instance), answer.data(), scratch.data())));
    return answer;
}

inline block noisy_greedy(block const& instance, draw source) {
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::noisy_greedy(view(instance), source, answer.data(), scratch.data())));
    return answer;
}

inline block floor(block const& instance) {
    solo team;
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::floor(team, view(instance), answer.data(), nullptr)));
    return answer;
}

struct improved {
    improve_result result;
    block answer;
};
inline improved improve(block const& instance, block const& start, std::int64_t steps, std::uint64_t seed = 3) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    improved found{{}, start};
    found.answer.resize(std::max(start.size(), std::size_t(task::answer_words(view(instance)))));
    found.result =
        task::improve(team, view(instance), found.answer.data(), {.answer_words = std::int64_t(start.size())},
                      {0, steps}, draw{seed, 7}, scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

inline block const& paper() {
    static block const instance = graph(R"({"n":4,"edges":[[0,1,3],[0,2,1],[1,2,2],[1,3,2],[2,3,3]]})");
    return instance;
}

}  // namespace optgap::bisection_fixture
