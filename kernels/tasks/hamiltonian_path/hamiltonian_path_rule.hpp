#pragma once
// The search of hamiltonian_path. A node gives one vertex its successor on the path, or none. The loss of an order is
// the number of vertices without a successor, except for one. It is at least the number left over by a largest matching
// of vertices to successors in which no fragment of the path is closed to a cycle by its own arc.

#include <cstdint>
#include <cstring>

#include "kernels/core/bitset.hpp"
#include "kernels/core/words.hpp"
#include "kernels/search/sequence_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::hamiltonian_path {

/// Sets of successors.
struct arcs_view {
    std::int32_t n;
    std::int64_t row_words;
    std::uint32_t const* rows;

    OPTGAP_HD explicit arcs_view(words_view instance)
        : n(instance[0]), row_words(bitset_words(n)), rows(reinterpret_cast<std::uint32_t const*>(instance.data + 1)) {}

    [[nodiscard]] OPTGAP_HD std::uint32_t const* row(std::int32_t u) const { return rows + u * row_words; }
    [[nodiscard]] OPTGAP_HD bool has(std::int32_t u, std::int32_t v) const { return contains(row(u), v); }
    /// Calls f(v) for each successor v of u, in rising order.
    template <class Function>
    OPTGAP_HD void each(std::int32_t u, Function const& function) const {
        for (std::int32_t w = 0; w < row_words; ++w) {
            for (std::uint32_t bits = row(u)[w]; bits != 0; bits &= bits - 1) {
                function(32 * w + lowest(bits));
            }
        }
    }
    [[nodiscard]] std::int32_t degree(std::int32_t u) const {
        std::int32_t count = 0;
        for (std::int64_t w = 0; w < row_words; ++w) {
            count += popcount(row(u)[w]);
        }
        return count;
    }
};

/// A choice is u (n + 1) + v: v follows u; no vertex does if v is n.
class successor_rule {
public:
    static constexpr std::int32_t max_vertices = 256;

    static bool fits(words_view instance) { return instance[0] <= max_vertices; }
    static std::int64_t words(words_view instance) {
        arcs_view const graph(instance);
        std::int64_t arcs = 0;
        for (std::int32_t u = 0; u < graph.n; ++u) {
            arcs += graph.degree(u);
        }
        return 1 + 3 * std::int64_t(graph.n) + arcs;
    }
    static search::sequence_shape shape(words_view instance) {
        arcs_view const graph(instance);
        std::int32_t most = 0;
        for (std::int32_t u = 0; u < graph.n; ++u) {
            most = graph.degree(u) > most ? graph.degree(u) : most;
        }
        return {graph.n, most + 1, 2 * std::int64_t(graph.n)};
    }

    successor_rule(words_view instance, std::int32_t* scratch)
        : n_(instance[0]),
          width_(shape(instance).width),
          start_(scratch),
          ways_in_(start_ + n_ + 1),
          seen_(ways_in_ + n_),
          to_(seen_ + n_) {
        arcs_view const graph(instance);
        start_[0] = 0;
        for (std::int32_t u = 0; u < n_; ++u) {
            start_[u + 1] = start_[u];
            graph.each(u, [&](std::int32_t v) { to_[start_[u + 1]++] = v; });
        }
    }

    /// A child costs about as much as reading all arcs once.
    [[nodiscard]] std::int64_t node_steps() const { return 1 + width_ * (n_ + start_[n_]) / 2'000; }

    std::int64_t begin(std::int64_t* state) const {
        auto const at = view<std::int32_t>(state);
        for (std::int32_t v = 0; v < n_; ++v) {
            at.after[v] = at.before[v] = none;
            at.decided[v] = 0;
            at.far[v] = v;
        }
        return match_all(at);
    }

    /// The vertex with the fewest choices, or the one that some vertex has few choices but to lead to.
    template <class Offer>
    void choices(std::int64_t const* state, Offer const& offer) const {
        auto const at = view<std::int32_t const>(state);
        for (std::int32_t v = 0; v < n_; ++v) {
            ways_in_[v] = 0;
        }
        for (std::int32_t u = 0; u < n_; ++u) {
            each_open(at, u, [&](std::int32_t v) { ++ways_in_[v]; });
        }
        std::int32_t chosen = -1;
        std::int64_t least = INT64_MAX;
        for (std::int32_t u = 0; u < n_; ++u) {
            if (at.decided[u] != 0) {
                continue;
            }
            std::int64_t out = 0;
            std::int64_t in = n_;
            each_open(at, u, [&](std::int32_t v) {
                ++out;
                in = ways_in_[v] < in ? ways_in_[v] : in;
            });
            std::int64_t const key = (out < in ? out : in) * 2 * n_ + out;
            if (key < least) {
                least = key;
                chosen = u;
            }
        }
        each_open(at, chosen, [&](std::int32_t v) { offer(chosen * (n_ + 1) + v); });
        offer(chosen * (n_ + 1) + n_);
    }

    /// Among equal bounds, the successor whose own path has the fewest continuations comes first.
    search::sequence_value extend(std::int64_t const* state, std::int32_t choice, std::int64_t* next) const {
        std::memcpy(next, state, std::size_t(2 * n_) * sizeof *state);
        auto const at = view<std::int32_t>(next);
        std::int32_t const u = choice / (n_ + 1);
        std::int32_t const v = choice % (n_ + 1);
        at.part(u);
        at.decided[u] = 1;
        if (v == n_) {
            return {match_all(at), n_};
        }
        if (at.before[v] >= 0) {
            at.part(at.before[v]);
        }
        at.join(u, v);
        std::int32_t const first = at.far[u];
        std::int32_t const last = at.far[v];
        at.far[first] = last;
        at.far[last] = first;
        if (at.decided[last] == 0 && at.after[last] == first) {
            at.part(last);
        }
        std::int64_t ways = 0;
        each_open(at, last, [&](std::int32_t) { ++ways; });
        return {match_all(at), ways};
    }

private:
    static constexpr std::int32_t none = -1;

    /// A node's state: fragments of a path, made by the arcs of decided vertices, and a matching that contains these
    /// arcs.
    template <class Word>
    struct fragments {
        Word* after;    ///< the matched successor
        Word* before;   ///< the vertex that it is the matched successor of
        Word* decided;  ///< whether its successor is decided, or it finally has none
        Word* far;      ///< for one end of a fragment: the other end

        void join(std::int32_t u, std::int32_t v) const {
            after[u] = v;
            before[v] = u;
        }
        void part(std::int32_t u) const {
            if (after[u] >= 0) {
                before[after[u]] = none;
                after[u] = none;
            }
        }
    };
    template <class Word, class State>
    [[nodiscard]] fragments<Word> view(State* state) const {
        auto* const words = reinterpret_cast<Word*>(state);
        return {words, words + n_, words + 2 * n_, words + 3 * n_};
    }

    /// Calls f(v) for all vertices that may still follow the undecided u.
    template <class Word, class Function>
    void each_open(fragments<Word> const& at, std::int32_t u, Function const& function) const {
        if (at.decided[u] != 0) {
            return;
        }
        for (std::int32_t i = start_[u]; i < start_[u + 1]; ++i) {
            if (may_follow(at, u, to_[i])) {
                function(to_[i]);
            }
        }
    }
    template <class Word>
    static bool may_follow(fragments<Word> const& at, std::int32_t u, std::int32_t v) {
        return (at.before[v] < 0 || at.decided[at.before[v]] == 0) && at.far[u] != v;
    }

    /// Makes the matching a largest one; returns what it leaves over, except for one.
    std::int64_t match_all(fragments<std::int32_t> const& at) const {
        std::int64_t over = 0;
        for (std::int32_t v = 0; v < n_; ++v) {
            seen_[v] = none;
        }
        for (std::int32_t u = 0; u < n_; ++u) {
            over += at.after[u] < 0 && (at.decided[u] != 0 || !match(at, u, u)) ? 1 : 0;
        }
        return over > 0 ? over - 1 : 0;
    }
    /// Finds a successor for u, and another one for vertices that lose theirs (Kuhn 1955). Depth first, at most n deep.
    bool match(fragments<std::int32_t> const& at, std::int32_t u, std::int32_t round) const {
        for (std::int32_t i = start_[u]; i < start_[u + 1]; ++i) {
            std::int32_t const v = to_[i];
            if (seen_[v] != round && may_follow(at, u, v)) {
                seen_[v] = round;
                std::int32_t const other = at.before[v];
                if (other < 0 || match(at, other, round)) {
                    at.join(u, v);
                    return true;
                }
            }
        }
        return false;
    }

    std::int32_t n_;
    std::int64_t width_;
    std::int32_t* start_;    ///< where each vertex's successors begin in to_
    std::int32_t* ways_in_;  ///< open arcs to a vertex
    std::int32_t* seen_;
    std::int32_t* to_;
};

}  // namespace tasks::hamiltonian_path
OPTGAP_KERNELS_END
