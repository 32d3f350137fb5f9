// OR-Library: set covering by rows.

#include <vector>

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

/// By rows: the costs of the sets, then for each element which sets hold it.
std::string write_cover(json const& at) {
    json const& sets = at["sets"];
    std::vector<std::vector<std::size_t>> holders(at["universe"].get<std::size_t>());
    std::string out = fmt::format("{} {}\n", holders.size(), sets.size());
    for (std::size_t j = 0; j < sets.size(); ++j) {
        out += fmt::format("{}{}", j == 0 ? "" : " ", at.contains("costs") ? at["costs"][j].dump() : "1");
        for (json const& element : sets[j]) {
            holders[element.get<std::size_t>()].push_back(j + 1);
        }
    }
    for (auto const& held : holders) {
        out += fmt::format("\n{}\n{}", held.size(), fmt::join(held, " "));
    }
    return out + "\n";
}

}  // namespace

instance_formats_of orlib_cover_files() {
    return {{.name = "orlib_cover", .task = "set_cover", .write = &write_cover}};
}

}  // namespace optgap::files
