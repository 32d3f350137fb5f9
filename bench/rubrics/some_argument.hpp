#pragma once
// An argument of the right kind for any instruction type, for measurements and tests.

#include <nlohmann/json.hpp>
#include <string>

#include "host/rubric/checks/types.hpp"

namespace optgap::bench {

inline nlohmann::ordered_json some_argument(rubrics::argument_kind kind, std::int64_t number, std::string const& of) {
    using enum rubrics::argument_kind;
    switch (kind) {
        case integer:
        case positive: return number;
        case text:
        case keyword:
        case word: return of;
        case texts:
        case keywords:
        case bounded: return {of, "tide and"};
        case relation: return "at least";
        case words: return {of, "the"};
        case counts: return {{of, 1}, {"the", 1}};
        case lists: return {{"en", {of, "the"}}, {"de", {"der"}}};
    }
    return nullptr;
}

}  // namespace optgap::bench
