// Ceilings as results have them: a check that measures each task in a process of its own measures them once.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/cli/measure/results/commands.hpp"
#include "tools/cli/measure/results/fields.hpp"
#include "tools/cli/measure/results/files.hpp"

namespace optgap::cli {

std::vector<ceiling> recorded_ceilings(std::string const& path, engine const& by) {
    std::vector<ceiling> found;
    for (nlohmann::ordered_json const& line : read_lines(path)) {
        if (line["benchmark"] == "ceiling" && line["device"] == by.device_name() && line["threads"] == by.threads()) {
            checked_fields const of(line, path);
            found.push_back({of.text("case"), of.text("unit"), of.positive("rate"), of.samples("samples")});
        }
    }
    if (found.empty()) {
        throw usage_error(fmt::format("{}: holds no ceiling of {} with {} threads; leave out --ceilings to measure them",
                                      path, by.device_name(), by.threads()));
    }
    return found;
}

}  // namespace optgap::cli
