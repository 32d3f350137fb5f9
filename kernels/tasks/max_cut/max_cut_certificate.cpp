// Certificates for optima of max_cut (docs/certificates.md; the checker's side: tools/certificates/tasks/max_cut.py).

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "kernels/text/certificate.hpp"

namespace max_cut_certificate {

/// One variable for each edge, by rising ends: whether it is cut. An even number of edges are cut on a circle.
/// Therefore for any odd set of its edges, not all of them are cut, or one of its other edges is cut, too (Barahona &
/// Mahjoub 1986).
struct cut_edges {
    std::size_t vertices = 0;
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> weight;
    std::map<std::pair<std::size_t, std::size_t>, std::int32_t> number;
    std::vector<std::vector<std::size_t>> near;

    [[nodiscard]] std::int32_t edge(std::size_t u, std::size_t v) const {
        return number.at({std::min(u, v), std::max(u, v)});
    }

    /// The most violated closed walk from `from` with an odd number of edges counted as cut. It is found by shortest
    /// paths between the two copies of each vertex, where an edge between copies costs 1 - x and one within a copy x.
    /// The result is in the order of the walk: a vertex, and whether the edge to the next one is counted as cut.
    [[nodiscard]] std::vector<std::pair<std::size_t, bool>> odd_walk(std::size_t from,
                                                                     std::vector<double> const& values) const {
        std::vector<double> way(2 * vertices, 1e9);
        std::vector<std::size_t> before(2 * vertices, 2 * vertices);
        std::set<std::pair<double, std::size_t>> open{{0.0, from}};
        way[from] = 0;
        while (!open.empty()) {
            std::size_t const at = open.begin()->second;
            open.erase(open.begin());
            std::size_t const u = at % vertices;
            for (std::size_t const v : near[u]) {
                double const x = values[std::size_t(edge(u, v))];
                for (bool const cut : {false, true}) {
                    std::size_t const to = v + vertices * (std::size_t(at >= vertices) ^ std::size_t(cut));
                    double const longer = way[at] + 1e-9 + (cut ? 1 - x : x);
                    if (longer < way[to] - 1e-12) {
                        open.erase({way[to], to});
                        way[to] = longer;
                        before[to] = at;
                        open.insert({longer, to});
                    }
                }
            }
        }
        std::vector<std::pair<std::size_t, bool>> walk;
        if (way[from + vertices] < 1 - 1e-4) {
            for (std::size_t at = from + vertices; at != from; at = before[at]) {
                walk.emplace_back(before[at] % vertices, (before[at] >= vertices) != (at >= vertices));
            }
            std::reverse(walk.begin(), walk.end());
        }
        return walk;
    }

    [[nodiscard]] optgap::linear_row row_of(std::vector<std::pair<std::size_t, bool>> walk) const {
        // The walk starts at its least vertex, so that each circle has one name.
        std::rotate(walk.begin(), std::min_element(walk.begin(), walk.end()), walk.end());
        std::vector<std::int32_t> name;
        std::map<std::int32_t, std::int64_t> terms;
        std::int64_t least = 1;
        for (std::size_t k = 0; k < walk.size(); ++k) {
            name.push_back(std::int32_t(walk[k].first));
            name.push_back(walk[k].second ? 1 : 0);
            terms[edge(walk[k].first, walk[(k + 1) % walk.size()].first)] += walk[k].second ? -1 : 1;
            least -= walk[k].second ? 1 : 0;
        }
        return {optgap::row_name("circle", name), {terms.begin(), terms.end()}, least};
    }
};

std::int64_t bound(optgap::instance_fields const& instance) {
    std::int64_t all = 0;
    for (auto const& edge : instance.rows("edges")) {
        all += std::max<std::int64_t>(edge[2], 0);
    }
    return all;
}

optgap::linear_model linear(optgap::instance_fields const& instance, std::optional<std::int64_t> objective) {
    auto const all = std::make_shared<cut_edges>();
    all->vertices = std::size_t(instance.number("n"));
    all->near.resize(all->vertices);
    for (auto const& edge : instance.rows("edges")) {
        all->weight[{std::size_t(std::min(edge[0], edge[1])), std::size_t(std::max(edge[0], edge[1]))}] = edge[2];
    }
    optgap::linear_model model;
    model.goal = -*objective;
    for (auto const& [ends, weight] : all->weight) {
        all->number[ends] = std::int32_t(model.costs.size());
        all->near[ends.first].push_back(ends.second);
        all->near[ends.second].push_back(ends.first);
        model.costs.push_back(-weight);
    }
    model.separate = [all](std::vector<double> const& values) {
        std::vector<optgap::linear_row> more;
        for (std::size_t v = 0; v < all->vertices; ++v) {
            if (auto walk = all->odd_walk(v, values); !walk.empty()) {
                more.push_back(all->row_of(std::move(walk)));
            }
        }
        return more;
    };
    return model;
}

}  // namespace max_cut_certificate

extern optgap::certificate_form const optgap_certificate_max_cut;
optgap::certificate_form const optgap_certificate_max_cut{.bound = max_cut_certificate::bound,
                                                          .linear = max_cut_certificate::linear};
