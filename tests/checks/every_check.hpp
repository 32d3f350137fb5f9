#pragma once
// One check of every type and every measure, with arguments of the right kind.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/rubrics/some_argument.hpp"
#include "host/rubric/checks.hpp"
#include "host/rubric/checks/measures.hpp"

namespace optgap::testing {

inline nlohmann::ordered_json some_argument(rubrics::argument_kind kind) { return bench::some_argument(kind, 2, "a"); }

inline std::vector<rubrics::check> every_check(rubrics::check_mode mode) {
    using json = nlohmann::ordered_json;
    std::vector<rubrics::check> all;
    for (rubrics::type_suite const& suite : rubrics::instruction_suites()) {
        for (rubrics::instruction_type const& type : suite.types) {
            json one = {{"check", type.name}};
            for (rubrics::argument_spec const& spec : type.arguments) {
                if (spec.name != nullptr) {
                    one[spec.name] = some_argument(spec.kind);
                }
            }
            if (std::string_view(type.name).starts_with("custom:") && !rubrics::has_normal_forms()) {
                continue;
            }
            all.push_back(rubrics::compile_check(one, type.name, {.mode = mode}));
        }
    }
    for (std::span<rubrics::measure const> const family : rubrics::measure_families()) {
        for (rubrics::measure const& measure : family) {
            json one = {{"check", measure.name}, {"min", 1}};
            for (rubrics::measure_option const& option : measure.options) {
                if (option.name != nullptr && option.required) {
                    bool const script = std::string_view(option.name) == "script";
                    one[option.name] = script ? json("latin") : some_argument(option.kind);
                }
            }
            all.push_back(rubrics::compile_check(one, measure.name));
        }
    }
    if (rubrics::patterns_lack().empty()) {
        all.push_back(rubrics::compile_check({{"check", "pattern"}, {"expression", "(a+)+$"}}, "pattern"));
    }
    return all;
}

}  // namespace optgap::testing
