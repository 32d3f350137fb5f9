#pragma once
// What the tests of independent_set share: instances, and one solo call of each of the task's functions.

#include <algorithm>
#include <random>
#include <vector>

#include "host/graph_json.hpp"
#include "host/task_text.hpp"
#include "kernels/tasks/independent_set/independent_set.hpp"

namespace optgap::independent_set_fixture {

using optgap::tasks::independent_set::task;
using block = std::vector<std::int32_t>;

inline words_view view(block const& words) { return {words.data(), std::int64_t(words.size())}; }

/// 64-byte aligned, and filled with rubbish: scratch is never zero.
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

inline block graph(char const* text) { return graph_from_json(json::parse(text)); }

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

inline verdict verify(block const& instance, block const& answer) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
}

inline block generate(std::uint64_t seed, difficulty level) {
    solo team;
    draw const source{seed, 0x1d5};
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

inline block construct(block const& instance) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    block answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::construct(team, view(instance), answer.data(), scratch.data())));
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
    found.result = task::improve(team, view(instance), found.answer.data(), std::int64_t(start.size()), steps,
                                 draw{seed, 7}, scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

inline block const paper = graph(R"({"n":4,"edges":[[0,1],[0,2],[1,2],[1,3],[2,3]]})");

}  // namespace optgap::independent_set_fixture
