// Cities and their distances. Points that are moved, rotated or mirrored are the same problem, and so is their matrix.
// If there are too many points for a matrix, they are represented by their positions relative to the least coordinates.

#include <algorithm>

#include "kernels/canonical/form.hpp"
#include "kernels/tasks/tsp/tsp_distance.hpp"

namespace tsp_canonical {

constexpr std::int32_t max_cities_of_a_matrix = 2000;

static void list(optgap::words_view instance, optgap::canonical::structure& out) {
    using namespace optgap::tasks::tsp;
    std::int32_t const n = city_count(instance);
    out.add_nodes(0, n);
    if (instance[0] != matrix_form && n > max_cities_of_a_matrix) {
        std::int32_t low[2] = {INT32_MAX, INT32_MAX};
        for (std::int64_t i = 0; i < 2 * std::int64_t(n); ++i) {
            low[i % 2] = std::min(low[i % 2], instance[3 + i]);
        }
        out.say({instance[2] + (instance[0] == doubles_form ? max_scale : 0)});
        for (std::int32_t i = 0; i < n; ++i) {
            out.say_of(i, {instance[3 + 2 * std::int64_t(i)] - low[0], instance[4 + 2 * std::int64_t(i)] - low[1]});
        }
        return;
    }
    distances const d(instance);
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < i; ++j) {
            out.join(i, j, 0, d(i, j));
        }
    }
}

}  // namespace tsp_canonical

extern optgap::canonical_rules const optgap_canonical_tsp;
optgap::canonical_rules const optgap_canonical_tsp{.list = tsp_canonical::list};
