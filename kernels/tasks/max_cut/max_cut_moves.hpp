#pragma once
// Moves of max_cut: a vertex changes sides. The gain of each move is kept, so that finding the best move takes one pass
// over the vertices, and making a move one pass over its edges.

#include <cstdint>

#include "kernels/core/weighted_graph.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::max_cut {

/// The loss is the negative weight of the cut.
class side_flips {
public:
    OPTGAP_HD static std::int64_t image_words(words_view words) { return (3 * std::int64_t(words[0]) + 1) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view) { return 0; }
    OPTGAP_HD static std::int32_t things(words_view words) { return words[0]; }

    OPTGAP_HD side_flips(words_view words, std::int32_t* image, std::int32_t*)
        : n_(words[0]),
          edges_(words.data + 1),
          gain_(reinterpret_cast<std::int64_t*>(image)),
          side_(image + 2 * std::int64_t(n_)) {}

    template <class Team>
    OPTGAP_HD void prepare(Team&) const {}
    template <class Team>
    OPTGAP_HD void look(Team&) const {}
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        std::int64_t cut_twice = 0;
        team.each(n_, [&](std::int64_t u) {
            std::int32_t const own = answer.values[u];
            std::int64_t gain = 0;
            for (std::int32_t v = 0; v < n_; ++v) {
                std::int32_t const weight = row(u)[v];
                gain += answer.values[v] == own ? weight : -std::int64_t(weight);
                cut_twice += answer.values[v] == own ? 0 : weight;
            }
            gain_[u] = gain;
            side_[u] = own;
        });
        return -team.sum(cut_twice) / 2;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return -loss; }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(n_, [&](std::int64_t v) { answer[1 + v] = side_[v]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(n_);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return n_; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 1; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t v, Offer const& offer) const {
        offer(0, -gain_[v]);
    }
    [[nodiscard]] OPTGAP_HD static constexpr search::moved_things moved(std::int32_t v) { return {v}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t v) const {
        std::int32_t const own = side_[v];
        std::int32_t const* const edges = row(v);
        team.each(n_, [&](std::int64_t u) {
            std::int64_t const twice = 2 * std::int64_t(edges[u]);
            gain_[u] = u == v ? -gain_[u] : gain_[u] - (side_[u] == own ? twice : -twice);
        });
        team.sync();
        if (team.rank() == 0) {
            side_[v] = 1 - own;
        }
        team.sync();
    }

private:
    [[nodiscard]] OPTGAP_HD std::int32_t const* row(std::int64_t u) const { return edges_ + u * n_; }

    std::int32_t n_;
    std::int32_t const* edges_;  ///< n rows of n weights
    std::int64_t* gain_;         ///< for each vertex: gain of the cut if it changes sides
    std::int32_t* side_;
};

}  // namespace tasks::max_cut
OPTGAP_KERNELS_END
