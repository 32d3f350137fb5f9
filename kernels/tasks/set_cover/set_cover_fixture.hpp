#pragma once
// Shared by the tests of set_cover: instances, and one solo call of each of the task's functions.

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/tasks/set_cover/set_cover.hpp"

namespace optgap::set_cover_fixture {

using optgap::tasks::set_cover::task;
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

inline block random_cover(std::mt19937& random, std::int32_t u, std::int32_t s, std::int32_t permille) {
    block words(std::size_t(tasks::set_cover::cover_words(u, s)));
    words[0] = u;
    words[1] = s;
    for (std::int32_t j = 0; j < s; ++j) {
        for (std::int32_t e = 0; e < u; ++e) {
            if (std::int32_t(random() % 1000) < permille) {
                std::int32_t& word = words[std::size_t(2 + j * bitset_words(u) + e / 32)];
                word = std::int32_t(std::uint32_t(word) | 1u << (e % 32));
            }
        }
    }
    return words;
}

inline block flat(std::vector<std::int32_t> values) {
    values.insert(values.begin(), answer_flat);
    return values;
}

inline verdict verify(block const& instance, block const& answer) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
}

inline block generate(std::uint64_t seed, difficulty level) {
    solo team;
    draw const source{seed, 0x5e7};
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

inline block noisy_greedy(block const& instance, draw source) {
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::noisy_greedy(view(instance), source, answer.data(), scratch.data())));
    return answer;
}

inline block greedy(block const& instance) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::greedy(team, view(instance), answer.data(), scratch.data())));
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

/// Six elements, sets {0,1,2} {2,3} {0,4} {3,4,5} {1,2,5}.
inline block const paper = {6, 5, 0b000111, 0b001100, 0b010001, 0b111000, 0b100110};

/// Element 2 is in no set.
inline block const impossible = {3, 2, 0b001, 0b010};

}  // namespace optgap::set_cover_fixture
