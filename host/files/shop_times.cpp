// Times of job shops, and of flow shops as Taillard writes them.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_job_shop(json const& at) {
    std::string out = fmt::format("{} {}\n", at["times"].size(), at["m"].dump());
    for (std::size_t j = 0; j < at["times"].size(); ++j) {
        std::string line;
        for (std::size_t k = 0; k < at["times"][j].size(); ++k) {
            line += fmt::format("{}{} {}", k == 0 ? "" : " ", at["machines"][j][k].dump(), at["times"][j][k].dump());
        }
        out += line + "\n";
    }
    return out;
}

/// Taillard's: a line a machine.
std::string write_flow_shop(json const& at) {
    json const& times = at["times"];
    std::string out = fmt::format(
        "number of jobs, number of machines, initial seed, upper bound and lower bound :\n{} {} 0 0 0\n"
        "processing times :\n",
        times.size(), times[0].size());
    for (std::size_t m = 0; m < times[0].size(); ++m) {
        for (std::size_t j = 0; j < times.size(); ++j) {
            out += fmt::format("{}{}", j == 0 ? "" : " ", times[j][m].dump());
        }
        out += "\n";
    }
    return out;
}

}  // namespace

instance_formats_of shop_times_files() {
    return {{.name = "shop_times", .task = "job_shop", .write = &write_job_shop},
            {.name = "shop_times", .task = "flow_shop", .write = &write_flow_shop}};
}

}  // namespace optgap::files
