// Items of a knapsack, a line each.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_items(json const& at) {
    std::string out = fmt::format("{} {}\n", at["values"].size(), at["capacity"].dump());
    for (std::size_t i = 0; i < at["values"].size(); ++i) {
        out += fmt::format("{} {}\n", at["values"][i].dump(), at["weights"][i].dump());
    }
    return out;
}

}  // namespace

instance_formats_of knapsack_items_files() {
    return {{.name = "knapsack_items", .task = "knapsack", .write = &write_items}};
}

}  // namespace optgap::files
