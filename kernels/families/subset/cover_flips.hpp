#pragma once
// Moves on sets of vertices that should meet every demand: a vertex is added or removed. The loss is the weight, and
// for each open demand one more than the largest weight of a vertex, so that meeting a demand always outweighs a
// vertex. A task's `demands` define
//
//   words(instance)                words of tables
//   (graph, chosen, tables)        constructor
//   look(team)                     reads the set; synced
//   open(team)                     number of demands that it leaves open; after `look`
//   lost(v), met(v)                demands that become open without the member v, or met with the non-member v
//   changed(team, v)               updates the tables after v was added or removed; synced

#include <cstdint>

#include "kernels/core/bitset.hpp"
#include "kernels/core/graph.hpp"
#include "kernels/search/local_search.hpp"

OPTGAP_KERNELS_BEGIN
namespace families {

template <class Task>
class cover_flips {
public:
    OPTGAP_HD static std::int64_t image_words(words_view on) { return 2 + (bitset_words(on[0]) + 1) / 2 * 2; }
    OPTGAP_HD static std::int64_t table_words(words_view on) { return Task::demands::words(on); }
    OPTGAP_HD static std::int32_t things(words_view on) { return on[0]; }

    OPTGAP_HD cover_flips(words_view on, std::int32_t* image, std::int32_t* tables)
        : graph_(view_graph(on)),
          weight_(on.data + graph_words(on[0])),
          open_(reinterpret_cast<std::int64_t*>(image)),
          chosen_(reinterpret_cast<std::uint32_t*>(image + 2)),
          demands_(graph_, chosen_, tables) {}

    template <class Team>
    OPTGAP_HD void prepare(Team& team) {
        std::int64_t most = 0;
        team.each(graph_.n, [&](std::int64_t v) { most = weight_[v] > most ? weight_[v] : most; });
        price_ = 1 + team.max_by(most, 0).key;
    }
    template <class Team>
    OPTGAP_HD void look(Team& team) const {
        demands_.look(team);
    }
    template <class Team>
    OPTGAP_HD std::int64_t begin(Team& team, answer_view answer) const {
        clear(team, chosen_, graph_.n);
        std::int64_t weight = 0;
        team.each(answer.count, [&](std::int64_t i) {
            std::int32_t const v = answer.values[i];
            team.fetch_or(&chosen_[v >> 5], 1u << (v & 31));
            weight += weight_[v];
        });
        weight = team.sum(weight);
        demands_.look(team);
        std::int64_t const open = demands_.open(team);
        if (team.rank() == 0) {
            *open_ = open;
        }
        team.sync();
        return weight + price_ * open;
    }
    [[nodiscard]] OPTGAP_HD std::int64_t objective(std::int64_t loss) const { return *open_ > 0 ? no_objective : loss; }
    /// Writes vertices in the order of their numbers. Called by one lane.
    template <class Team>
    OPTGAP_HD std::int64_t write(Team& team, std::int32_t* answer) const {
        std::int32_t size = 0;
        if (team.rank() == 0) {
            answer[0] = answer_flat;
            for (std::int32_t v = 0; v < graph_.n; ++v) {
                if (contains(chosen_, v)) {
                    answer[1 + size++] = v;
                }
            }
        }
        size = team.broadcast(size);
        team.sync();
        return 1 + std::int64_t(size);
    }

    [[nodiscard]] OPTGAP_HD std::int32_t rows() const { return graph_.n; }
    [[nodiscard]] OPTGAP_HD static constexpr std::int32_t width() { return 1; }
    template <class Offer>
    OPTGAP_HD void each_move(std::int32_t v, Offer const& offer) const {
        bool const goes = contains(chosen_, v);
        offer(0, price_ * opened(v) + (goes ? -std::int64_t(weight_[v]) : weight_[v]));
    }
    [[nodiscard]] OPTGAP_HD static constexpr search::moved_things moved(std::int32_t v) { return {v}; }
    template <class Team>
    OPTGAP_HD void apply(Team& team, std::int32_t v) const {
        std::int64_t const opens = opened(v);
        team.sync();
        if (team.rank() == 0) {
            *open_ += opens;
            chosen_[v >> 5] ^= 1u << (v & 31);
        }
        team.sync();
        demands_.changed(team, v);
    }

private:
    [[nodiscard]] OPTGAP_HD std::int64_t opened(std::int32_t v) const {
        return contains(chosen_, v) ? demands_.lost(v) : -demands_.met(v);
    }

    graph_view graph_;
    std::int32_t const* weight_;
    std::int64_t* open_;  ///< number of open demands
    std::uint32_t* chosen_;
    typename Task::demands demands_;
    std::int64_t price_ = 0;  ///< price of an open demand
};

}  // namespace families
OPTGAP_KERNELS_END
