#pragma once
// Texts shared by clique and independent set. Host only.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"
#include "kernels/core/words.hpp"
#include "kernels/search/degree_greedy.hpp"
#include "kernels/text/number_text.hpp"
#include "optgap/verdict.hpp"

namespace optgap::search {

/// Purpose of the worked example's random words, separate from the generators' purposes.
inline constexpr std::uint32_t draw_example = 1000;

struct worked_example {
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> answer;
    [[nodiscard]] graph_view graph() const { return view_graph({words.data(), std::int64_t(words.size())}); }
};

/// Whether u and v, which differ, may not be chosen together.
inline bool forbidden(vertex_set kind, graph_view graph, std::int32_t u, std::int32_t v) {
    return graph.adjacent(u, v) == (kind == vertex_set::independent);
}

/// Five or six vertices with at least one edge, and the first of their optima as a number whose bits are the members.
inline worked_example draw_worked_example(vertex_set kind, draw source) {
    draw_stream stream(source, draw_example);
    std::int32_t const n = stream.uniform(5, 6);
    std::int32_t const edge_permille = kind == vertex_set::independent ? 400 : 600;
    worked_example example{std::vector<std::int32_t>(std::size_t(graph_words(n))), {}};
    solo team;
    std::uint32_t* const rows = begin_graph(team, example.words.data(), n);
    add_edge(team, rows, n, 0, stream.uniform(1, n - 1));
    for (std::int32_t u = 1; u < n; ++u) {
        for (std::int32_t v = 0; v < u; ++v) {
            if (stream.chance(edge_permille)) {
                add_edge(team, rows, n, u, v);
            }
        }
    }
    for (std::uint32_t set = 1; set < 1u << n; ++set) {
        bool allowed = true;
        std::vector<std::int32_t> members;
        for (std::int32_t v = 0; v < n; ++v) {
            if (set >> v & 1u) {
                for (std::int32_t const u : members) {
                    allowed = allowed && !forbidden(kind, example.graph(), u, v);
                }
                members.push_back(v);
            }
        }
        if (allowed && members.size() > example.answer.size()) {
            example.answer = members;
        }
    }
    return example;
}

/// The sentence for a verdict of verify_vertex_set.
inline std::string explain_vertex_set(vertex_set kind, words_view instance, words_view answer, verdict const& found) {
    graph_view const graph = view_graph(instance);
    answer_view const list = view_answer(answer);
    std::string const adjacent = "adjacent";
    std::string const required = kind == vertex_set::clique ? adjacent : "non-adjacent";
    std::string const broken = kind == vertex_set::clique ? "not adjacent" : adjacent;
    auto const at = [&](std::int64_t i) { return std::to_string(list.values[i]); };
    auto const place = [](std::int64_t i) { return " (position " + std::to_string(i) + ")"; };
    switch (found.code) {
        case code_ok: return "The " + std::to_string(list.count) + " vertices are pairwise " + required + ".";
        case code_unparsable: return "The answer is a word; a list of vertices is needed.";
        case code_bad_depth: return "The answer is a list of lists; one flat list of vertices is needed.";
        case code_empty: return "The list is empty; a set of at least one vertex always exists.";
        case code_out_of_range:
            return at(found.where) + place(found.where) + " is no vertex: the vertices are 0 to " +
                   std::to_string(graph.n - 1) + ".";
        case code_repeated: {
            std::int64_t first = 0;
            while (list.values[first] != list.values[found.where]) {
                ++first;
            }
            return "Vertex " + at(found.where) + place(found.where) + " already stands at position " +
                   std::to_string(first) + ".";
        }
        case first_task_code: {
            std::int64_t earlier = 0;
            while (!forbidden(kind, graph, list.values[earlier], list.values[found.where])) {
                ++earlier;
            }
            return "Vertices " + at(earlier) + place(earlier) + " and " + at(found.where) + place(found.where) +
                   " are " + broken + "; " + std::to_string(found.violation) + " of " +
                   std::to_string(found.violation_max) +
                   (kind == vertex_set::clique ? " pairs are not." : " pairs are.");
        }
        default: return "The answer breaks a rule of its format.";
    }
}

}  // namespace optgap::search
