#pragma once
// Moves of k_center: a vertex replaces a centre. The nearest and the second nearest centre of each vertex are known, so
// one pass over all vertices gives the value of a new centre in place of each of the old ones (Mladenović, Labbé &
// Hansen 2003).

#include <cstdint>

#include "kernels/families/routes/weighted_edges.hpp"
#include "kernels/search/local_search.hpp"
#include "kernels/search/shortest_paths.hpp"

OPTGAP_KERNELS_BEGIN
namespace tasks::k_center {

/// The loss is the largest distance and, among sets with the same distance, the number of vertices at that distance.
class centre_swaps {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) {
        std::int64_t const n = on[0];
        return (n * n + n + 1) / 2 * 2;
    }
    OPTGAP_HD static std::int64_t table_words(words_view on) {
        std::int64_t const n = on[0];
        return 4 * n + 3 * n * on[weighted_graph_words(n)];
    }
    OPTGAP_HD static std::int32_t things(words_view on) { return on[0]; }

    OPTGAP_HD centre_swaps(words_view on, std::int32_t* image, std::int32_t* tables)
        : graph_(families::view_edges(on)),
          k_(on[weighted_graph_words(on[0])]),
          distance_(image),
          centre_(distance_ + std::int64_t(on[0]) * on[0]),
          nearest_(tables),
          second_(nearest_ + on[0]),
          owner_(second_ + on[0]),
          is_centre_(owner_ + on[0]),
          rows_(is_centre_ + on[0]) {}

    template <class Team>
    OPTGAP_HD void prepare(Team&) const {}
    template <class Team>
    OPTGAP_HD void first(Team& team) const {
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            search::shortest_paths_from(team, v, graph_.rows, graph_.n, distance_ + std::int64_t(v) * graph_.n,
                                        nearest_);
        }
    }
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        team.each(graph_.n, [&](std::int64_t v) { is_centre_[v] = 0; });
        team.sync();
        team.each(k_, [&](std::int64_t c) { is_centre_[centre_[c]] = 1; });
        team.each(graph_.n, [&](std::int64_t v) {
            std::int32_t nearest = search::unreached;
            std::int32_t second = search::unreached;
            std::int32_t owner = 0;
            for (std::int32_t c = 0; c < k_; ++c) {
                std::int32_t const own = between(centre_[c], std::int32_t(v));
                second = own < nearest ? nearest : own < second ? own : second;
                owner = own < nearest ? c : owner;
                nearest = own < nearest ? own : nearest;
            }
            nearest_[v] = nearest;
            second_[v] = second;
            owner_[v] = owner;
        });
        team.sync();
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        team.each(k_, [&](std::int64_t c) { centre_[c] = answer.values[c]; });
        team.sync();
        look(team);
        return loss();
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return loss / unit(); }
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        team.each(k_, [&](std::int64_t c) { answer[1 + c] = centre_[c]; });
        if (team.rank() == 0) {
            answer[0] = answer_flat;
        }
        team.sync();
        return 1 + std::int64_t(k_);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return graph_.n; }
    [[nodiscard]] OPTGAP_HD std::int32_t width() const { return k_; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t u, Offer const& offer) const {
        if (is_centre_[u] != 0) {
            return;
        }
        // For the vertices of each centre, without that centre: the distance of the farthest, how many have that
        // distance, and how many are as far as the farthest of all with the centre.
        std::int32_t* const far = rows_ + std::int64_t(u) * 3 * k_;
        std::int32_t* const count = far + k_;
        std::int32_t* const farthest = count + k_;
        for (std::int32_t c = 0; c < k_; ++c) {
            far[c] = count[c] = farthest[c] = 0;
        }
        std::int32_t all = 0;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            std::int32_t const with = lesser(between(u, v), nearest_[v]);
            all = with > all ? with : all;
        }
        std::int32_t all_count = 0;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            std::int32_t const c = owner_[v];
            std::int32_t const with = lesser(between(u, v), nearest_[v]);
            std::int32_t const without = lesser(between(u, v), second_[v]);
            all_count += with == all ? 1 : 0;
            farthest[c] += with == all ? 1 : 0;
            count[c] = without > far[c] ? 1 : count[c] + (without == far[c] ? 1 : 0);
            far[c] = without > far[c] ? without : far[c];
        }
        std::int64_t const now = loss();
        for (std::int32_t c = 0; c < k_; ++c) {
            std::int64_t const then = far[c] > all    ? far[c] * unit() + count[c]
                                      : far[c] == all ? all * unit() + all_count - farthest[c] + count[c]
                                                      : all * unit() + all_count;
            offer(c, then - now);
        }
    }
    [[nodiscard]] OPTGAP_HD search::moved_things moved(std::int32_t move) const {
        return {move / k_, centre_[move % k_]};
    }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t move) const {
        if (team.rank() == 0) {
            centre_[move % k_] = move / k_;
        }
        team.sync();
        look(team);
    }

private:
    [[nodiscard]] OPTGAP_HD std::int64_t unit() const { return graph_.n + 1; }
    [[nodiscard]] OPTGAP_HD static std::int32_t lesser(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
    [[nodiscard]] OPTGAP_HD std::int32_t between(std::int32_t u, std::int32_t v) const {
        return distance_[std::int64_t(u) * graph_.n + v];
    }
    /// Each lane scans all vertices.
    [[nodiscard]] OPTGAP_HD std::int64_t loss() const {
        std::int32_t most = 0;
        std::int32_t count = 0;
        for (std::int32_t v = 0; v < graph_.n; ++v) {
            count = nearest_[v] > most ? 1 : count + (nearest_[v] == most ? 1 : 0);
            most = nearest_[v] > most ? nearest_[v] : most;
        }
        return most * unit() + count;
    }

    families::weighted_edges graph_;
    std::int32_t k_;
    std::int32_t* distance_;  ///< n rows of n
    std::int32_t* centre_;
    std::int32_t* nearest_;  ///< for each vertex: distance of the nearest centre
    std::int32_t* second_;   ///< distance of the second nearest centre
    std::int32_t* owner_;    ///< which centre is the nearest
    std::int32_t* is_centre_;
    std::int32_t* rows_;  ///< three numbers for each vertex and centre
};

}  // namespace tasks::k_center
OPTGAP_KERNELS_END
