// rudy, as the Biq Mac library writes weighted graphs.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_rudy(json const& at) {
    return fmt::format("{} {}\n", at["n"].dump(), at["edges"].size()) + edges(at, "");
}

}  // namespace

instance_formats_of rudy_files() { return {{.name = "rudy", .task = "max_cut", .write = &write_rudy}}; }

}  // namespace optgap::files
