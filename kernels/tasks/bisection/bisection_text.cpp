// JSON and sentences of bisection, and the table that holds its text.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/tasks/bisection/bisection.hpp"
#include "kernels/tasks/bisection/bisection_prompt.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::bisection {

std::string picture(words_view instance, words_view answer);  // bisection_picture.cpp
std::vector<std::int32_t> read_metis(std::string_view text);  // bisection_files.cpp

namespace {

using namespace optgap::tasks::bisection;

json to_json(words_view instance) {
    weighted_graph const graph = view_graph(instance);
    json edges = json::array();
    for (std::int32_t u = 0; u < graph.n; ++u) {
        for (std::int32_t v = u + 1; v < graph.n; ++v) {
            if (graph.weight(u, v) != 0) {
                edges.push_back(json::array({u, v, graph.weight(u, v)}));
            }
        }
    }
    return {{"n", graph.n}, {"edges", std::move(edges)}};
}

std::optional<std::int32_t> integer_within(json const& value, std::int32_t low, std::int32_t high) {
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT32_MAX))) {
        return std::nullopt;
    }
    std::int64_t const number = value.get<std::int64_t>();
    return number < low || number > high ? std::nullopt : std::optional(std::int32_t(number));
}

std::vector<std::int32_t> from_json(json const& instance) {
    if (!instance.is_object()) {
        throw field_error("instance", "must be an object with n and edges");
    }
    for (auto const& [name, value] : instance.items()) {
        if (name != "n" && name != "edges") {
            throw field_error(name, "unknown field; a weighted graph has n and edges");
        }
    }
    for (char const* const name : {"n", "edges"}) {
        if (!instance.contains(name)) {
            throw field_error(name, "is missing");
        }
    }
    auto const n = integer_within(instance["n"], 1, max_vertices);
    if (!n) {
        throw field_error("n", "must be an integer from 1 to " + std::to_string(max_vertices));
    }
    json const& edges = instance["edges"];
    if (!edges.is_array()) {
        throw field_error("edges", "must be a list of triples [u, v, weight]");
    }
    constexpr std::int32_t absent = -1;
    std::vector<std::int32_t> words(std::size_t(graph_words(*n)), absent);
    words[0] = *n;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        std::string const field = "edges[" + std::to_string(i) + "]";
        json const& edge = edges[i];
        if (!edge.is_array() || edge.size() != 3) {
            throw field_error(field, "must be a triple [u, v, weight]");
        }
        std::array<std::size_t, 2> ends{};
        for (std::size_t k = 0; k < 2; ++k) {
            auto const end = integer_within(edge[k], 0, *n - 1);
            if (!end) {
                throw field_error(field + "[" + std::to_string(k) + "]",
                                  "must be a vertex, an integer from 0 to " + std::to_string(*n - 1));
            }
            ends[k] = std::size_t(*end);
        }
        if (ends[0] == ends[1]) {
            throw field_error(field, "must join two different vertices");
        }
        auto const weight = integer_within(edge[2], 0, INT32_MAX);
        if (!weight) {
            throw field_error(field + "[2]", "must be a weight, an integer from 0 to 2147483647");
        }
        std::int32_t& there = words[1 + ends[0] * std::size_t(*n) + ends[1]];
        if (there != absent && there != *weight) {
            throw field_error(field, "gives a pair a second weight, after " + std::to_string(there));
        }
        there = *weight;
        words[1 + ends[1] * std::size_t(*n) + ends[0]] = *weight;
    }
    for (std::int32_t& word : words) {
        word = word == absent ? 0 : word;
    }
    return words;
}

/// The smallest vertex that no value names.
std::int32_t first_missing(answer_view const& parts, std::int32_t n) {
    std::vector<bool> present(static_cast<std::size_t>(n), false);
    for (std::int64_t i = 0; i < parts.count; ++i) {
        present[std::size_t(parts.values[i])] = true;
    }
    std::int32_t v = 0;
    while (present[std::size_t(v)]) {
        ++v;
    }
    return v;
}

std::string explain(words_view instance, words_view answer, verdict const& found) {
    std::int32_t const n = instance[0];
    answer_view const parts = view_answer(answer);
    auto const place = [&](std::int64_t i) {
        bool const second = i >= parts.row_lengths[0];
        return std::string(second ? "part 2, position " : "part 1, position ") +
               std::to_string(second ? i - parts.row_lengths[0] : i);
    };
    switch (found.code) {
        case code_ok: return "The edges between the parts weigh " + std::to_string(found.objective) + ".";
        case code_unparsable: return "The answer is a word; two lists of vertices are needed.";
        case code_bad_depth: return "The answer is one flat list; two lists of vertices are needed.";
        case code_empty: return "The list is empty; two lists of vertices are needed.";
        case task::code_not_two_parts:
            return "The answer has " + std::to_string(parts.rows) + (parts.rows == 1 ? " list" : " lists") +
                   "; it must have two.";
        case code_out_of_range:
            return std::to_string(parts.values[found.where]) + " (" + place(found.where) +
                   ") is no vertex: the vertices are 0 to " + std::to_string(n - 1) + ".";
        case code_repeated: {
            std::int64_t first = 0;
            while (parts.values[first] != parts.values[found.where]) {
                ++first;
            }
            return "Vertex " + std::to_string(parts.values[found.where]) + " (" + place(found.where) +
                   ") already stands in " + place(first) + ".";
        }
        case code_wrong_length:
            return "Vertex " + std::to_string(first_missing(parts, n)) + " is in neither part; " +
                   std::to_string(parts.count) + " of " + std::to_string(n) + " vertices are placed.";
        case task::code_unbalanced:
            return "The parts have " + std::to_string(parts.row_lengths[0]) + " and " +
                   std::to_string(parts.row_lengths[1]) + " vertices; the sizes may differ by 1 at most.";
        default: return "The answer breaks a rule of its format.";
    }
}

constexpr char const* no_words[] = {nullptr};
constexpr file_format files[] = {{".graph", read_metis}, {nullptr, nullptr}};
constexpr symmetry relabels{
    .axes = {{.name = "vertex", .count = "n"}},
    .fields = {{.name = "edges", .names = {"vertex", "vertex", ""}}},
    .answer = {.names = {"vertex"}},
};

}  // namespace
}  // namespace optgap::text::bisection

extern optgap::task_text const optgap_text_bisection;
optgap::task_text const optgap_text_bisection = {
    .title = "Minimum bisection",
    .summary = "two equal halves of a weighted graph with the least weight between them",
    .category = "graph partitioning",
    .objective = "weight of cut edges",
    .answer_form = "[[a, b, ...], [c, d, ...]]",
    .words = optgap::text::bisection::no_words,
    .styles = 5,
    .files = optgap::text::bisection::files,
    .prompt = optgap::text::bisection::prompt,
    .to_json = optgap::text::bisection::to_json,
    .from_json = optgap::text::bisection::from_json,
    .explain = optgap::text::bisection::explain,
    .picture = optgap::text::bisection::picture,
    .twins = &optgap::text::bisection::relabels,
};
