#pragma once

#include <array>
#include <string>

#include <nlohmann/json.hpp>

namespace optgap::cli {

/// Tables of words that instruction types need and no published row brings: NAME.json of a folder, each what stands in
/// a rubric (docs/checks.md). A rubric holds the tables that it needs, so that its key says which they are.
class instruction_tables {
public:
    instruction_tables() = default;
    /// Reads what is there of the folder. Throws usage_error for a folder without tables and for a file that is no
    /// JSON.
    explicit instruction_tables(std::string const& folder);

    /// Puts into a check of an instruction type the tables that it needs and does not bring. Throws field_error where a
    /// table is not there, and where the table of languages lacks the one that is asked for.
    void complete(nlohmann::ordered_json& check, std::string const& field) const;

private:
    struct table {
        char const* name;
        char const* argument;
        nlohmann::ordered_json value;
    };
    std::array<table, 4> tables_{{{"languages", "table", {}},
                                  {"stop_words", "stop_words", {}},
                                  {"verbs", "verbs", {}},
                                  {"syllables", "syllables", {}}}};
};

}  // namespace optgap::cli
