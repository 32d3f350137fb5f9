// SteinLib: graphs with terminals.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_steinlib(json const& at) {
    std::string out = fmt::format(
        "33D32945 STP File, STP Format Version 1.0\n\nSECTION Graph\nNodes {}\nEdges {}\n{}END\n\nSECTION Terminals\n"
        "Terminals {}\n",
        at["n"].dump(), at["edges"].size(), edges(at, "E "), at["terminals"].size());
    for (json const& terminal : at["terminals"]) {
        out += fmt::format("T {}\n", terminal.get<std::int64_t>() + 1);
    }
    return out + "END\n\nEOF\n";
}

}  // namespace

instance_formats_of steinlib_files() {
    return {{.name = "steinlib", .task = "steiner_tree", .write = &write_steinlib}};
}

}  // namespace optgap::files
