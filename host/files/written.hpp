#pragma once
// Parts of files that several formats write.

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace optgap::files {

using json = nlohmann::ordered_json;

/// A row of numbers with blanks between.
inline std::string numbers(json const& list) {
    std::string out;
    for (json const& each : list) {
        out += out.empty() ? "" : " ";
        out += each.dump();
    }
    return out;
}

inline std::string rows_of_numbers(json const& rows) {
    std::string out;
    for (json const& row : rows) {
        out += numbers(row) + "\n";
    }
    return out;
}

inline std::string edges(json const& at, std::string const& before) {
    std::string out;
    for (json const& edge : at["edges"]) {
        std::string const rest = edge.size() > 2 ? " " + edge[2].dump() : "";
        out +=
            fmt::format("{}{} {}{}\n", before, edge[0].get<std::int64_t>() + 1, edge[1].get<std::int64_t>() + 1, rest);
    }
    return out;
}

}  // namespace optgap::files
