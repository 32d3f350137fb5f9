// TSPLIB: cities, routes and graphs.

#include <algorithm>

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"
#include "optgap/status.hpp"

namespace optgap::files {

namespace {

bool are_whole(json const& points) {
    return std::ranges::all_of(points, [](json const& point) {
        return std::ranges::all_of(point, [](json const& x) { return x.is_number_integer(); });
    });
}

std::string coordinate_lines(json const& points) {
    std::string out = "EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        out += fmt::format("{} {}\n", i + 1, numbers(points[i]));
    }
    return out;
}

std::string matrix_lines(json const& distances) {
    return "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n" +
           rows_of_numbers(distances);
}

std::string write_cities(json const& at) {
    bool const points = at.contains("points");
    if (points && at["metric"] == "euc_2d" && !are_whole(at["points"])) {
        throw field_error("metric",
                          "must be \"euc_2d_doubles\" for a TSPLIB file of points that are no integers: its programs "
                          "compute distances in doubles");
    }
    json const& list = at[points ? "points" : "distances"];
    return fmt::format("NAME : instance\nTYPE : TSP\nDIMENSION : {}\n", list.size()) +
           (points ? coordinate_lines(list) : matrix_lines(list)) + "EOF\n";
}

std::string write_routes(json const& at) {
    bool const points = at.contains("points");
    json const& demands = at["demands"];
    std::string out = fmt::format("NAME : instance\nTYPE : CVRP\nDIMENSION : {}\nCAPACITY : {}\n", demands.size(),
                                  at["capacity"].dump()) +
                      (points ? coordinate_lines(at["points"]) : matrix_lines(at["distances"])) + "DEMAND_SECTION\n";
    for (std::size_t i = 0; i < demands.size(); ++i) {
        out += fmt::format("{} {}\n", i + 1, demands[i].dump());
    }
    return out + "DEPOT_SECTION\n1\n-1\nEOF\n";
}

std::string write_hcp(json const& at) {
    return fmt::format("NAME : instance\nTYPE : HCP\nDIMENSION : {}\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n",
                       at["n"].dump()) +
           edges(at, "") + "-1\nEOF\n";
}

}  // namespace

instance_formats_of tsplib_files() {
    return {{.name = "tsplib", .task = "tsp", .write = &write_cities},
            {.name = "tsplib", .task = "vehicle_routing", .write = &write_routes},
            {.name = "tsplib", .task = "hamiltonian", .write = &write_hcp}};
}

}  // namespace optgap::files
