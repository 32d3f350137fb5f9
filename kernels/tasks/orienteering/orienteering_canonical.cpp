// Places, their amounts and their distances. Points that are moved, rotated or mirrored are the same problem.

#include "kernels/canonical/form.hpp"
#include "kernels/families/routes/routes.hpp"

namespace orienteering_canonical {

static void list(optgap::words_view instance, optgap::canonical::structure& out) {
    optgap::families::routes_view const all = optgap::families::view_routes(instance);
    out.say({all.limit});
    out.add_nodes(0, 1);  // the depot
    out.add_nodes(1, all.at.n - 1);
    for (std::int32_t i = 0; i < all.at.n; ++i) {
        out.say_of(i, {all.amount[i]});
        for (std::int32_t j = 0; j < i; ++j) {
            out.join(i, j, 0, all.at.distance(i, j));
        }
    }
}

}  // namespace orienteering_canonical

extern optgap::canonical_rules const optgap_canonical_orienteering;
optgap::canonical_rules const optgap_canonical_orienteering{.list = orienteering_canonical::list};
