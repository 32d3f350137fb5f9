#include "tools/cli/rows/drift.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "optgap/run_record.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {

void drift_guard::check(json_row const& row, std::int64_t number) {
    std::string_view const* const value = row.find("fingerprint");
    if (value != nullptr && is_json_string(*value)) {
        check(decode_json_string(*value), number);
    }
    check_problem(row, number);
    std::string_view const* const broken = row.find("words_by");
    if (broken == nullptr || !is_json_string(*broken)) {
        return;
    }
    std::string words_by = decode_json_string(*broken);
    if (words_by_.empty()) {
        words_by_ = std::move(words_by);
        words_row_ = number;
    } else if (!allowed_ && words_by != words_by_) {
        throw usage_error(fmt::format("row {} has words as {} breaks them, row {} as {}; --allow-drift mixes them",
                                      number, words_by, words_row_, words_by_));
    }
}

/// A scored row has the digest in `program`.
void drift_guard::check_problem(json_row const& row, std::int64_t number) {
    std::string_view const *const named = row.find("problem"), *const scored = row.find("program");
    if (named == nullptr || !is_json_string(*named) || scored == nullptr ||
        scored->find("problem") == std::string::npos) {
        return;
    }
    nlohmann::ordered_json const program = read_json(*scored);
    if (!program.is_object() || !program.contains("problem") || !program["problem"].is_string()) {
        return;
    }
    std::string const digest = program["problem"], name = decode_json_string(*named);
    auto const& [first, first_row] = problems_.try_emplace(name, digest, number).first->second;
    if (!allowed_ && digest != first) {
        throw usage_error(
            fmt::format("row {} was scored by {} with the digest {}, row {} with {}: --allow-drift mixes them", number,
                        name, digest, first_row, first));
    }
}

void drift_guard::check(std::string_view fingerprint, std::int64_t number) {
    if (first_.empty()) {
        first_ = fingerprint;
        first_row_ = number;
    } else if (!allowed_ && fingerprint != first_) {
        throw usage_error(
            fmt::format("row {} was scored under fingerprint {}, row {} under {}: they differ in {}; --allow-drift "
                        "mixes them",
                        number, fingerprint, first_row_, first_, differing_parts(fingerprint, first_)));
    }
}

void drift_guard::check_model(json_row const& row, std::int64_t number) {
    std::string_view const* const value = row.find("model");
    if (value == nullptr || !is_json_string(*value)) {
        return;
    }
    std::string model = decode_json_string(*value);
    if (model_.empty()) {
        model_ = std::move(model);
        model_row_ = number;
    } else if (!allowed_ && model != model_) {
        throw usage_error(
            fmt::format("row {} is an answer of model '{}', row {} of '{}': `optgap compare A B` compares "
                        "models, --allow-drift counts them as one",
                        number, model, model_row_, model_));
    }
}

void add_drift_option(command_entry command, bool& allowed) {
    command.add_flag("--allow-drift", allowed,
                     "Mix rows that were scored under different fingerprints, or are of different models");
}

}  // namespace optgap::cli
