// Sizes of items to be packed, a line each.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_bins(json const& at) {
    std::string out = fmt::format("{}\n{}\n", at["sizes"].size(), at["capacity"].dump());
    for (json const& size : at["sizes"]) {
        out += size.dump() + "\n";
    }
    return out;
}

}  // namespace

instance_formats_of bin_sizes_files() { return {{.name = "bin_sizes", .task = "bin_packing", .write = &write_bins}}; }

}  // namespace optgap::files
