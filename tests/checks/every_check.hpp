#pragma once
// One check of every type and every measure, with arguments of the right kind.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/chains/some_argument.hpp"
#include "host/chain/checks.hpp"
#include "host/chain/checks/measures.hpp"

namespace optgap::testing {

inline nlohmann::ordered_json some_argument(chain::argument_kind kind) { return bench::some_argument(kind, 2, "a"); }

inline std::vector<chain::check> every_check(chain::check_mode mode) {
    using json = nlohmann::ordered_json;
    std::vector<chain::check> all;
    for (chain::type_suite const& suite : chain::instruction_suites()) {
        for (chain::instruction_type const& type : suite.types) {
            json one = {{"check", type.name}};
            for (chain::argument_spec const& spec : type.arguments) {
                if (spec.name != nullptr) {
                    one[spec.name] = some_argument(spec.kind);
                }
            }
            if (std::string_view(type.name).starts_with("custom:") && !chain::has_normal_forms()) {
                continue;
            }
            all.push_back(chain::compile_check(one, type.name, {.mode = mode}));
        }
    }
    for (std::span<chain::measure const> const family : chain::measure_families()) {
        for (chain::measure const& measure : family) {
            json one = {{"check", measure.name}, {"min", 1}};
            for (chain::measure_option const& option : measure.options) {
                if (option.name != nullptr && option.required) {
                    bool const script = std::string_view(option.name) == "script";
                    one[option.name] = script ? json("latin") : some_argument(option.kind);
                }
            }
            all.push_back(chain::compile_check(one, measure.name));
        }
    }
    if (chain::patterns_lack().empty()) {
        all.push_back(chain::compile_check({{"check", "pattern"}, {"expression", "(a+)+$"}}, "pattern"));
    }
    return all;
}

}  // namespace optgap::testing
