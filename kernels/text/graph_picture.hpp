#pragma once
// Graphs on a ring, for pictures of an instance with an answer. The caller gives the order of the vertices, because the
// picture depends on which ones are neighbours, and highlights edges and vertices.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/words.hpp"
#include "kernels/text/svg.hpp"

namespace optgap {

class graph_picture {
public:
    /// n vertices in the same style, clockwise from twelve o'clock by their numbers.
    graph_picture(std::string_view title, std::int32_t n);

    /// Moves the members to the front of the ring, in their order, and draws them in this style.
    void group(std::span<std::int32_t const> members, std::string_view style);
    /// Edges are drawn in the order in which they are added, so highlighted ones are added last.
    void edge(std::int32_t u, std::int32_t v, std::string_view style = "line");
    /// Adds the edges of an unweighted graph's words (kernels/core/graph.hpp). Edges with both ends marked are added
    /// last, in `style`.
    void edges(words_view instance, std::span<char const> marked = {}, std::string_view style = "strong");
    /// Adds a sentence below the ring.
    void note(std::string_view words) { note_ = words; }

    [[nodiscard]] std::string draw() const;

private:
    struct drawn_edge {
        std::int32_t u, v;
        std::string_view style;  ///< a literal
    };

    std::string title_;
    std::string note_;
    std::vector<std::int32_t> ring_;
    std::vector<std::string> style_;
    std::vector<drawn_edge> edges_;
    std::size_t grouped_ = 0;
};

}  // namespace optgap
