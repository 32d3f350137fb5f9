#include "tools/cli/rubric/tables.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "host/rubric/checks/types.hpp"
#include "optgap/status.hpp"
#include "tools/cli/shell/context.hpp"

namespace optgap::cli {
namespace {

using json = nlohmann::ordered_json;

bool is_table(rubrics::argument_kind kind) {
    return kind == rubrics::argument_kind::words || kind == rubrics::argument_kind::counts ||
           kind == rubrics::argument_kind::lists;
}

}  // namespace

instruction_tables::instruction_tables(std::string const& folder) {
    bool some = false;
    for (table& one : tables_) {
        std::filesystem::path const path = std::filesystem::path(folder) / fmt::format("{}.json", one.name);
        std::ifstream file(path);
        if (!file) {
            continue;
        }
        one.value = json::parse(file, nullptr, false);
        if (one.value.is_discarded()) {
            throw usage_error(fmt::format("--tables: {} is no JSON", path.string()));
        }
        some = true;
    }
    if (!some) {
        throw usage_error(
            fmt::format("--tables: {} holds none of languages.json, stop_words.json, verbs.json and "
                        "syllables.json (`optgap rubric tables {}` of the Python package writes them)",
                        folder, folder));
    }
}

void instruction_tables::complete(json& check, std::string const& field) const {
    rubrics::instruction_type const* const type =
        check["check"].is_string() ? rubrics::find_type(check["check"].get<std::string>()) : nullptr;
    if (type == nullptr) {
        return;
    }
    for (rubrics::argument_spec const& spec : type->arguments) {
        if (spec.name == nullptr || !is_table(spec.kind) || check.contains(spec.name)) {
            continue;
        }
        auto const found = std::find_if(tables_.begin(), tables_.end(),
                                        [&](table const& one) { return std::string_view(one.argument) == spec.name; });
        if (found->value.is_null()) {
            throw field_error(field,
                              fmt::format("has {}, which needs the table {}.json: `--tables FOLDER` brings it, and "
                                          "`optgap rubric tables FOLDER` of the Python package writes it",
                                          type->name, found->name));
        }
        bool const asks = check.contains("language") && check["language"].is_string();
        if (asks && found->value.is_object() && !found->value.contains(check["language"].get<std::string>())) {
            throw field_error(field, fmt::format("asks for the language {}, which languages.json does not have",
                                                 check["language"].get<std::string>()));
        }
        check[spec.name] = found->value;
    }
}

}  // namespace optgap::cli
