// The graph on a ring, with one arc for each colour: no edge stays within an arc.

#include <map>
#include <vector>

#include "kernels/text/graph_picture.hpp"

namespace optgap::text::coloring {

std::string picture(words_view instance, words_view answer) {
    answer_view const colours = view_answer(answer);
    std::map<std::int32_t, std::vector<std::int32_t>> classes;
    for (std::int64_t v = 0; v < colours.count; ++v) {
        classes[colours.values[v]].push_back(std::int32_t(v));
    }
    graph_picture drawing("A graph and a colouring", instance[0]);
    drawing.edges(instance);
    std::int32_t arc = 0;
    for (auto const& [colour, members] : classes) {
        drawing.group(members, svg_group(arc++));
    }
    drawing.note("One arc per colour, clockwise from the top.");
    return drawing.draw();
}

}  // namespace optgap::text::coloring
