// The graph on a ring in the order of the cycle; vertices that are not on the cycle come last.

#include "kernels/text/graph_picture.hpp"

namespace optgap::text::hamiltonian {

std::string picture(words_view instance, words_view answer) {
    answer_view const cycle = view_answer(answer);
    bool const closed = cycle.count > 1 && cycle.values[0] == cycle.values[cycle.count - 1];
    std::int64_t const length = closed ? cycle.count - 1 : cycle.count;
    graph_picture drawing("A graph and a cycle", instance[0]);
    drawing.edges(instance);
    drawing.group({cycle.values, std::size_t(length)}, "chosen");
    for (std::int64_t i = 0; i < length; ++i) {
        drawing.edge(cycle.values[i], cycle.values[(i + 1) % length], "strong");
    }
    drawing.note("The cycle runs clockwise from the top.");
    return drawing.draw();
}

}  // namespace optgap::text::hamiltonian
