// The graph on a ring, with the set's vertices side by side: no edge joins two vertices of their arc.

#include "kernels/text/graph_picture.hpp"

namespace optgap::text::independent_set {

std::string picture(words_view instance, words_view answer) {
    graph_picture drawing("A graph and an independent set", instance[0]);
    answer_view const chosen = view_answer(answer);
    drawing.edges(instance);
    drawing.group({chosen.values, std::size_t(chosen.count)}, "chosen");
    drawing.note("The set's vertices stand first, clockwise from the top.");
    return drawing.draw();
}

}  // namespace optgap::text::independent_set
