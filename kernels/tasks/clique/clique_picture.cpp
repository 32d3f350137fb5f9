// The graph on a ring, with the clique's vertices side by side and its edges highlighted.

#include <vector>

#include "kernels/text/graph_picture.hpp"

namespace optgap::text::clique {

std::string picture(words_view instance, words_view answer) {
    answer_view const list = view_answer(answer);
    std::vector<char> chosen(std::size_t(instance[0]), 0);
    for (std::int64_t i = 0; i < list.count; ++i) {
        chosen[std::size_t(list.values[i])] = 1;
    }
    graph_picture drawing("A graph and a clique", instance[0]);
    drawing.edges(instance, chosen, "strong");
    drawing.group({list.values, std::size_t(list.count)}, "chosen");
    drawing.note("The clique's vertices stand first, clockwise from the top.");
    return drawing.draw();
}

}  // namespace optgap::text::clique
