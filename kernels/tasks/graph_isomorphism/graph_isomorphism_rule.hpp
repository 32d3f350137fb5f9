#pragma once
// The search of graph_isomorphism: vertices of the first graph, each adjacent to as many earlier ones as possible, get
// their images one by one. If the vertices of both graphs have the same colours, the search only looks for images under
// which no edge is lost. Since both graphs have equally many edges, such images keep all distances, so an image has its
// vertex's colour and the right distances from earlier images. Graphs with different colours are searched for the least
// loss: edges between the images so far that do not land, or those of the second graph on which none lands, whichever
// are more.

#include <cstdint>
#include <cstring>

#include "kernels/core/graph.hpp"
#include "kernels/search/sequence_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::graph_isomorphism {

inline constexpr std::int32_t max_vertices = 1'000;

OPTGAP_HD inline graph_view first_graph(words_view instance) { return view_graph(instance); }
OPTGAP_HD inline graph_view second_graph(words_view instance) {
    std::int64_t const words = graph_words(instance[0]);
    return view_graph({instance.data + words, words});
}

/// Calls f(u) for each neighbour u of v, in rising order.
template <class Function>
OPTGAP_HD void each_neighbour(graph_view graph, std::int32_t v, Function const& function) {
    for (std::int32_t w = 0; w < graph.row_words; ++w) {
        for (std::uint32_t bits = graph.row(v)[w]; bits != 0; bits &= bits - 1) {
            function(32 * w + lowest(bits));
        }
    }
}

inline std::int64_t edges_of(graph_view graph) {
    std::int64_t ends = 0;
    for (std::int32_t v = 0; v < graph.n; ++v) {
        ends += graph.degree(v);
    }
    return ends / 2;
}

/// Edges that are lost because a vertex has more of them than its image has places: the least number results if both
/// graphs' vertices are taken by falling degree.
inline std::int64_t lost_by_degrees(words_view instance) {
    std::int32_t const n = instance[0];
    std::int32_t of_degree[2][max_vertices] = {};
    for (std::int32_t v = 0; v < n; ++v) {
        ++of_degree[0][first_graph(instance).degree(v)];
        ++of_degree[1][second_graph(instance).degree(v)];
    }
    std::int64_t lost = 0;
    std::int64_t above[2] = {0, 0};  // vertices of at least this degree
    for (std::int32_t degree = n - 1; degree > 0; --degree) {
        above[0] += of_degree[0][degree];
        above[1] += of_degree[1][degree];
        lost += above[0] > above[1] ? above[0] - above[1] : 0;
    }
    return (lost + 1) / 2;
}

/// A choice is v n + w: w is the image of v.
class image_rule {
public:
    static bool fits(words_view instance) { return instance[0] <= 128; }
    static std::int64_t words(words_view instance) {
        std::int64_t const n = instance[0];
        return 6 * n + 2 * n * n + n;
    }
    static search::sequence_shape shape(words_view instance) {
        std::int64_t const n = instance[0];
        return {n, n, state_words(n)};
    }

    image_rule(words_view instance, std::int32_t* scratch)
        : n_(instance[0]),
          min_loss_(lost_by_degrees(instance)),
          colour_{reinterpret_cast<std::uint64_t*>(scratch), reinterpret_cast<std::uint64_t*>(scratch) + n_},
          distance_{scratch + 6 * n_, scratch + 6 * n_ + std::int64_t(n_) * n_},
          order_(scratch + 6 * n_ + 2 * std::int64_t(n_) * n_) {
        auto* const spare = reinterpret_cast<std::uint64_t*>(scratch) + 2 * n_;
        measure(first_graph(instance), distance_[0], order_);
        measure(second_graph(instance), distance_[1], order_);
        refine(distance_[0], colour_[0], spare);
        refine(distance_[1], colour_[1], spare);
        std::uint64_t sum[2] = {0, 0};
        for (std::int32_t v = 0; v < n_; ++v) {
            sum[0] += mixed(colour_[0][v]);
            sum[1] += mixed(colour_[1][v]);
        }
        alike_ = sum[0] == sum[1];
        put_in_order();
    }

    [[nodiscard]] std::int64_t node_steps() const { return 1 + n_ / 32; }
    [[nodiscard]] std::int64_t target() const { return alike_ ? 1 : INT64_MAX; }
    std::int64_t begin(std::int64_t* state) const {
        for (std::int32_t i = 0; i < head; ++i) {
            state[i] = 0;
        }
        return alike_ || min_loss_ > 0 ? min_loss_ : 1;
    }
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        std::int32_t const v = order_[state[count]];
        for (std::int32_t w = 0; w < n_; ++w) {
            if ((std::uint64_t(state[taken + w / 64]) & bit(w % 64)) == 0 && (!alike_ || may_go(state, v, w))) {
                offer(v * n_ + w);
            }
        }
    }
    search::sequence_value extend(std::int64_t const* state, std::int32_t choice, std::int64_t* next) const {
        std::int32_t const v = choice / n_;
        std::int32_t const w = choice % n_;
        std::memcpy(next, state, std::size_t(state_words(n_)) * sizeof *state);
        std::int32_t* const images = reinterpret_cast<std::int32_t*>(next + head);
        for (std::int32_t k = 0; k < state[count]; ++k) {
            bool const joined = distance_[0][v * n_ + order_[k]] == 1;
            bool const met = distance_[1][w * n_ + images[k]] == 1;
            next[lost] += joined && !met ? 1 : 0;
            next[missed] += met && !joined ? 1 : 0;
        }
        images[next[count]++] = w;
        next[taken + w / 64] = std::int64_t(std::uint64_t(next[taken + w / 64]) | bit(w % 64));
        return {next[lost] > next[missed] ? next[lost] : next[missed], 0};
    }

private:
    /// A state: the number of images, the set of them, the first graph's edges between them that do not land, and the
    /// second's on which none lands; from `head` on the images.
    enum : std::int32_t { count, taken, lost = 3, missed, head };
    static constexpr std::int64_t state_words(std::int64_t n) { return head + (n + 1) / 2; }

    /// Whether no earlier image excludes w, if no edge may be lost.
    [[nodiscard]] bool may_go(std::int64_t const* state, std::int32_t v, std::int32_t w) const {
        auto const* const images = reinterpret_cast<std::int32_t const*>(state + head);
        bool fits = colour_[0][v] == colour_[1][w];
        for (std::int64_t k = state[count] - 1; fits && k >= 0; --k) {
            fits = distance_[0][v * n_ + order_[k]] == distance_[1][w * n_ + images[k]];
        }
        return fits;
    }

    static constexpr std::int32_t rounds = 3;  ///< rounds of refinement

    /// The finaliser of splitmix64 (Steele, Lea & Flood 2014).
    static std::uint64_t mixed(std::uint64_t word) {
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
        return word ^ (word >> 31);
    }

    /// Distances between all vertices, n if there is no path.
    void measure(graph_view graph, std::int32_t* distance, std::int32_t* queue) const {
        for (std::int32_t from = 0; from < n_; ++from) {
            std::int32_t* const row = distance + from * n_;
            for (std::int32_t v = 0; v < n_; ++v) {
                row[v] = n_;
            }
            row[from] = 0;
            queue[0] = from;
            for (std::int32_t next = 0, tail = 1; next < tail; ++next) {
                each_neighbour(graph, queue[next], [&](std::int32_t v) {
                    if (row[v] == n_) {
                        row[v] = row[queue[next]] + 1;
                        queue[tail++] = v;
                    }
                });
            }
        }
    }
    /// A vertex's colour encodes how many vertices of which colour are at which distance. Sums of mixed words represent
    /// sets of colours: if two sums are equal by chance, fewer images are excluded, and never a right one.
    void refine(std::int32_t const* distance, std::uint64_t* colour, std::uint64_t* spare) const {
        for (std::int32_t v = 0; v < n_; ++v) {
            colour[v] = 1;
        }
        for (std::int32_t round = 0; round < rounds; ++round) {
            for (std::int32_t v = 0; v < n_; ++v) {
                spare[v] = 0;
                for (std::int32_t u = 0; u < n_; ++u) {
                    spare[v] += mixed(colour[u] + std::uint64_t(distance[v * n_ + u]) * 0x9e3779b97f4a7c15u);
                }
            }
            for (std::int32_t v = 0; v < n_; ++v) {
                colour[v] = mixed(spare[v] ^ (colour[v] << 1));
            }
        }
    }
    /// The next vertex is the one with the most earlier neighbours, among these one with the rarest colour, ties by
    /// index.
    void put_in_order() {
        for (std::int32_t v = 0; v < n_; ++v) {
            order_[v] = v;
        }
        for (std::int32_t k = 0; k < n_; ++k) {
            std::int32_t best = k;
            std::int64_t least = INT64_MAX;
            for (std::int32_t i = k; i < n_; ++i) {
                std::int64_t key = 0;
                for (std::int32_t j = 0; j < n_; ++j) {
                    key += colour_[0][order_[i]] == colour_[0][j] ? n_ : 0;
                    key -= j < k && distance_[0][order_[i] * n_ + order_[j]] == 1 ? 2 * std::int64_t(n_) * n_ : 0;
                }
                key += order_[i];
                if (key < least) {
                    least = key;
                    best = i;
                }
            }
            std::int32_t const next = order_[best];
            order_[best] = order_[k];
            order_[k] = next;
        }
    }

    std::int32_t n_;
    std::int64_t min_loss_;
    bool alike_;                ///< both graphs have the same colours: then all edges may land, otherwise they cannot
    std::uint64_t* colour_[2];  ///< of both graphs' vertices
    std::int32_t* distance_[2];
    std::int32_t* order_;
};

}  // namespace tasks::graph_isomorphism
OPTGAP_KERNELS_END
