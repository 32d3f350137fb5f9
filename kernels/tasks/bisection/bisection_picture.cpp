// The graph on a ring, one part on each half; the edges between them are the cut.

#include "kernels/tasks/bisection/bisection_instance.hpp"
#include "kernels/text/graph_picture.hpp"

namespace optgap::text::bisection {

std::string picture(words_view instance, words_view answer) {
    auto const graph = tasks::bisection::view_weighted_graph(instance);
    answer_view const parts = view_answer(answer);
    std::vector<char> side(std::size_t(graph.n), 0);
    graph_picture drawing("A weighted graph in two parts", graph.n);
    std::int32_t const* values = parts.values;
    for (std::int32_t part = 0; part < parts.row_count(); ++part) {
        std::span<std::int32_t const> const members(values, std::size_t(parts.row_lengths[part]));
        drawing.group(members, part == 0 ? "left" : "right");
        for (std::int32_t const v : members) {
            side[std::size_t(v)] = part == 0 ? 1 : 2;
        }
        values += members.size();
    }
    for (bool const crossing : {false, true}) {
        for (std::int32_t u = 0; u < graph.n; ++u) {
            for (std::int32_t v = u + 1; v < graph.n; ++v) {
                if (graph.weight(u, v) > 0 && (side[std::size_t(u)] != side[std::size_t(v)]) == crossing) {
                    drawing.edge(u, v, crossing ? "cut" : "line");
                }
            }
        }
    }
    drawing.note("One part on each half of the ring; red edges are cut.");
    return drawing.draw();
}

}  // namespace optgap::text::bisection
