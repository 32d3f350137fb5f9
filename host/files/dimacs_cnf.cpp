// DIMACS: clauses, perhaps weighted.

#include "host/files/instance_format.hpp"
#include "host/files/written.hpp"

namespace optgap::files {

namespace {

std::string write_clauses(json const& at) {
    std::string out = fmt::format("p cnf {} {}\n", at["n"].dump(), at["clauses"].size());
    for (json const& clause : at["clauses"]) {
        out += numbers(clause) + (clause.empty() ? "0\n" : " 0\n");
    }
    return out;
}

std::string write_weighted_clauses(json const& at) {
    json const& weights = at["weights"];
    std::int64_t top = 1;
    for (json const& weight : weights) {
        top += weight.get<std::int64_t>();
    }
    std::string out = fmt::format("p wcnf {} {} {}\n", at["n"].dump(), at["clauses"].size(), top);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        bool const hard = at.contains("hard") && at["hard"][i] != 0;
        json const& clause = at["clauses"][i];
        out += fmt::format("{} {}{}0\n", hard ? std::to_string(top) : weights[i].dump(), numbers(clause),
                           clause.empty() ? "" : " ");
    }
    return out;
}

}  // namespace

instance_formats_of dimacs_cnf_files() {
    return {{.name = "dimacs_cnf", .task = "sat", .write = &write_clauses},
            {.name = "dimacs_cnf", .task = "max_sat", .write = &write_weighted_clauses}};
}

}  // namespace optgap::files
