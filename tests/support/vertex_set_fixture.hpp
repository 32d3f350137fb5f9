#pragma once
// Shared by the tests of clique and independent set: instances, and one solo call of each of a task's functions.

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/core/graph.hpp"
#include "kernels/core/task.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/task_text.hpp"
#include "tests/support/instance_json.hpp"

namespace optgap::vertex_set_fixture {

using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned and filled with garbage, since scratch is never zero.
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

inline block graph(char const* text) { return optgap::testing::read_graph(text); }

inline block random_graph(std::mt19937& random, std::int32_t n, std::int32_t permille) {
    block words(std::size_t(graph_words(n)));
    solo team;
    std::uint32_t* const rows = begin_graph(team, words.data(), n);
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (std::int32_t(random() % 1000) < permille) {
                add_edge(team, rows, n, u, v);
            }
        }
    }
    return words;
}

inline block flat(std::vector<std::int32_t> values) {
    values.insert(values.begin(), answer_flat);
    return values;
}

struct solved {
    solve_result result;
    block answer;
};

struct improved {
    improve_result result;
    block answer;
};

/// One solo call of each of a task's functions.
template <class Task>
struct calls_of {
    static verdict verify(block const& instance, block const& answer) {
        solo team;
        scratch_memory scratch(Task::scratch_words(view(instance)));
        return Task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
    }

    static block generate(std::uint64_t seed, difficulty level) {
        solo team;
        draw const source{seed, 0x1d5};
        block words(std::size_t(Task::instance_words(source, level)));
        scratch_memory scratch(Task::generate_scratch_words(source, level));
        Task::generate(team, source, level, words.data(), scratch.data());
        return words;
    }

    static solved solve(block const& instance, std::int64_t budget) {
        scratch_memory scratch(Task::exact_scratch_words(view(instance)));
        solved found{{}, block(std::size_t(Task::answer_words(view(instance))))};
        found.result = Task::exact(view(instance), budget, found.answer.data(), scratch.data());
        found.answer.resize(std::size_t(found.result.answer_words));
        return found;
    }

    static block greedy(block const& instance) {
        solo team;
        scratch_memory scratch(Task::scratch_words(view(instance)));
        block answer(std::size_t(Task::answer_words(view(instance))));
        answer.resize(std::size_t(Task::greedy(team, view(instance), answer.data(), scratch.data())));
        return answer;
    }

    static improved improve(block const& instance, block const& start, std::int64_t steps) {
        solo team;
        scratch_memory scratch(Task::scratch_words(view(instance)));
        improved found{{}, start};
        found.answer.resize(std::max(start.size(), std::size_t(Task::answer_words(view(instance)))));
        found.result =
            Task::improve(team, view(instance), found.answer.data(), {.answer_words = std::int64_t(start.size())},
                          {0, steps}, draw{3, 7}, scratch.data());
        found.answer.resize(std::size_t(found.result.answer_words));
        return found;
    }
};

}  // namespace optgap::vertex_set_fixture
