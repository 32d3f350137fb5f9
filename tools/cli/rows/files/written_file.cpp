#include "tools/cli/rows/files/written_file.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::cli::written {
namespace {

using json = nlohmann::ordered_json;

/// A row of numbers with blanks between.
std::string numbers(json const& list) {
    std::string out;
    for (json const& each : list) {
        out += out.empty() ? "" : " ";
        out += each.dump();
    }
    return out;
}

std::string rows_of_numbers(json const& rows) {
    std::string out;
    for (json const& row : rows) {
        out += numbers(row) + "\n";
    }
    return out;
}

bool whole(json const& points) {
    return std::ranges::all_of(points, [](json const& point) {
        return std::ranges::all_of(point, [](json const& x) { return x.is_number_integer(); });
    });
}

std::string coordinates(json const& points) {
    std::string out = "EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        out += fmt::format("{} {}\n", i + 1, numbers(points[i]));
    }
    return out;
}

std::string full_matrix(json const& distances) {
    return "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n" +
           rows_of_numbers(distances);
}

std::string cities(json const& at) {
    bool const points = at.contains("points");
    if (points && at["metric"] == "euc_2d" && !whole(at["points"])) {
        throw field_error("metric",
                          "must be \"euc_2d_doubles\" for a TSPLIB file of points that are no integers: its programs "
                          "compute distances in doubles");
    }
    json const& list = at[points ? "points" : "distances"];
    return fmt::format("NAME : instance\nTYPE : TSP\nDIMENSION : {}\n", list.size()) +
           (points ? coordinates(list) : full_matrix(list)) + "EOF\n";
}

std::string routes(json const& at) {
    bool const points = at.contains("points");
    json const& demands = at["demands"];
    std::string out = fmt::format("NAME : instance\nTYPE : CVRP\nDIMENSION : {}\nCAPACITY : {}\n", demands.size(),
                                  at["capacity"].dump()) +
                      (points ? coordinates(at["points"]) : full_matrix(at["distances"])) + "DEMAND_SECTION\n";
    for (std::size_t i = 0; i < demands.size(); ++i) {
        out += fmt::format("{} {}\n", i + 1, demands[i].dump());
    }
    return out + "DEPOT_SECTION\n1\n-1\nEOF\n";
}

std::string items(json const& at) {
    std::string out = fmt::format("{} {}\n", at["values"].size(), at["capacity"].dump());
    for (std::size_t i = 0; i < at["values"].size(); ++i) {
        out += fmt::format("{} {}\n", at["values"][i].dump(), at["weights"][i].dump());
    }
    return out;
}

std::string edges(json const& at, std::string const& before) {
    std::string out;
    for (json const& edge : at["edges"]) {
        std::string const rest = edge.size() > 2 ? " " + edge[2].dump() : "";
        out +=
            fmt::format("{}{} {}{}\n", before, edge[0].get<std::int64_t>() + 1, edge[1].get<std::int64_t>() + 1, rest);
    }
    return out;
}

std::string dimacs(json const& at) {
    return fmt::format("p edge {} {}\n", at["n"].dump(), at["edges"].size()) + edges(at, "e ");
}

std::string hcp(json const& at) {
    return fmt::format("NAME : instance\nTYPE : HCP\nDIMENSION : {}\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n",
                       at["n"].dump()) +
           edges(at, "") + "-1\nEOF\n";
}

std::string rudy(json const& at) { return fmt::format("{} {}\n", at["n"].dump(), at["edges"].size()) + edges(at, ""); }

std::string metis(json const& at) {
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

std::string steinlib(json const& at) {
    std::string out = fmt::format(
        "33D32945 STP File, STP Format Version 1.0\n\nSECTION Graph\nNodes {}\nEdges {}\n{}END\n\nSECTION Terminals\n"
        "Terminals {}\n",
        at["n"].dump(), at["edges"].size(), edges(at, "E "), at["terminals"].size());
    for (json const& terminal : at["terminals"]) {
        out += fmt::format("T {}\n", terminal.get<std::int64_t>() + 1);
    }
    return out + "END\n\nEOF\n";
}

std::string clauses(json const& at) {
    std::string out = fmt::format("p cnf {} {}\n", at["n"].dump(), at["clauses"].size());
    for (json const& clause : at["clauses"]) {
        out += numbers(clause) + (clause.empty() ? "0\n" : " 0\n");
    }
    return out;
}

std::string weighted_clauses(json const& at) {
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

/// By rows: the costs of the sets, then for each element which sets hold it.
std::string cover(json const& at) {
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

std::string bins(json const& at) {
    std::string out = fmt::format("{}\n{}\n", at["sizes"].size(), at["capacity"].dump());
    for (json const& size : at["sizes"]) {
        out += size.dump() + "\n";
    }
    return out;
}

std::string order_matrix(json const& at) {
    return fmt::format("{}\n", at["matrix"].size()) + rows_of_numbers(at["matrix"]);
}

std::string job_shop(json const& at) {
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
std::string flow_shop(json const& at) {
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

struct file_writer {
    std::string_view task;
    std::string (*write)(json const& instance);
};

constexpr file_writer file_writers[] = {
    {"tsp", cities},
    {"vehicle_routing", routes},
    {"knapsack", items},
    {"coloring", dimacs},
    {"clique", dimacs},
    {"independent_set", dimacs},
    {"hamiltonian", hcp},
    {"max_cut", rudy},
    {"bisection", metis},
    {"steiner_tree", steinlib},
    {"sat", clauses},
    {"max_sat", weighted_clauses},
    {"set_cover", cover},
    {"bin_packing", bins},
    {"linear_ordering", order_matrix},
    {"job_shop", job_shop},
    {"flow_shop", flow_shop},
};

}  // namespace
}  // namespace optgap::cli::written

namespace optgap::cli {

std::string written_file(std::string_view task, nlohmann::ordered_json const& instance) {
    auto const found = std::ranges::find(written::file_writers, task, &written::file_writer::task);
    if (found == std::end(written::file_writers)) {
        throw field_error("task", fmt::format("{} has no format of files; its instances are rows of JSON", task));
    }
    return found->write(instance);
}

}  // namespace optgap::cli
