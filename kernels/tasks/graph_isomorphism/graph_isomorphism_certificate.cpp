// Certificates for optima of graph_isomorphism (docs/certificates.md; the checker's side:
// tools/certificates/tasks/graph_isomorphism.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace graph_isomorphism_certificate {

using optgap::adjacency;
using optgap::numbers;

adjacency graph(optgap::instance_fields const& instance, char const* edges) {
    auto const n = std::size_t(instance.number("n"));
    adjacency near(n, std::vector<bool>(n));
    for (numbers const& edge : instance.rows(edges)) {
        near[std::size_t(edge[0])][std::size_t(edge[1])] = near[std::size_t(edge[1])][std::size_t(edge[0])] = true;
    }
    return near;
}

std::int64_t bound(optgap::instance_fields const& instance) { return std::int64_t(instance.rows("edges1").size()); }

/// The first graph's vertices, each adjacent to as many earlier ones as possible.
std::vector<std::size_t> line_of(adjacency const& near) {
    std::vector<std::size_t> line;
    while (line.size() < near.size()) {
        std::size_t best = near.size();
        std::ptrdiff_t most = -1;
        for (std::size_t v = 0; v < near.size(); ++v) {
            auto const before = std::count_if(line.begin(), line.end(), [&](std::size_t u) { return near[v][u]; });
            if (before > most && std::find(line.begin(), line.end(), v) == line.end()) {
                best = v;
                most = before;
            }
        }
        line.push_back(best);
    }
    return line;
}

/// A case: the images so far.
std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    if (!objective || instance.number("n") > 32) {
        return most + 1;  // a case takes n cubed steps
    }
    adjacency const first = graph(instance, "edges1");
    adjacency const second = graph(instance, "edges2");
    std::vector<std::size_t> const line = line_of(first);
    std::int64_t const edges = bound(instance);
    /// The edges lost so far: those of the first graph between vertices that have images, and those of the second
    /// between the images.
    auto const lost = [&](numbers const& images) {
        std::int64_t in_first = 0;
        std::int64_t in_second = 0;
        std::int64_t landed = 0;
        for (std::size_t i = 0; i < images.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                bool const one = first[line[i]][line[j]];
                bool const other = second[std::size_t(images[i])][std::size_t(images[j])];
                in_first += one;
                in_second += other;
                landed += one && other;
            }
        }
        return std::max(in_first, in_second) - landed;
    };
    auto const step = [&](numbers const& images, optgap::number_rows& next) {
        for (std::size_t image = 0; image < line.size() && images.size() < line.size(); ++image) {
            if (std::find(images.begin(), images.end(), std::int64_t(image)) == images.end()) {
                numbers after = images;
                after.push_back(std::int64_t(image));
                if (edges - lost(after) > *objective) {
                    next.push_back(std::move(after));
                }
            }
        }
        return images.size() < line.size();
    };
    return optgap::walked({}, step, most);
}

}  // namespace graph_isomorphism_certificate

extern optgap::certificate_form const optgap_certificate_graph_isomorphism;
optgap::certificate_form const optgap_certificate_graph_isomorphism{.bound = graph_isomorphism_certificate::bound,
                                                                    .cases = graph_isomorphism_certificate::cases};
