#pragma once
// Regular graphs for graph_isomorphism, in which degrees carry no information: circulants whose edges exchange ends,
// two at a time.

#include <cstdint>

#include "kernels/core/graph.hpp"
#include "kernels/core/rng.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::graph_isomorphism {

// Purposes of random words.
inline constexpr std::uint32_t draw_shape = 0;  ///< degree, kind, the circulant's second step
inline constexpr std::uint32_t draw_switches = 1;
inline constexpr std::uint32_t draw_labels = 2;  ///< of the first graph
inline constexpr std::uint32_t draw_images = 3;  ///< of the second

/// The parameters of an instance that are drawn before its edges.
struct regular_shape {
    std::int32_t n;
    std::int32_t degree;  ///< 3 or 4
    bool doubled;         ///< two copies of a graph of half the size, joined by exchanging the ends of one edge
    bool rigid;           ///< a circulant except for two exchanges
    std::int32_t step;    ///< the second step of a circulant

    OPTGAP_HD regular_shape(draw source, std::int32_t vertices) : n(vertices) {
        std::int32_t const kind = uniform(source, draw_shape, 0, 0, 3);
        bool const cubic = uniform(source, draw_shape, 1, 0, 1) == 1;
        doubled = kind == 0 && n % 2 == 0 && n >= 12;
        rigid = kind == 1 && n >= 30;
        degree = cubic && part() % 2 == 0 ? 3 : 4;
        step = degree == 3 ? part() / 2 : rigid ? uniform(source, draw_shape, 2, 2, (n - 1) / 2) : 2;
    }
    /// The number of vertices in the graph that is copied.
    [[nodiscard]] OPTGAP_HD std::int32_t part() const { return doubled ? n / 2 : n; }
    [[nodiscard]] OPTGAP_HD std::int32_t edges() const { return n * degree / 2; }
};

/// Edges as pairs, by one lane. `rows` is a graph without edges, to which they are added.
class regular_edges {
public:
    OPTGAP_HD regular_edges(regular_shape const& shape, std::int32_t* ends, std::uint32_t* rows)
        : shape_(shape), row_words_(bitset_words(shape.n)), ends_(ends), rows_(rows) {}

    OPTGAP_HD void draw_all(draw source) {
        std::int32_t const n = shape_.part();
        for (std::int32_t v = 0; v < n; ++v) {
            add(v, v + 1 < n ? v + 1 : 0);
            if (shape_.degree == 4 || v < n / 2) {
                add(v, (v + shape_.step) % n);
            }
        }
        draw_stream stream(source, draw_switches);
        std::int32_t const wanted = shape_.rigid ? 2 : 10 * count_;
        for (std::int32_t tries = 0, done = 0; tries < 10 * count_ && done < wanted; ++tries) {
            std::int32_t const e = stream.uniform(0, count_ - 1);
            std::int32_t const f = stream.uniform(0, count_ - 1);
            done += exchange(e, f, stream.uniform(0, 1)) ? 1 : 0;
        }
        if (shape_.doubled) {
            std::int32_t const half = count_;
            for (std::int32_t e = 0; e < half; ++e) {
                add(ends_[2 * e] + n, ends_[2 * e + 1] + n);
            }
            exchange(0, half, 0);
        }
    }

private:
    OPTGAP_HD void flip(std::int32_t u, std::int32_t v) {
        rows_[u * row_words_ + v / 32] ^= 1u << (v % 32);
        rows_[v * row_words_ + u / 32] ^= 1u << (u % 32);
    }
    OPTGAP_HD void add(std::int32_t u, std::int32_t v) {
        ends_[2 * count_] = u;
        ends_[2 * count_ + 1] = v;
        ++count_;
        flip(u, v);
    }
    /// Replaces a-b and c-d by a-d and c-b, or the same with the second edge reversed, unless a pair is already joined.
    OPTGAP_HD bool exchange(std::int32_t e, std::int32_t f, std::int32_t turned) {
        std::int32_t const a = ends_[2 * e];
        std::int32_t const b = ends_[2 * e + 1];
        std::int32_t const c = ends_[2 * f + turned];
        std::int32_t const d = ends_[2 * f + 1 - turned];
        if (a == c || a == d || b == c || b == d || contains(rows_ + a * row_words_, d) ||
            contains(rows_ + c * row_words_, b)) {
            return false;
        }
        flip(a, b);
        flip(c, d);
        flip(a, d);
        flip(c, b);
        ends_[2 * e + 1] = d;
        ends_[2 * f] = c;
        ends_[2 * f + 1] = b;
        return true;
    }

    regular_shape shape_;
    std::int64_t row_words_;
    std::int32_t* ends_;
    std::uint32_t* rows_;
    std::int32_t count_ = 0;
};

}  // namespace tasks::graph_isomorphism
OPTGAP_KERNELS_END
