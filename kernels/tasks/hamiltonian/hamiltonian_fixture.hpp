#pragma once
// Shared by the tests of hamiltonian: instances, and one solo call of each of the task's functions.

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "kernels/tasks/hamiltonian/hamiltonian.hpp"
#include "kernels/text/graph_json.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::hamiltonian_fixture {

using optgap::tasks::hamiltonian::task;
using words = std::vector<std::int32_t>;

inline words_view view(words const& block) { return {block.data(), std::int64_t(block.size())}; }

/// 64-byte aligned, and filled with arbitrary values: scratch is never zero.
class scratch_memory {
public:
    explicit scratch_memory(std::int64_t size) : memory_(std::size_t(size) + 16, 0x5a5a5a5a) {}
    std::int32_t* data() {
        auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
        return memory_.data() + (64 - address % 64) % 64 / 4;
    }

private:
    words memory_;
};

using edge_list = std::vector<std::pair<std::int32_t, std::int32_t>>;

inline words graph(std::int32_t n, edge_list const& edges) {
    words made(std::size_t(graph_words(n)));
    solo team;
    std::uint32_t* const rows = begin_graph(team, made.data(), n);
    for (auto const& [u, v] : edges) {
        add_edge(team, rows, n, u, v);
    }
    return made;
}

inline words random_graph(std::mt19937& random, std::int32_t n, std::int32_t permille) {
    edge_list edges;
    for (std::int32_t u = 0; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (std::int32_t(random() % 1000) < permille) {
                edges.emplace_back(u, v);
            }
        }
    }
    return graph(n, edges);
}

inline words complete_bipartite(std::int32_t left, std::int32_t right) {
    edge_list edges;
    for (std::int32_t u = 0; u < left; ++u) {
        for (std::int32_t v = 0; v < right; ++v) {
            edges.emplace_back(u, left + v);
        }
    }
    return graph(left + right, edges);
}

/// Outer cycle 0 … k-1, spokes v to k+v, and edges k+v to k+(v+step): Petersen's graph for k = 5, step 2.
inline words generalised_petersen(std::int32_t k, std::int32_t step) {
    edge_list edges;
    for (std::int32_t v = 0; v < k; ++v) {
        edges.emplace_back(v, (v + 1) % k);
        edges.emplace_back(v, k + v);
        edges.emplace_back(k + v, k + (v + step) % k);
    }
    return graph(2 * k, edges);
}

inline words flat(words values) {
    values.insert(values.begin(), answer_flat);
    return values;
}

inline verdict verify(words const& instance, words const& answer) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    return task::verify(team, view(instance), view_answer(view(answer)), scratch.data());
}

inline words generate(std::uint64_t seed, difficulty level) {
    solo team;
    draw const source{seed, 0x1d5};
    words made(std::size_t(task::instance_words(source, level)));
    scratch_memory scratch(task::generate_scratch_words(source, level));
    task::generate(team, source, level, made.data(), scratch.data());
    return made;
}

struct solved {
    solve_result result;
    words answer;
};
inline solved solve(words const& instance, std::int64_t budget = task::default_budget) {
    scratch_memory scratch(task::exact_scratch_words(view(instance)));
    solved found{{}, words(std::size_t(task::answer_words(view(instance))))};
    found.result = task::exact(view(instance), budget, found.answer.data(), scratch.data());
    found.answer.resize(std::size_t(found.result.answer_words));
    return found;
}

inline words greedy(words const& instance) {
    solo team;
    scratch_memory scratch(task::scratch_words(view(instance)));
    words answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::greedy(team, view(instance), answer.data(), scratch.data())));
    return answer;
}

inline words noisy_greedy(words const& instance, draw source) {
    scratch_memory scratch(task::scratch_words(view(instance)));
    words answer(std::size_t(task::answer_words(view(instance))));
    answer.resize(std::size_t(task::noisy_greedy(view(instance), source, answer.data(), scratch.data())));
    return answer;
}

struct improved {
    improve_result result;
    words answer;
};
inline improved improve(words const& instance, words const& start, std::int64_t steps, std::uint64_t seed = 3) {
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

/// A square with one diagonal, 0-2.
inline words const square = graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}});

}  // namespace optgap::hamiltonian_fixture
