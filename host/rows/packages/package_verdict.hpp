#pragma once
// What a package says of a row: read of its worker's answer, given back to it for the group, and written.

#include <cstdint>
#include <string>
#include <string_view>

#include "host/rows/packages/package.hpp"

namespace optgap::rows {

/// What a package says of a row, and keeps of it.
struct kept_verdict {
    double reward = 0, quality = 0;
    bool formed = true, feasible = false;
    std::int32_t code = code_ok;
    std::int64_t objective = no_objective;
    double score = 0;
    std::string group, task;
    std::string columns, kept;  ///< as JSON
    std::string row;            ///< as the package saw it, for `explain`
};

/// Throws package_failure: the answer breaks a rule.
[[noreturn]] void misfit(std::string const& what);
/// Throws package_failure for what is no text; empty where there is none.
std::string text_at(nlohmann::ordered_json const& of, char const* name);
/// Whether a raw value of a row is of the type.
bool fits(column_type type, std::string_view raw);
/// Such as "an integer".
std::string_view type_word(column_type type);

/// Throws package_failure for an answer that does not fit kind.json.
kept_verdict verdict_of(package_declaration const& about, nlohmann::ordered_json const& from);
/// The same as the worker gets it for `settle` and `explain`.
nlohmann::ordered_json grade_json(package_declaration const& about, kept_verdict const& one);
void write_value(graded_row& row, kept_verdict const& one);
void write_columns(row_sink& out, package_declaration const& about, kept_verdict const& of);

}  // namespace optgap::rows
