// Certificates for optima of coloring (docs/certificates.md; the checker's side: tools/certificates/tasks/coloring.py).

#include <algorithm>

#include "kernels/text/certificate.hpp"

namespace {

/// Tries to colour with one colour less; the vertex with the fewest remaining colours goes first (Brélaz 1979).
struct colours {
    optgap::adjacency near;
    std::int64_t max_colours, max_nodes;
    optgap::numbers chosen;
    std::vector<std::int32_t> tree = {};

    [[nodiscard]] optgap::numbers allowed(std::size_t v) const {
        std::int64_t const used = 1 + *std::max_element(chosen.begin(), chosen.end());
        optgap::numbers left;
        for (std::int64_t c = 0; c < std::min(used + 1, max_colours); ++c) {
            bool taken = false;
            for (std::size_t u = 0; u < chosen.size(); ++u) {
                taken |= near[v][u] && chosen[u] == c;
            }
            if (!taken) {
                left.push_back(c);
            }
        }
        return left;
    }

    /// The number of uncoloured neighbours.
    [[nodiscard]] std::int64_t open_about(std::size_t v) const {
        std::int64_t count = 0;
        for (std::size_t u = 0; u < chosen.size(); ++u) {
            count += near[v][u] && chosen[u] < 0;
        }
        return count;
    }

    /// Returns false if all vertices can be coloured, or if the tree is too large.
    bool refute() {
        std::size_t best = chosen.size();
        optgap::numbers best_left;
        for (std::size_t v = 0; v < chosen.size(); ++v) {
            if (chosen[v] >= 0) {
                continue;
            }
            optgap::numbers left = allowed(v);
            if (best == chosen.size() || left.size() < best_left.size() ||
                (left.size() == best_left.size() && open_about(v) > open_about(best))) {
                best = v;
                best_left = std::move(left);
            }
        }
        if (best == chosen.size() || std::int64_t(tree.size()) >= max_nodes) {
            return false;
        }
        tree.push_back(std::int32_t(best));
        for (std::int64_t const colour : best_left) {
            chosen[best] = colour;
            if (!refute()) {
                return false;
            }
        }
        chosen[best] = -1;
        return true;
    }
};

std::vector<std::int32_t> search(optgap::instance_fields const& instance, std::int64_t objective, std::int64_t most) {
    colours all{optgap::joined(instance), objective - 1, most, optgap::numbers(std::size_t(instance.number("n")), -1)};
    return all.refute() ? all.tree : std::vector<std::int32_t>{};
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_coloring;
optgap::certificate_form const optgap_certificate_coloring{.search = search};
