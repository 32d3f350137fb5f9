// Sentences of bisection, and the table that holds its text.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tasks/bisection/bisection.hpp"
#include "kernels/tasks/bisection/bisection_prompt.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::text::bisection {

std::string picture(words_view instance, words_view answer);  // bisection_picture.cpp
std::vector<std::int32_t> read_metis(std::string_view text);  // bisection_files.cpp

namespace {

using namespace optgap::tasks::bisection;

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

namespace {
constexpr char const* bisection_tags[] = {"graph", "partition", nullptr};
constexpr char const* bisection_rlve[] = {"Minimum_CrossingEdges_GraphPartition", nullptr};
}  // namespace

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
    .explain = optgap::text::bisection::explain,
    .picture = optgap::text::bisection::picture,
    .twins = &optgap::text::bisection::relabels,
    .layout = optgap::tasks::bisection::layout,
    .family = "labels",
    .tags = bisection_tags,
    .rlve = bisection_rlve,
    .expensive_steps = 128,
};
