// METIS: weighted graphs to be parted.

#include <vector>

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_metis(json const& at) {
    std::vector<std::string> lines(at["n"].get<std::size_t>());
    for (json const& edge : at["edges"]) {
        for (std::size_t const end : {0U, 1U}) {
            std::string& line = lines[edge[end].get<std::size_t>()];
            line +=
                fmt::format("{}{} {}", line.empty() ? "" : " ", edge[1 - end].get<std::int64_t>() + 1, edge[2].dump());
        }
    }
    std::string out = fmt::format("{} {} 1\n", at["n"].dump(), at["edges"].size());
    for (std::string const& line : lines) {
        out += line + "\n";
    }
    return out;
}

}  // namespace

instance_formats_of metis_files() { return {{.name = "metis", .task = "bisection", .write = &write_metis}}; }

}  // namespace optgap::files
