#pragma once
// The weights that a graph's bounds distinguish.

#include <cstdint>

#include "kernels/tasks/bisection/bisection_instance.hpp"

OPTGAP_KERNELS_BEGIN

namespace tasks::bisection {

inline constexpr std::int32_t max_levels = 16;

/// Rising weights. Weights between two levels are rounded down to the lower one, those below the first to 0.
struct weight_levels {
    std::int32_t level[max_levels];
    std::int32_t count = 0;
    std::int32_t typical = 0;  ///< about the median weight of all pairs
};

/// All weights of the graph if there are few, otherwise sixteen evenly spaced ones.
OPTGAP_HD inline weight_levels all_levels_of(weighted_graph graph) {
    weight_levels found;
    std::int32_t largest = 0;
    bool few = true;
    std::int64_t const words = std::int64_t(graph.n) * graph.n;
    for (std::int64_t i = 0; i < words; ++i) {
        std::int32_t const weight = graph.rows[i];
        largest = weight > largest ? weight : largest;
        std::int32_t place = 0;
        while (few && place < found.count && found.level[place] < weight) {
            ++place;
        }
        if (!few || weight == 0 || (place < found.count && found.level[place] == weight)) {
            continue;
        }
        few = found.count < max_levels;
        for (std::int32_t t = found.count; few && t > place; --t) {
            found.level[t] = found.level[t - 1];
        }
        if (few) {
            found.level[place] = weight;
            ++found.count;
        }
    }
    if (!few) {
        for (std::int32_t t = 0; t < max_levels; ++t) {
            found.level[t] = std::int32_t(std::int64_t(largest) * (t + 1) / (max_levels + 1));
        }
    }
    return found;
}

/// The useful levels. The half bound charges a vertex for a level if more of its open pairs reach the level than its
/// own part has places, about half as many. A level for which that holds for less than a quarter of the vertices costs
/// more time than its bounds save.
OPTGAP_HD inline weight_levels levels_of(weighted_graph graph) {
    weight_levels const all = all_levels_of(graph);
    std::int64_t pairs[max_levels] = {};
    std::int32_t heavy[max_levels] = {};
    for (std::int32_t v = 0; v < graph.n; ++v) {
        std::int32_t const* const row = graph.row(v);
        for (std::int32_t t = 0; t < all.count; ++t) {
            std::int32_t reached = 0;
            for (std::int32_t u = 0; u < graph.n; ++u) {
                reached += row[u] >= all.level[t];
            }
            pairs[t] += reached;
            heavy[t] += 2 * reached >= graph.n;
        }
    }
    weight_levels kept;
    for (std::int32_t t = 0; t < all.count; ++t) {
        if (2 * pairs[t] >= std::int64_t(graph.n) * graph.n) {
            kept.typical = all.level[t];
        }
        if (4 * heavy[t] >= graph.n) {
            kept.level[kept.count++] = all.level[t];
        }
    }
    return kept;
}

}  // namespace tasks::bisection

OPTGAP_KERNELS_END
