// How an optimum of bisection is shown (docs/certificates.md; the checker's side:
// tools/certificates/tasks/bisection.py).

#include <algorithm>
#include <utility>

#include "kernels/text/certificate.hpp"

namespace {

using optgap::numbers;

std::int64_t bound(optgap::instance_fields const& instance) {
    static_cast<void>(instance);
    return 0;
}

/// A case of the walk that is being looked at.
struct halves {
    optgap::number_rows const& weights;
    numbers part;  ///< of each vertex; -1: open
    numbers into[2] = {numbers(part.size()), numbers(part.size())};
    std::int64_t room[2] = {std::int64_t(part.size()) / 2, std::int64_t(part.size()) / 2};
    std::int64_t cut = 0;

    halves(optgap::number_rows const& given, numbers const& one) : weights(given), part(one.size(), -1) {
        for (std::size_t v = 0; v < one.size(); ++v) {
            if (one[v] >= 0) {
                place(v, one[v]);
            }
        }
    }

    void place(std::size_t v, std::int64_t to) {
        part[v] = to;
        --room[to];
        cut += into[1 - to][v];
        for (std::size_t u = 0; u < part.size(); ++u) {
            into[to][u] += weights[v][u];
        }
    }

    enum class outcome { closed, better, open };

    /// Bounds the case and places what the bound leaves no choice, until nothing changes.
    outcome settle(std::int64_t goal) {
        for (;;) {
            std::vector<std::pair<std::int64_t, std::size_t>> dearer;  // by how much the first part is, and for whom
            std::int64_t least = cut;
            for (std::size_t v = 0; v < part.size(); ++v) {
                if (part[v] < 0) {
                    dearer.emplace_back(into[1][v] - into[0][v], v);
                    least += into[0][v];
                }
            }
            std::sort(dearer.begin(), dearer.end());
            auto const first = std::size_t(room[0]);
            for (std::size_t i = 0; i < first; ++i) {
                least += dearer[i].first;
            }
            if (least >= goal) {
                return outcome::closed;
            }
            if (room[0] == 0 || room[1] == 0) {
                return outcome::better;
            }
            bool forced = false;
            for (std::size_t i = 0; i < dearer.size(); ++i) {
                std::int64_t const other =
                    i < first ? dearer[first].first - dearer[i].first : dearer[i].first - dearer[first - 1].first;
                if (least + other >= goal) {
                    int const to = i < first ? 0 : 1;
                    if (room[to] == 0) {
                        return outcome::closed;
                    }
                    place(dearer[i].second, to);
                    forced = true;
                }
            }
            if (!forced) {
                return outcome::open;
            }
        }
    }

    /// The open vertex with the heaviest edges to open ones, the first of these.
    [[nodiscard]] std::size_t heaviest() const {
        std::size_t best = part.size();
        std::int64_t most = -1;
        for (std::size_t v = 0; v < part.size(); ++v) {
            std::int64_t own = 0;
            for (std::size_t u = 0; u < part.size(); ++u) {
                own += part[u] < 0 ? weights[v][u] : 0;
            }
            if (part[v] < 0 && own > most) {
                most = own;
                best = v;
            }
        }
        return best;
    }
};

/// A case: the part of each vertex. An odd graph has a vertex more, without edges.
std::int64_t cases(optgap::instance_fields const& instance, optgap::certificate_form::goal objective,
                   std::int64_t most) {
    auto const n = std::size_t(instance.number("n"));
    if (!objective || n > 256) {
        return most + 1;
    }
    std::size_t const even = n + n % 2;
    optgap::number_rows weights(even, numbers(even));
    for (numbers const& edge : instance.rows("edges")) {
        weights[std::size_t(edge[0])][std::size_t(edge[1])] = edge[2];
        weights[std::size_t(edge[1])][std::size_t(edge[0])] = edge[2];
    }
    auto const step = [&](numbers const& one, optgap::number_rows& next) {
        halves own(weights, one);
        auto const outcome = own.settle(*objective);
        if (outcome == halves::outcome::open) {
            std::size_t const v = own.heaviest();
            for (std::int64_t const part : {0, 1}) {
                next.push_back(own.part);
                next.back()[v] = part;
            }
        }
        return outcome != halves::outcome::better;
    };
    numbers first(even, -1);
    first[0] = 0;
    return optgap::walked(first, step, most);
}

}  // namespace

extern optgap::certificate_form const optgap_certificate_bisection;
optgap::certificate_form const optgap_certificate_bisection{.bound = bound, .cases = cases};
