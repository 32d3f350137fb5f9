#include "kernels/text/graph_text.hpp"

namespace optgap {
namespace {

/// Calls f(v) for each neighbour v > above of u, in rising order.
template <class Function>
void each_neighbour(graph_view graph, std::int32_t u, std::int32_t above, Function const& function) {
    for (std::int32_t w = 0; w < graph.row_words; ++w) {
        for (std::uint32_t bits = graph.row(u)[w]; bits != 0; bits &= bits - 1) {
            std::int32_t const v = 32 * w + lowest(bits);
            if (v > above) {
                function(v);
            }
        }
    }
}

/// Returns whether there is an edge.
bool write_edges(std::string& text, graph_view graph, edge_style const& style) {
    bool first = true;
    for (std::int32_t u = 0; u < graph.n; ++u) {
        each_neighbour(graph, u, u, [&](std::int32_t v) {
            text += first ? "" : style.separator;
            first = false;
            text += style.open;
            append_integer(text, u);
            text += style.between;
            append_integer(text, v);
            text += style.close;
        });
    }
    return !first;
}

}  // namespace

void append_edges(std::string& text, graph_view graph, edge_style const& style) {
    text += write_edges(text, graph, style) ? "\n" : "none\n";
}

void append_json_edges(std::string& text, graph_view graph) { write_edges(text, graph, {"[", ",", "]", ","}); }

void append_vertices(std::string& text, std::int32_t n) {
    append_integer(text, n);
    text += " vertices, numbered 0 to ";
    append_integer(text, n - 1);
}

void append_neighbours(std::string& text, graph_view graph) {
    for (std::int32_t u = 0; u < graph.n; ++u) {
        append_integer(text, u);
        text += ": ";
        bool first = true;
        each_neighbour(graph, u, -1, [&](std::int32_t v) {
            text += first ? "" : ", ";
            first = false;
            append_integer(text, v);
        });
        text += first ? "none\n" : "\n";
    }
}

void append_matrix(std::string& text, graph_view graph) {
    for (std::int32_t u = 0; u < graph.n; ++u) {
        std::size_t const begin = text.size();
        text.append(std::size_t(graph.n), '0');
        each_neighbour(graph, u, -1, [&](std::int32_t v) { text[begin + std::size_t(v)] = '1'; });
        text += '\n';
    }
}

}  // namespace optgap
