// DIMACS: graphs.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_dimacs(json const& at) {
    return fmt::format("p edge {} {}\n", at["n"].dump(), at["edges"].size()) + edges(at, "e ");
}

}  // namespace

instance_formats_of dimacs_graph_files() {
    return {{.name = "dimacs_graph", .task = "coloring", .write = &write_dimacs},
            {.name = "dimacs_graph", .task = "clique", .write = &write_dimacs},
            {.name = "dimacs_graph", .task = "independent_set", .write = &write_dimacs}};
}

}  // namespace optgap::files
